internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// A list of posts, newest first.
struct ListPage {
    /// Which list.
    enum Kind: Hashable {
        /// Everybody's, as the first page for those who are not signed in.
        case visitors
        /// Everybody's.
        case everybody
        /// Of those whom one follows.
        case home
        case bookmarks
        case tag(String)
    }

    let list: PostList
    let links: HubLinks
    let kind: Kind
    /// Visitors may sign up.
    var invites = false

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: list.isFirst && kind == .visitors ? "Chirp" : "\(heading) – Chirp",
            head:
                "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Chirp\" href=\"\(links.prefix)/feed.xml\">",
            body: """
                <h1 dir="auto">\(heading)</h1>
                \(entry)\(list.html(empty: empty))
                \(list.pages(path: path))
                """)
    }

    private var entry: HTML {
        guard invites else { return .nothing }
        return """
            <p class="actions"><a class="main" href="\(links.prefix)/signup">Sign up</a>
            <a class="quiet" href="\(links.prefix)/signin">Sign in</a></p>
            """
    }

    private var heading: String {
        switch kind {
        case .visitors, .everybody: list.isFirst ? "Latest clips" : "Older clips"
        case .home: "Home"
        case .bookmarks: "Bookmarks"
        case .tag(let tag): "#\(tag)"
        }
    }

    private var path: String {
        switch kind {
        case .visitors, .home: "/"
        case .everybody: "/public"
        case .bookmarks: "/bookmarks"
        case .tag(let tag): "/tags/\(PercentEncoding.encode(tag))"
        }
    }

    private var empty: HTML {
        switch kind {
        case .home:
            """
            <div class="empty"><p>You follow nobody yet, or they have published nothing.</p>
            <p><a href="\(links.prefix)/search">Find people</a> · <a href="\(links.prefix)/public">See everybody's clips</a></p>
            </div>
            """
        case .bookmarks: "<p class=\"empty\">You have no bookmarks yet.</p>"
        case .tag: "<p class=\"empty\">Nobody has used this tag yet.</p>"
        case .visitors, .everybody:
            """
            <div class="empty"><p>Nothing has been published yet.</p>
            <p>Publish the first clip: <code>chirp publish take.wav</code></p></div>
            """
        }
    }
}
