internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// One notice in the list: who did what and when, with the way there, and the sound of an answer that is spoken.
struct NoticeItem {
    let notice: Notice
    /// Nil where it is about none, or about one that is gone.
    let post: HubPost?
    /// The post answers one of the reader's own.
    let isAnswer: Bool
    let desk: ModerationDesk

    var html: HTML {
        let mark: HTML = notice.isRead ? .nothing : "<strong>\(word("notice.new"))</strong> "
        return """
            <li><p>\(mark)\(sentence)</p>\(reason)\(reply)\(player)<p class="byline">\(Wording.time(notice.created))</p></li>
            """
    }

    private var sentence: HTML {
        let filled = ["who": who, "what": what]
        switch notice.kind {
        case .mention where notice.remote?.reply != nil: return .word("notice.answer", filled)
        case .favourite where notice.remote?.deed == .share: return .word("notice.share", filled)
        case .follow:
            switch notice.remote?.deed {
            case .refusal: return .word("notice.refusal", filled)
            case .move(let former):
                return .word("notice.move", ["former": "<bdi>@\(former)</bdi>", "who": nearby])
            default: return .word("notice.follow", filled)
            }
        case .mention where isAnswer && isSpoken: return .word("notice.answer-spoken", filled)
        case .mention where isAnswer: return .word("notice.answer", filled)
        case .mention where isSpoken: return .word("notice.mention-spoken", filled)
        case .mention: return .word("notice.mention", filled)
        case .favourite: return .word("notice.favourite", filled)
        case .moderation:
            if let decision = notice.decision { return decided(decision) }
            let way: HTML = "<a href=\"\(desk.prefix)/settings/standing\">\(word("notice.standing"))</a>"
            guard notice.item != nil else { return .word("notice.moderation", ["what": way]) }
            return .word("notice.moderation-item", ["item": item, "what": way])
        case .claim: return .word("notice.claim", ["who": desk.name(notice.actor), "what": item])
        case .match: return .word("notice.match", ["what": item])
        case .alert: return .word("notice.alert", ["what": item])
        case .ending: return .word("notice.ending", ["what": item])
        case .listing: return .word("notice.listing", ["what": item])
        case .comment:
            let filled = ["who": desk.name(notice.actor), "what": item]
            return notice.item?.isOwn == true
                ? .word("notice.comment", filled) : .word("notice.comment-answer", filled)
        case .record: return .word("notice.record", ["who": desk.name(notice.actor), "what": item])
        case .verified: return .word("notice.verified", ["what": item])
        case .rejected: return .word("notice.rejected", ["what": item])
        case .event: return .word("notice.event", ["what": item])
        case .bid: return .word("notice.bid", ["what": item])
        case .request:
            let way: HTML = "<a href=\"\(desk.prefix)/beats/requests\">\(word("notice.requests"))</a>"
            return .word("notice.request", ["who": desk.name(notice.actor), "what": way])
        case .connection:
            let way: HTML = "<a href=\"\(desk.prefix)/beats/connections\">\(word("notice.connections"))</a>"
            return .word("notice.connection", ["who": desk.name(notice.actor), "what": way])
        case .cardsTaken: return .word("notice.cards-taken", ["what": sales])
        case .cardsRefused: return .word("notice.cards-refused", ["what": sales])
        }
    }

    /// Where her sales are.
    private var sales: HTML { "<a href=\"\(desk.prefix)/beats/sales\">\(word("notice.sales"))</a>" }

    /// Who did it: here, or at another server.
    private var who: HTML {
        guard let remote = notice.remote else { return desk.name(notice.actor) }
        return elsewhere(remote.page, "@\(remote.handle)")
    }

    /// The page here of somebody at another server, where she is followed.
    private var nearby: HTML {
        let handle = notice.remote?.handle ?? ""
        return "<a href=\"\(desk.prefix)/@\(handle)\"><bdi>@\(handle)</bdi></a>"
    }

    /// What somebody at another server has answered, with the way there.
    private var reply: HTML {
        guard let reply = notice.remote?.reply else { return .nothing }
        return """
            <p dir="auto">\(PlainText(reply.text, limit: 500).value)</p>
            <p>\(elsewhere(reply.page, word("notice.elsewhere")))</p>
            """
    }

    private func elsewhere(_ page: String, _ name: String) -> HTML {
        // An address of a stranger's is a link only where it leads to a page.
        guard page.hasPrefix("https://") || page.hasPrefix("http://") else { return "<bdi>\(name)</bdi>" }
        return "<a href=\"\(page)\" rel=\"nofollow noopener noreferrer\"><bdi>\(name)</bdi></a>"
    }

    /// What moderators have decided, and about what.
    private func decided(_ decision: Notice.Decided) -> HTML {
        let words: HTML =
            "<strong>\(Decision.words(decision.what))</strong>\(ModerationDesk.until(decision.until))"
        if !decision.isOwn { return .word("notice.decided-claim", ["what": words]) }
        if notice.item != nil { return .word("notice.decided-about", ["subject": item, "what": words]) }
        guard notice.post != nil else { return .word("notice.decided", ["what": words]) }
        return .word("notice.decided-about", ["subject": what, "what": words])
    }

    /// Why it was decided, and the way to say that it is wrong.
    private var reason: HTML {
        guard let decision = notice.decision else { return .nothing }
        let standing = "\(desk.prefix)/settings/standing"
        let way: HTML =
            if let id = decision.appealable {
                "<a href=\"\(standing)#case-\(id)\">\(word("notice.appeal"))</a>"
            } else {
                "<a href=\"\(standing)\">\(word("notice.standing"))</a>"
            }
        return """
            <p dir="auto">\(Decision.reason(decision.why, of: decision.what))</p><p>\(way)</p>
            """
    }

    /// What a board lists that it is about, by its title, with the way there.
    private var item: HTML {
        guard let item = notice.item else { return "\(word("notice.some-item"))" }
        let title = item.title.isEmpty ? word("notice.some-item") : PlainText(item.title, limit: 100).value
        return "<a href=\"\(desk.prefix)\(item.path)\" dir=\"auto\">\(title)</a>"
    }

    private var isSpoken: Bool { post?.clip != nil }

    /// What it is about, by its first words, with the way there.
    private var what: HTML {
        guard let post else { return "\(word("notice.some-post"))" }
        let way = post.clip.map { "/c/\($0.id.text)" } ?? "/p/\(post.id)"
        let text = PlainText(post.text, limit: 100).value
        let name = text.isEmpty ? post.clip.map(\.title) ?? "" : text
        guard !name.isEmpty else { return "<a href=\"\(desk.prefix)\(way)\">\(word("notice.the-post"))</a>" }
        return "<a href=\"\(desk.prefix)\(way)\" dir=\"auto\">\(name)</a>"
    }

    /// What was said to the reader is heard here; her own posts she knows.
    private var player: HTML {
        guard notice.kind == .mention, notice.remote == nil, let clip = post?.clip else { return .nothing }
        let name = word("notice.clip", ["who": notice.actor.map { "@\($0.handle)" } ?? ""])
        return """
            <audio controls preload="none" src="\(desk.prefix)/media/\(clip.id.text).mp3" aria-label="\(name)"></audio>
            """
    }
}
