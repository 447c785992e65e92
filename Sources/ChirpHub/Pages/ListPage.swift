internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// A list of posts, newest first.
struct ListPage {
    /// Which list.
    enum Kind: Hashable {
        /// Everybody's.
        case everybody
        case bookmarks
        case tag(String)
    }

    let list: PostList
    let links: HubLinks
    let kind: Kind

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(heading) – Chirp",
            head:
                "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Chirp\" href=\"\(links.prefix)/feed.xml\">",
            body: """
                <h1 dir="auto">\(heading)</h1>
                \(list.html(empty: empty))
                \(list.pages(path: path))
                """)
    }

    private var heading: String {
        switch kind {
        case .everybody: list.isFirst ? word("list.latest") : word("list.older")
        case .bookmarks: word("list.bookmarks")
        case .tag(let tag): "#\(tag)"
        }
    }

    private var path: String {
        switch kind {
        case .everybody: "/public"
        case .bookmarks: "/bookmarks"
        case .tag(let tag): "/tags/\(PercentEncoding.encode(tag))"
        }
    }

    private var empty: HTML {
        switch kind {
        case .bookmarks: "<p class=\"empty\">\(word("list.bookmarks.empty"))</p>"
        case .tag: "<p class=\"empty\">\(word("list.tag.empty"))</p>"
        case .everybody: Self.nothingYet
        }
    }

    /// What a hub says on which nobody has published anything.
    static var nothingYet: HTML {
        """
        <div class="empty"><p>\(word("list.empty"))</p>
        <p>\(HTML.word("list.empty.how", ["command": "<code>chirp publish take.wav</code>"]))</p></div>
        """
    }
}
