internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// What this hub is, who runs it, who may sign up, and what holds here.
struct AboutPage {
    let links: HubLinks
    /// Who runs it; nil where that account has no page.
    let owner: PublicPerson?
    let registration: Registration

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("about.title")) – Chirp",
            body: """
                <div class="prose"><h1>\(word("about.title"))</h1>
                <p class="lead">\(HTML.word("about.what", ["host": "<b>\(links.authority)</b>"]))</p>
                <h2>\(word("about.who"))</h2>
                <p>\(who)</p>
                <h2>\(word("about.entry"))</h2>
                <p>\(entry)</p>
                <h2>\(word("about.rules"))</h2>
                <ul><li>\(word("about.rules.own"))</li><li>\(word("about.rules.kind"))</li>
                <li>\(word("about.rules.law"))</li><li>\(word("about.rules.report"))</li></ul>
                <h2>\(word("about.data"))</h2>
                <p>\(word("about.data.text"))</p>
                <p><a href="\(links.prefix)/help">\(word("layout.help"))</a></p></div>
                """)
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
