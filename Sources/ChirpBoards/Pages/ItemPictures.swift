package import ChirpCommunity
package import ChirpWeb

/// The pictures of an item: the browser takes the width that suits.
package struct ItemPictures {
    private let item: Item
    private let style: String
    private let name: (_ number: Int, _ count: Int) -> String
    private let links: HubLinks

    /// - Parameters:
    ///   - style: what classes of the board's style begin with.
    ///   - name: what one of several is called for who does not see it.
    package init(
        of item: Item, style: String, links: HubLinks, name: @escaping (_ number: Int, _ count: Int) -> String
    ) {
        self.item = item
        self.style = style
        self.links = links
        self.name = name
    }

    private func address(_ id: HubID, _ size: HubPicture.Size) -> String {
        links.picture(id, size, below: links.prefix)
    }

    /// All of them, each a link to the largest.
    package var html: HTML {
        guard !item.pictures.isEmpty else { return .nothing }
        let count = item.pictures.count
        let items = item.pictures.enumerated().map { index, id -> HTML in
            """
            <li><a href="\(address(id, .large))"><img src="\(address(id, .medium))" \
            srcset="\(address(id, .small)) 320w, \(address(id, .medium)) 800w, \(address(id, .large)) 1600w" \
            sizes="(min-width: 44rem) \(index == 0 ? "42rem" : "20rem"), 92vw"\
            \(index == 0 ? .nothing : " loading=\"lazy\"") decoding="async" alt="\(name(index + 1, count))"></a></li>
            """
        }
        return "<ul class=\"\(style)-photos\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ul>"
    }

    /// The first one, small; its item's title stands beside it.
    package var small: HTML {
        guard let id = item.pictures.first else {
            let sound: HTML = item.clip == nil ? .nothing : Icon.mark
            return "<span class=\"\(style)-nothing\" aria-hidden=\"true\">\(sound)</span>"
        }
        return
            "<img src=\"\(address(id, .small))\" width=\"160\" height=\"160\" loading=\"lazy\" decoding=\"async\" alt=\"\">"
    }
}
