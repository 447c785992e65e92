internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// One page of posts, newest first, and the way to the others.
struct PostList {
    let posts: [HubPost]
    /// Whether this is the beginning of the list.
    let isFirst: Bool
    /// Where the next page begins, when there is one.
    let older: Int64?
    let links: HubLinks
    /// What the viewer may do with them; nil for those who only read.
    var acts: PostActs?

    static let postsPerPage = 20

    /// - Parameters:
    ///   - found: one more than a page shows means that there is another page.
    ///   - before: the place in the feed that this page begins below; nil for the first page.
    ///   - all: the page shows every one of them.
    init(_ found: [HubPost], before: PageCursor?, links: HubLinks, all: Bool = false) {
        posts = all ? found : Array(found.prefix(Self.postsPerPage))
        isFirst = before == nil
        older = found.count > posts.count ? posts.last?.sequence : nil
        self.links = links
    }

    /// The same for who may do something with them.
    func with(_ acts: PostActs?) -> PostList {
        var list = self
        list.acts = acts
        return list
    }

    /// The posts, or what to say when there are none.
    func html(empty: HTML) -> HTML {
        guard posts.isEmpty else {
            return "<ol class=\"posts\" role=\"list\">\n\(HTML(joining: posts.map(item), separator: "\n"))\n</ol>"
        }
        return isFirst ? empty : "<p class=\"empty\">\(word("list.end"))</p>"
    }

    /// - Parameters:
    ///   - path: of the list's beginning, without the prefix.
    ///   - query: what stands behind the question mark beside the place; ends with `&` where there is something.
    func pages(path: String, query: String = "") -> HTML {
        var items: [HTML] = []
        if !isFirst {
            let tail = query.isEmpty ? "" : "?\(query.dropLast())"
            items.append("<a href=\"\(links.prefix)\(path)\(tail)\">\(word("list.newest"))</a>")
        }
        if let older {
            items.append(
                """
                <a rel="next" href="\(links.prefix)\(path)?\(query)before=\(Int(older))">\(word("list.older"))</a>
                """)
        }
        guard !items.isEmpty else { return .nothing }
        return "<nav class=\"pages\" aria-label=\"\(word("list.pages"))\">\(HTML(joining: items, separator: " "))</nav>"
    }

    private func item(_ post: HubPost) -> HTML {
        guard let clip = post.clip else { return words(post) }
        let title = clip.shownTitle(post)
        let length: HTML = clip.sound.map { "<span>\(Wording.clock($0.seconds))</span> · " } ?? .nothing
        let wave: HTML =
            clip.sound.flatMap { $0.peaks.isEmpty ? nil : WaveformPicture($0, bars: 72).svg(name: nil) } ?? .nothing
        return """
            <li class="post" id="p\(Int(post.sequence))" data-clip><div class="text"><h2 dir="auto"\(post.lang)>\
            <a href="\(links.prefix)/c/\(clip.id.text)">\(title)</a></h2>
            <p class="byline">\(length)\(post.authorLead(links))\(Wording.time(post.created))</p></div>
            <button type="button" class="round small" data-preview="\(links.prefix)/media/\(clip.id.text).mp3" \
            aria-label="\(word("player.play")) \(title)" data-name="\(title)" data-enhanced hidden>\
            \(Icon.play)\(Icon.pause)</button>
            \(wave)\(acts?.html(post, name: title) ?? .nothing)</li>
            """
    }

    /// A post about something that is not kept here.
    private func words(_ post: HubPost) -> HTML {
        """
        <li class="post" id="p\(Int(post.sequence))"><div class="text">\(PostWords(post: post, links: links, withoutLinks: post.visibility == .direct).html)
        <p class="byline">\(post.authorLead(links))\(Wording.time(post.created))</p></div>\
        \(acts?.html(post, name: post.firstWords) ?? .nothing)</li>
        """
    }
}

extension HubPost {
    /// Who wrote it, before the date, with the way to more of it. The owner of a hub is not named on it: "Me" tells a visitor nothing.
    func authorLead(_ links: HubLinks) -> HTML {
        guard !isByOwner else { return .nothing }
        let handle: HTML = author.isElsewhere ? " <bdi>@\(author.handle)</bdi>" : .nothing
        return "<a href=\"\(links.prefix)/@\(author.handle)\"><bdi>\(author.name)</bdi></a>\(handle) · "
    }

    /// The attribute that names its language, where its author has.
    var lang: HTML { language.map { " lang=\"\($0)\"" } ?? .nothing }
}
