internal import ChirpCommunity
internal import ChirpWeb

/// The first page: for visitors what this is and the newest clips, for members how to begin and what those say whom they follow.
struct HomePage {
    let list: PostList
    let links: HubLinks
    /// Visitors may sign up.
    var invites = false
    /// Nil for visitors.
    var member: Member?

    struct Member {
        let followsNobody: Bool
        /// Whom one could follow.
        let newest: [PublicPerson]
        /// Of the page's forms; nil for who may not follow now.
        let token: String?
    }

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: title,
            head: """
                <link rel="alternate" type="application/rss+xml" title="Chirp" href="\(links.prefix)/feed.xml">
                """,
            body: list.isFirst ? first : older)
    }

    private var title: String {
        guard list.isFirst else { return "\(word("list.older")) – Chirp" }
        return member == nil ? "Chirp" : "\(word("home.title")) – Chirp"
    }

    private var older: HTML {
        """
        <h1>\(word("list.older"))</h1>
        \(list.html(empty: .nothing))
        \(list.pages(path: "/"))
        """
    }

    private var first: HTML {
        guard let member else {
            return """
                <h1>\(word("home.welcome"))</h1>
                <p class="lead">\(word("home.what"))</p>
                \(entry)\(StartPanel(links: links).html)
                <h2 class="section">\(word("list.latest"))</h2>
                \(list.html(empty: nothingYet))
                \(list.pages(path: "/"))
                """
        }
        return """
            <h1>\(word("home.title"))</h1>
            \(StartPanel(links: links).html)
            \(member.followsNobody ? lonely(member) : .nothing)
            \(member.followsNobody && list.posts.isEmpty ? .nothing : feed)
            """
    }

    private var feed: HTML {
        """
        <h2 class="section">\(word("home.feed"))</h2>
        \(list.html(empty: "<p class=\"empty\">\(word("home.quiet"))</p>"))
        \(list.pages(path: "/"))
        """
    }

    private var entry: HTML {
        guard invites else { return .nothing }
        return """
            <p class="actions"><a class="main" href="\(links.prefix)/signup">\(word("home.signup"))</a>
            <a class="quiet" href="\(links.prefix)/signin">\(word("home.signin"))</a> <span>\(word("home.signup.why"))</span></p>
            """
    }

    /// Who follows nobody hears nobody: how to change that.
    private func lonely(_ member: Member) -> HTML {
        let people = member.newest.map { person -> HTML in
            """
            <li><span class="who"><a href="\(links.prefix)/@\(person.author.handle)"><bdi>\(person.author.name)</bdi></a> \
            <bdi>@\(person.author.handle)</bdi></span>\(member.token.map { follow(person, $0) } ?? .nothing)</li>
            """
        }
        let newest: HTML =
            people.isEmpty
            ? .nothing
            : "<h3>\(word("home.newest"))</h3><ul class=\"people\" role=\"list\">\(HTML(joining: people))</ul>"
        return """
            <section class="empty" aria-labelledby="lonely"><h2 id="lonely">\(word("home.lonely"))</h2>
            <p>\(word("home.lonely.how"))</p>
            \(SearchField(words: "", links: links).html)
            \(newest)
            <p><a href="\(links.prefix)/public">\(word("home.everybody"))</a></p></section>
            """
    }

    private func follow(_ person: PublicPerson, _ token: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)/follow"><input type="hidden" name="token" value="\(token)">\
        <input type="hidden" name="handle" value="\(person.author.handle)">\
        <button class="act" aria-label="\(word("people.follow")) @\(person.author.handle)">\(word("people.follow"))</button></form>
        """
    }

    private var nothingYet: HTML { ListPage.nothingYet }
}

/// The two things that people come for. "Go live" is the largest control of the page, "Record" the second (CH-21).
struct StartPanel {
    let links: HubLinks

    var html: HTML {
        """
        <section class="start" aria-label="\(word("home.start"))">
        <div><a class="go main" href="\(links.prefix)/live">\(word("home.live"))</a>
        <p>\(word("home.live.why"))</p></div>
        <div><a class="go second" href="\(links.prefix)/record">\(word("home.record"))</a>
        <p>\(word("home.record.why"))</p></div>
        </section>
        """
    }
}
