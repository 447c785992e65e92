internal import ChirpCommunity
internal import ChirpWeb

/// The pictures of a listing: the browser takes the width that suits.
struct ListingPictures {
    let listing: Listing
    let links: HubLinks

    private func address(_ id: HubID, _ name: String) -> String { "\(links.prefix)/pictures/\(id.text)-\(name).jpg" }

    /// All of them, each a link to the largest.
    var html: HTML {
        guard !listing.item.pictures.isEmpty else { return .nothing }
        let count = listing.item.pictures.count
        let items = listing.item.pictures.enumerated().map { index, id -> HTML in
            let name = word(
                "listing.picture.of",
                ["number": "\(index + 1)", "count": "\(count)", "title": listing.item.title])
            return """
                <li><a href="\(address(id, "large"))"><img src="\(address(id, "medium"))" \
                srcset="\(address(id, "small")) 320w, \(address(id, "medium")) 800w, \(address(id, "large")) 1600w" \
                sizes="(min-width: 44rem) \(index == 0 ? "42rem" : "20rem"), 92vw"\
                \(index == 0 ? .nothing : " loading=\"lazy\"") decoding="async" alt="\(name)"></a></li>
                """
        }
        return "<ul class=\"listing-photos\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ul>"
    }

    /// The first one, small; its listing's title stands beside it.
    var small: HTML {
        guard let id = listing.item.pictures.first else {
            let sound: HTML = listing.item.clip == nil ? .nothing : Icon.mark
            return "<span class=\"listing-nothing\" aria-hidden=\"true\">\(sound)</span>"
        }
        return
            "<img src=\"\(address(id, "small"))\" width=\"160\" height=\"160\" loading=\"lazy\" decoding=\"async\" alt=\"\">"
    }
}
