internal import ChirpCommunity
internal import ChirpWeb

/// The list of everybody's posts, newest first.
struct ListPage {
    let list: PostList
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: list.isFirst ? "Chirp" : "Older clips – Chirp",
            head:
                "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Chirp\" href=\"\(links.prefix)/feed.xml\">",
            body: """
                <h1>\(list.isFirst ? "Latest clips" : "Older clips")</h1>
                \(list.html(empty: Self.empty))
                \(list.pages(path: "/"))
                """)
    }

    private static let empty: HTML = """
        <div class="empty"><p>Nothing has been published yet.</p>
        <p>Publish the first clip: <code>chirp publish take.wav</code></p></div>
        """
}
