internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// Some listings, one below the other.
struct ListingList {
    let found: [Listing]
    /// From where distances are told.
    let near: GeoPoint?
    let now: Date
    let links: HubLinks

    init(_ found: [Listing], near: GeoPoint?, now: Date, links: HubLinks) {
        self.found = found
        self.near = near
        self.now = now
        self.links = links
    }

    /// - Parameter empty: what stands there when there are none.
    func html(empty: String) -> HTML {
        guard !found.isEmpty else { return "<p class=\"empty\">\(empty)</p>" }
        let cards = found.map {
            "<li>\(ListingCard(listing: $0, near: near, now: now, links: links).html)</li>" as HTML
        }
        return "<ol class=\"listing-list\" role=\"list\">\(HTML(joining: cards, separator: "\n"))</ol>"
    }

    /// The way to the next ones.
    static func pages(
        _ path: String, _ fields: [(name: String, value: String)], next: String?, links: HubLinks
    ) -> HTML {
        guard let next else { return .nothing }
        let query = PercentEncoding.form(fields + [("after", next)])
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" href="\(links.prefix)\(path)?\(query)">\
            \(word("listing.more"))</a></nav>
            """
    }
}

/// One of them: picture, title, lost or found, how long ago, how far.
struct ListingCard {
    let listing: Listing
    var near: GeoPoint?
    let now: Date
    let links: HubLinks

    var html: HTML {
        let item = listing.item
        return """
            <article class="listing-card listing-\(listing.side.rawValue)" id="l\(item.id.text)">\
            \(listing.pictures(links).small)
            <div><h2 dir="auto"><a href="\(links.prefix)\(listing.path)">\(item.title)</a></h2>
            <p class="byline">\(HTML(joining: facts, separator: " · "))</p></div></article>
            """
    }

    private var facts: [HTML] {
        var facts: [HTML] = [
            "<span class=\"listing-side\">\(listing.side.name)</span>", "\(listing.categoryName)",
            "\(Listing.ago(listing.moment, now: now))",
        ]
        if let name = listing.item.place?.name, !name.isEmpty { facts.append("<bdi>\(name)</bdi>") }
        if let distance = listing.distance(from: near) { facts.append("\(distance)") }
        switch listing.item.state {
        case .open: break
        case .draft: facts.append("\(word("listing.state.draft"))")
        case .settled: facts.append("<b>\(word("listing.settled"))</b>")
        case .expired: facts.append("<b>\(word("listing.expired"))</b>")
        case .withdrawn: facts.append("<b>\(word("listing.withdrawn"))</b>")
        }
        if listing.item.isHidden { facts.append("<b>\(word("listing.hidden"))</b>") }
        return facts
    }
}
