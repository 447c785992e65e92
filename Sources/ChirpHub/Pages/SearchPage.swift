internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// What some words find: people, tags, and clips and posts that the viewer may see.
struct SearchPage {
    /// Empty: nothing was looked for yet.
    let words: String
    /// One more than a page shows means that there are more.
    var people: [PublicPerson] = []
    var tags: [String] = []
    var posts: PostList
    let links: HubLinks
    /// What is typed where people at other servers are looked for, for whom may do that; empty: nothing yet.
    var elsewhere: String?

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(word("search.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <h1>\(word("search.title"))</h1>
                \(SearchField(words: words, links: links).html)
                \(words.isEmpty ? "<p class=\"empty\">\(word("search.how"))</p>" : found)
                """)
    }

    private var found: HTML {
        """
        <section aria-labelledby="people"><h2 class="section" id="people">\(word("search.people"))</h2>
        \(PeoplePage.list(people.prefix(PeoplePage.perPage), links: links))\(more)\(others)</section>
        <section aria-labelledby="tags"><h2 class="section" id="tags">\(word("search.tags"))</h2>
        \(tagList)</section>
        <section aria-labelledby="clips"><h2 class="section" id="clips">\(word("search.posts"))</h2>
        \(posts.html(empty: "<p class=\"empty\">\(word("search.none"))</p>"))
        \(posts.pages(path: "/search", query: "\(query)&"))</section>
        """
    }

    private var query: String { PercentEncoding.form([("q", words)]) }

    private var more: HTML {
        guard people.count > PeoplePage.perPage, let last = people.prefix(PeoplePage.perPage).last else {
            return .nothing
        }
        let query = PercentEncoding.form([("q", words), ("behind", last.author.handle)])
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="next" href="\(links.prefix)/search?\(query)">\
            \(word("people.more"))</a></nav>
            """
    }

    private var others: HTML {
        guard let elsewhere else { return .nothing }
        let query = elsewhere.isEmpty ? "" : "?\(PercentEncoding.form([("name", elsewhere)]))"
        return "<p><a href=\"\(links.prefix)/follow\(query)\">\(word("elsewhere.title"))</a></p>"
    }

    private var tagList: HTML {
        guard !tags.isEmpty else { return "<p class=\"empty\">\(word("search.none"))</p>" }
        let items = tags.map { tag -> HTML in
            "<li><a class=\"act\" href=\"\(links.prefix)/tags/\(PercentEncoding.encode(tag))\">#\(tag)</a></li>"
        }
        return "<ul class=\"tags\" role=\"list\">\(HTML(joining: items))</ul>"
    }
}

/// The field that finds people, tags and clips.
struct SearchField {
    let words: String
    let links: HubLinks

    var html: HTML {
        """
        <form class="form" method="get" action="\(links.prefix)/search" role="search">
        <p class="field"><label for="q">\(word("search.label"))</label>
        <input id="q" name="q" type="search" autocomplete="off" value="\(words)"></p>\
        <p><button class="main">\(word("search.button"))</button></p></form>
        """
    }
}
