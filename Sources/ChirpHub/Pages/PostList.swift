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

    static let postsPerPage = 20

    /// - Parameters:
    ///   - found: one more than a page shows means that there is another page.
    ///   - before: the place in the feed that this page begins below; nil for the first page.
    ///   - all: the page shows every one of them.
    init(_ found: [HubPost], before: Int64?, links: HubLinks, all: Bool = false) {
        posts = all ? found : Array(found.prefix(Self.postsPerPage))
        isFirst = before == nil
        older = found.count > posts.count ? posts.last?.sequence : nil
        self.links = links
    }

    /// The posts, or what to say when there are none.
    func html(empty: HTML) -> HTML {
        guard posts.isEmpty else {
            return "<ol class=\"posts\" role=\"list\">\n\(HTML(joining: posts.map(item), separator: "\n"))\n</ol>"
        }
        return isFirst ? empty : "<p class=\"empty\">There is nothing older.</p>"
    }

    /// - Parameter path: of the list's beginning, without the prefix.
    func pages(path: String) -> HTML {
        var items: [HTML] = []
        if !isFirst { items.append("<a href=\"\(links.prefix)\(path)\">Newest clips</a>") }
        if let older {
            items.append("<a rel=\"next\" href=\"\(links.prefix)\(path)?before=\(Int(older))\">Older clips</a>")
        }
        guard !items.isEmpty else { return .nothing }
        return "<nav class=\"pages\" aria-label=\"Pages\">\(HTML(joining: items, separator: " "))</nav>"
    }

    private func item(_ post: HubPost) -> HTML {
        guard let clip = post.clip else { return words(post) }
        let length: HTML = clip.sound.map { "<span>\(Wording.clock($0.seconds))</span> · " } ?? .nothing
        let wave: HTML =
            clip.sound.flatMap { $0.peaks.isEmpty ? nil : WaveformPicture($0, bars: 72).svg(name: nil) } ?? .nothing
        return """
            <li class="post" data-clip><div class="text"><h2 dir="auto"><a href="\(links.prefix)/c/\(clip.id.text)">\
            \(clip.displayTitle)</a></h2>
            <p class="byline">\(length)\(post.authorLead(links))\(Wording.time(post.created))</p></div>
            <button type="button" class="round small" data-preview="\(links.prefix)/media/\(clip.id.text).mp3" \
            aria-label="Play \(clip.displayTitle)" data-name="\(clip.displayTitle)" data-enhanced hidden>\
            \(Icon.play)\(Icon.pause)</button>
            \(wave)</li>
            """
    }

    /// A post about something that is not kept here.
    private func words(_ post: HubPost) -> HTML {
        let parts = PostText.parts(of: post.text).map { part -> HTML in
            switch part {
            case .words(let words): "\(words)"
            case .tag(let tag): "<span class=\"tag\">#\(tag)</span>"
            case .link(let link): "<a href=\"\(link)\" rel=\"noopener nofollow ugc\">\(link)</a>"
            }
        }
        return """
            <li class="post"><div class="text"><p class="words" dir="auto">\(HTML(joining: parts))</p>
            <p class="byline">\(post.authorLead(links))\(Wording.time(post.created))</p></div></li>
            """
    }
}

extension HubPost {
    /// Who wrote it, before the date, with the way to more of it. The owner of a hub is not named on it: "Me" tells a visitor nothing.
    func authorLead(_ links: HubLinks) -> HTML {
        guard !isByOwner else { return .nothing }
        return "<a href=\"\(links.prefix)/@\(author.handle)\"><bdi>\(author.name)</bdi></a> · "
    }
}
