internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// A list of people by name, and a field to find them where it is a search.
struct PeoplePage {
    let title: String
    let path: String
    /// One more than a page shows means that there is another page.
    let people: [PublicPerson]
    /// What was looked for; nil where nothing is.
    let words: String?
    let links: HubLinks

    static let perPage = 40

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <h1 dir="auto">\(title)</h1>
                \(field)
                \(list)
                \(next)
                """)
    }

    private var field: HTML {
        guard let words else { return .nothing }
        return """
            <form class="form" method="get" action="\(links.prefix)/search" role="search">
            <p class="field"><label for="q">A name, or part of one</label>
            <input id="q" name="q" type="search" value="\(words)"></p><p><button class="main">Search</button></p></form>
            """
    }

    private var list: HTML {
        guard !people.isEmpty else { return "<p class=\"empty\">Nobody.</p>" }
        let items = people.prefix(Self.perPage).map { person -> HTML in
            """
            <li class="post"><div class="text"><h2 dir="auto"><a href="\(links.prefix)/@\(person.author.handle)">\
            \(person.author.name)</a></h2><p class="byline"><bdi>@\(person.author.handle)</bdi></p></div></li>
            """
        }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ol>"
    }

    private var next: HTML {
        guard people.count > Self.perPage, let last = people.prefix(Self.perPage).last else { return .nothing }
        let query = PercentEncoding.form(
            (words.map { [("q", $0)] } ?? []) + [("behind", last.author.handle)])
        return """
            <nav class="pages" aria-label="Pages"><a rel="next" href="\(links.prefix)\(path)?\(query)">More people</a></nav>
            """
    }
}
