internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// Somebody's page: who it is, and what that account has posted, newest first.
struct ProfilePage {
    let person: PublicPerson
    /// What the person is here for.
    var tags: [PersonTag] = []
    let list: PostList
    /// What boards show of the person.
    var boards: HTML = .nothing
    let links: HubLinks
    /// What the viewer may do; nil for visitors, and on one's own page.
    var act: Act?

    /// To follow, or to stop.
    struct Act {
        let isFollowing: Bool
        /// Her server has not said yet that it is all right.
        var isAsked = false
        /// Of the form.
        let token: String
    }

    var html: HTML {
        let author = person.author
        let title = FeedChannel(of: author, links: links).title
        return Layout(prefix: links.prefix).page(
            title: "\(title) – Chirp",
            head: author.isElsewhere
                ? "<meta name=\"robots\" content=\"noindex\">"
                : """
                <link rel="canonical" href="\(links.person(author))">
                <link rel="alternate" type="application/rss+xml" title="\(title)" href="\(path)/feed.xml">
                <link rel="alternate" type="application/feed+json" title="\(title)" href="\(path)/feed.json">
                """,
            body: """
                <h1 dir="auto">\(author.name)</h1>
                <p class="byline"><bdi>@\(author.handle)</bdi>\(author.isElsewhere ? .nothing : ways)\(report)</p>
                \(tagLine)\(bio)\(button)
                \(list.html(empty: "<p class=\"empty\">\(word("profile.empty"))</p>"))
                \(list.pages(path: "/@\(author.handle)"))
                \(boards)
                """)
    }

    private var ways: HTML {
        """
         · <a href="\(path)/feed.xml">\(word("profile.rss"))</a> · \
        <a href="\(path)/followers">\(word("profile.followers", count: person.followers))</a> · \
        <a href="\(path)/following">\(word("profile.following", count: person.following))</a>
        """
    }

    private var path: String { "\(links.prefix)/@\(person.author.handle)" }

    /// Nobody reports herself.
    private var report: HTML {
        guard list.acts?.me != person.author.id else { return .nothing }
        return " · <a href=\"\(links.prefix)/report/people/\(person.author.handle)\">\(word("post.report"))</a>"
    }

    private var bio: HTML {
        guard !person.bio.isEmpty else { return .nothing }
        let lines = person.bio.split(separator: "\n").map { line -> HTML in "\(String(line))" }
        return "<p class=\"words\" dir=\"auto\">\(HTML(joining: lines, separator: "<br>"))</p>"
    }

    private var button: HTML {
        guard let act else { return .nothing }
        let (path, name) = act.isFollowing ? ("unfollow", word("people.unfollow")) : ("follow", word("people.follow"))
        // Messages stay within the hub.
        let message: HTML =
            person.author.isElsewhere
            ? act.isAsked ? "<span class=\"quiet\">\(word("elsewhere.asked"))</span>" : .nothing
            : """
            <a class="quiet" href="\(links.prefix)/messages?to=@\(person.author.handle)">\(word("profile.message"))</a>
            """
        return """
            <form class="actions" method="post" action="\(links.prefix)/\(path)"><input type="hidden" name="token" value="\(act.token)">\
            <input type="hidden" name="handle" value="\(person.author.handle)"><button class="main">\(name)</button>\(message)</form>
            """
    }

    private static func name(of tag: PersonTag) -> String {
        switch tag {
        case .producer: word("profile.as-producer")
        case .artist: word("profile.as-artist")
        case .user: word("profile.as-user")
        }
    }

    private var tagLine: HTML {
        guard !tags.isEmpty else { return .nothing }
        let words = tags.map { tag -> HTML in "<li>\(Self.name(of: tag))</li>" }
        return "<ul class=\"tags\" aria-label=\"\(word("profile.here"))\">\(HTML(joining: words))</ul>"
    }
}
