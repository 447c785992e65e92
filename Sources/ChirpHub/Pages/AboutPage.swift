internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// What this hub is, who runs it, who may sign up, and what holds here.
struct AboutPage {
    let links: HubLinks
    /// Who runs it; nil where that account has no page.
    let owner: PublicPerson?
    let registration: Registration
    /// What the owner says of it.
    var own = HubWords()
    /// Whether names of places are shown, whose makers want to be named.
    var hasPlaces = false

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("about.title")) – Chirp",
            body: """
                <div class="prose"><h1>\(word("about.title"))</h1>
                <p class="lead">\(HTML.word("about.what", ["host": "<b>\(links.authority)</b>"]))</p>
                \(text(own.about))
                <h2>\(word("about.who"))</h2>
                <p>\(who)</p>
                \(text(own.contact))
                <h2>\(word("about.entry"))</h2>
                <p>\(entry)</p>
                <h2>\(word("about.rules"))</h2>
                <ul><li>\(word("about.rules.own"))</li><li>\(word("about.rules.kind"))</li>
                <li>\(word("about.rules.law"))</li><li>\(word("about.rules.report"))</li></ul>
                \(text(own.rules))
                <h2>\(word("about.data"))</h2>
                <p>\(word("about.data.text"))</p>
                \(places)
                <p><a href="\(links.prefix)/help">\(word("layout.help"))</a></p></div>
                """)
    }

    private var places: HTML {
        guard hasPlaces else { return "" }
        let source: HTML = "<a href=\"https://www.geonames.org/\" rel=\"noopener\">GeoNames</a>"
        let licence: HTML = "<a href=\"https://creativecommons.org/licenses/by/4.0/\" rel=\"noopener\">CC BY 4.0</a>"
        return "<p>\(HTML.word("about.places", ["source": source, "licence": licence]))</p>"
    }

    /// Lines, in which only https addresses lead anywhere.
    private func text(_ typed: String) -> HTML {
        let words = PlainText.lines(typed, limit: HubChoices.longestWords)
        guard !words.isEmpty else { return "" }
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            let parts = PostText.parts(of: String(line)).map { part -> HTML in
                switch part {
                case .link(let link) where link.hasPrefix("https://"):
                    "<a href=\"\(link)\" rel=\"noopener nofollow\">\(link)</a>"
                case .link(let words), .words(let words): "\(words)"
                case .tag(let tag): "#\(tag)"
                }
            }
            return HTML(joining: parts)
        }
        return "<p class=\"words\" dir=\"auto\">\(HTML(joining: lines, separator: "<br>"))</p>"
    }

    private var who: HTML {
        guard let owner else { return "\(word("about.who.unknown"))" }
        let name: HTML = "<a href=\"\(links.prefix)/@\(owner.author.handle)\"><bdi>\(owner.author.name)</bdi></a>"
        return .word("about.who.text", ["name": name])
    }

    private var entry: HTML {
        switch registration {
        case .open:
            .word(
                "about.entry.open",
                ["link": "<a href=\"\(links.prefix)/signup\">\(word("home.signup"))</a>"])
        case .invite: "\(word("about.entry.invite"))"
        case .closed: "\(word("about.entry.closed"))"
        }
    }
}
