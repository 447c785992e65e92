internal import ChirpCommunity
internal import ChirpMap
internal import ChirpWeb

/// What the board's pages have in common: its ways, style and script.
struct ListingLayout {
    let links: HubLinks
    /// Of the page's forms and scripts; nil for visitors.
    var token: String?
    /// Further things that the script has to know.
    var facts: [String: String] = [:]
    /// Of a page with a map.
    var ground: MapGround?

    func page(title: String, head: HTML = .nothing, body: HTML) -> HTML {
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

    /// A page with one form on it, which no search engine keeps.
    ///
    /// - Parameters:
    ///   - problem: what was wrong with what was sent.
    ///   - content: the form, and what stands above it.
    func form(title: String, problem: HTML, content: HTML) -> HTML {
        page(
            title: title, head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(title)</h1>
                <div role="alert" class="problem">\(problem)</div>
                \(content)</div>
                """)
    }

    /// A form that is one button.
    ///
    /// - Parameter path: with the prefix.
    func button(_ name: String, to path: String) -> HTML {
        """
        <form method="post" action="\(path)"><input type="hidden" name="token" value="\(token ?? "")">\
        <p><button class="act">\(name)</button></p></form>
        """
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
