internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// A conversation: its messages in the order they came, and the form for another.
struct ThreadPage {
    let opened: MessageDesk.Opened
    let me: AccountID
    let token: String
    /// Nil where nobody can be written to.
    let form: MessageForm?
    let links: HubLinks

    var html: HTML {
        Layout(prefix: links.prefix).page(
            title: "\(opened.thread.names) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: .messages(
                upTo: opened.upTo, token: token,
                facts: ["thread": opened.thread.id, "unread": "\(opened.thread.unread)"]),
            body: """
                <p><a href="\(links.prefix)/messages">\(word("message.back"))</a></p>
                <h1 dir="auto">\(opened.thread.names)</h1>
                \(older)
                <ol class="posts thread" role="list" data-messages>\(HTML(joining: opened.posts.reversed().map(item), separator: "\n"))</ol>
                \(read)\(form?.html ?? "<p class=\"empty\">\(word("message.closed"))</p>")
                """)
    }

    private func item(_ post: HubPost) -> HTML {
        let who: HTML =
            post.author.id == me
            ? "\(word("message.me"))"
            : "<a href=\"\(links.prefix)/@\(post.author.handle)\"><bdi>\(post.author.name)</bdi></a>"
        let act: HTML =
            post.author.id == me
            ? " · <a href=\"\(links.prefix)/posts/\(Int(post.sequence))/delete\">\(word("post.delete"))</a>"
            : " · <a href=\"\(links.prefix)/report/posts/\(Int(post.sequence))\">\(word("post.report"))</a>"
        return """
            <li class="post\(post.author.id == me ? " own" : .nothing)" id="p\(Int(post.sequence))" \
            data-place="\(Int(post.sequence))" data-row="\(Int(post.sequence))"\
            \(post.author.id == me ? " data-own" : .nothing)><div class="text">\
            <p class="byline">\(who) · \(Wording.time(post.created))\(act)</p>
            \(post.clip.map { PostSound(post: post, clip: $0, links: links).html } ?? .nothing)\
            \(caution(post))\(PostWords(post: post, links: links, withoutNames: true, withoutLinks: isStrange(post)).html)</div></li>
            """
    }

    private func isStrange(_ post: HubPost) -> Bool { opened.strangers.contains(post.author.id) }

    /// A word beside what swindlers write. It never keeps anything back (LF-5).
    private func caution(_ post: HubPost) -> HTML {
        guard isStrange(post), Swindle.isLikely(in: post.text) else { return .nothing }
        return "<p class=\"problem caution\">\(word("swindle.caution"))</p>"
    }

    private var older: HTML {
        guard let older = opened.older else { return .nothing }
        return """
            <nav class="pages" aria-label="\(word("list.pages"))"><a rel="prev" \
            href="\(links.prefix)/messages/\(opened.thread.id)?before=\(Int(older))">\(word("message.earlier"))</a></nav>
            """
    }

    /// Reading a page changes nothing, so without script it is said by hand.
    private var read: HTML {
        guard opened.thread.unread > 0 else { return .nothing }
        return """
            <form method="post" action="\(links.prefix)/messages/\(opened.thread.id)/read" data-read>\
            <input type="hidden" name="token" value="\(token)"><p><button class="act">\(word("message.read"))</button></p></form>
            """
    }
}
