internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// What a member may do with the posts of a page: like, bookmark, answer, remove. Each is a form of one button.
struct PostActs {
    /// Of the page's forms.
    let token: String
    let figures: [Int64: PostFigures]
    let me: AccountID
    /// The page, without the prefix: where the browser comes back to.
    let back: String
    let links: HubLinks

    /// The controls under a post.
    ///
    /// - Parameter name: what the post is called beside its controls.
    func html(_ post: HubPost, name: String) -> HTML {
        let figures = figures[post.sequence] ?? PostFigures()
        let isLiked = figures.marks.contains(.favourite)
        let isKept = figures.marks.contains(.bookmark)
        let like =
            isLiked
            ? button("unlike", word("post.unlike"), post, name) : button("like", word("post.like"), post, name)
        let keep =
            isKept
            ? button("unbookmark", word("post.unbookmark"), post, name)
            : button("bookmark", word("post.bookmark"), post, name)
        let answer: HTML = """
            <a class="act" href="\(links.prefix)\(post.page)#answer" aria-label="\(word("post.reply")): \(name)">\
            \(word("post.reply"))</a>
            """
        let remove: HTML =
            post.author.id == me
            ? """
            <a class="act" href="\(links.prefix)/posts/\(Int(post.sequence))/delete" \
            aria-label="\(word("post.delete")): \(name)">\(word("post.delete"))</a>
            """ : .nothing
        let share: HTML =
            !post.author.isElsewhere
            ? .nothing
            : figures.isShared
                ? button("unshare", word("post.unshare"), post, name) : button("share", word("post.share"), post, name)
        return "<div class=\"acts\">\(like)\(keep)\(share)\(answer)\(remove)\(counts(figures))</div>"
    }

    private func counts(_ figures: PostFigures) -> HTML {
        var words: [HTML] = []
        if figures.favourites > 0 { words.append("\(word("post.likes", count: figures.favourites))") }
        if figures.replies > 0 { words.append("\(word("post.replies", count: figures.replies))") }
        return words.isEmpty ? .nothing : "<span>\(HTML(joining: words, separator: ", "))</span>"
    }

    private func button(_ act: String, _ words: String, _ post: HubPost, _ name: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)/posts/\(Int(post.sequence))/\(act)">\
        <input type="hidden" name="token" value="\(token)"><input type="hidden" name="back" value="\(back)#p\(Int(post.sequence))">\
        <button class="act" aria-label="\(words): \(name)">\(words)</button></form>
        """
    }
}

extension HubPost {
    /// Where it is read, without the site's prefix: the page of its clip, or its own.
    var page: String { clip.map { "/c/\($0.id.text)" } ?? "/p/\(id)" }
}
