internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// A list of people by name.
struct PeoplePage {
    let title: String
    let path: String
    /// One more than a page shows means that there is another page.
    let people: [PublicPerson]
    let links: HubLinks

    static let perPage = 40

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <h1 dir="auto">\(title)</h1>
                \(Self.list(people.prefix(Self.perPage), links: links))
                \(next)
                """)
    }

    /// People with the way to their pages.
    static func list(_ people: some Collection<PublicPerson>, links: HubLinks) -> HTML {
        guard !people.isEmpty else { return "<p class=\"empty\">\(word("people.nobody"))</p>" }
        let items = people.map { person -> HTML in
            """
            <li class="post"><div class="text"><h2 dir="auto"><a href="\(links.prefix)/@\(person.author.handle)">\
            \(person.author.name)</a></h2><p class="byline"><bdi>@\(person.author.handle)</bdi></p></div></li>
            """
        }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ol>"
    }

    private var next: HTML {
        guard people.count > Self.perPage, let last = people.prefix(Self.perPage).last else { return .nothing }
        let query = PercentEncoding.form([("behind", last.author.handle)])
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" href="\(links.prefix)\(path)?\(query)">\
            \(word("people.more"))</a></nav>
            """
    }
}
