internal import ChirpCommunity
internal import ChirpWeb

/// Somebody's page: who it is, and what that account has posted, newest first.
struct ProfilePage {
    let person: PostAuthor
    let list: PostList
    let links: HubLinks

    var html: HTML {
        let title = FeedChannel(of: person, links: links).title
        return Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp",
            head: """
                <link rel="canonical" href="\(links.person(person))">
                <link rel="alternate" type="application/rss+xml" title="\(title)" href="\(path)/feed.xml">
                <link rel="alternate" type="application/feed+json" title="\(title)" href="\(path)/feed.json">
                """,
            body: """
                <h1 dir="auto">\(person.name)</h1>
                <p class="byline"><bdi>@\(person.handle)</bdi> · <a href="\(path)/feed.xml">RSS feed</a></p>
                \(list.html(empty: "<p class=\"empty\">Nothing has been published yet.</p>"))
                \(list.pages(path: "/@\(person.handle)"))
                """)
    }

    private var path: String { "\(links.prefix)/@\(person.handle)" }
}
