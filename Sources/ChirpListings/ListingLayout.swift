internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb

/// What the board's pages have in common: its ways, style and script.
struct ListingLayout: BoardLayout {
    let links: HubLinks
    /// Of the page's forms and scripts; nil for visitors.
    var token: String?
    /// Further things that the script has to know.
    var facts: [String: String] = [:]
    /// Of a page with a map.
    var ground: MapGround?

    func page(title: String, head: HTML, body: HTML) -> HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: "\(ground?.head ?? .nothing)\(head)",
            script: PageScript(
                .listing, words: ["listing.script."] + (ground == nil ? [] : ["map.script."]), token: token ?? "",
                facts: facts, hasStyle: true),
            body: """
                <nav class="listing-ways" aria-label="\(word("listing.board"))">\
                <a href="\(base)">\(word("listing.way.search"))</a>\
                <a href="\(base)/categories">\(word("listing.way.categories"))</a>\
                \(own)<a class="listing-new" href="\(base)/new">\(word("listing.way.new"))</a></nav>
                \(body)
                """)
    }

    private var base: String { "\(links.prefix)\(ListingDesk.path)" }

    private var own: HTML {
        guard token != nil else { return .nothing }
        return """
            <a href="\(base)/mine">\(word("listing.way.mine"))</a><a href="\(base)/saved">\(word("listing.way.saved"))</a>\
            <a href="\(base)/viewed">\(word("listing.way.viewed"))</a><a href="\(base)/claims">\(word("claim.title"))</a>\
            <a href="\(base)/alerts">\(word("alert.title"))</a>
            """
    }
}
