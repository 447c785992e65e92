internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// One case: what it is about, who has said what, what was decided, and the form that decides.
struct CasePage {
    let found: ModerationCase
    let desk: ModerationDesk

    func html(token: String, typed: Form?) -> HTML {
        let reports = found.reports.map { report -> HTML in
            """
            <li><p>\(report.server.map { "\($0)" } ?? desk.moderated(report.reporter)), \(Wording.time(report.at)): \(report.reason.words)</p>
            <p dir="auto">\(report.text)</p>\(report.picture.map { ItemView.picture($0, 1, desk) } ?? .nothing)</li>
            """
        }
        let decisions = found.decisions.map { Self.decision($0, desk) }
        return """
            <h2>\(Self.subject(found))</h2>
            <p>\(state)</p>
            \(subject)
            \(reports.isEmpty ? .nothing : "<h2>\(word("moderation.reports"))</h2><ul class=\"cases\">\(HTML(joining: reports))</ul>")
            \(Self.said(word("moderation.answer"), found.answer))\(Self.said(word("moderation.appeal"), found.appeal))
            \(decisions.isEmpty ? .nothing : "<h2>\(word("moderation.decisions"))</h2><ul class=\"cases\">\(HTML(joining: decisions))</ul>")
            \(found.state.waits ? form(token, typed) : .nothing)
            """
    }

    /// How it stands; while it waits, also until when.
    private var state: HTML {
        guard found.state.waits else { return "\(Self.state(found))." }
        return HTML.word(
            "moderation.deadline", ["state": "\(Self.state(found))", "when": Wording.time(found.deadline)])
    }

    /// What it is about, or that it is gone.
    private var subject: HTML {
        let (who, sound) = (["who": desk.moderated(found.account)], "/moderation/cases/\(found.id)/sound")
        switch found.subject {
        case .post:
            return found.post.map { Self.post($0, desk, sound: sound) }
                ?? "<p>\(HTML.word("moderation.post-gone", who))</p>"
        case .account: return "<p>\(HTML.word("moderation.account", who))</p>"
        case .item:
            guard let item = found.item else { return "<p>\(HTML.word("moderation.item-gone", who))</p>" }
            return ItemView(item: item, author: found.account, claimants: claimants, sound: sound, desk: desk).html
        case .comment:
            return found.comment.map { Self.comment($0, desk, sound: sound) }
                ?? "<p>\(HTML.word("moderation.comment-gone", who))</p>"
        }
    }

    /// Who says that an item is theirs.
    private var claimants: [PostAuthor] { found.isClaim ? found.reports.compactMap(\.reporter) : [] }

    static func said(_ title: String, _ words: String) -> HTML {
        words.isEmpty ? .nothing : "<h2>\(title)</h2><p dir=\"auto\">\(words)</p>"
    }

    static func subject(_ found: ModerationCase) -> HTML {
        let who: [String: HTML] = ["who": "<bdi>@\(found.account.handle)</bdi>"]
        return switch found.subject {
        case .post: HTML.word("moderation.subject.post", who)
        case .account: HTML.word("moderation.subject.account", who)
        case .item where found.isClaim: HTML.word("moderation.subject.claim", who.merging(title(of: found)) { $1 })
        case .item: HTML.word("moderation.subject.item", who.merging(title(of: found)) { $1 })
        case .comment: HTML.word("moderation.subject.comment", who)
        }
    }

    private static func title(of found: ModerationCase) -> [String: HTML] {
        let title = found.item.map { PlainText($0.title, limit: 100).value } ?? word("notice.some-item")
        return ["what": "<q dir=\"auto\">\(title)</q>"]
    }

    /// How far it is.
    static func state(_ found: ModerationCase) -> String {
        switch found.state {
        case .open where found.hides: word("moderation.state.hidden")
        case .open where found.hasReturned: word("moderation.state.returned")
        case .open: word("moderation.state.open")
        case .appealed: word("moderation.state.appealed")
        case .decided: word("moderation.state.decided")
        case .closed: word("moderation.state.closed")
        }
    }

    private static func visibility(_ visibility: HubPost.Visibility) -> String {
        switch visibility {
        case .published: word("moderation.visibility.public")
        case .unlisted: word("moderation.visibility.unlisted")
        case .followers: word("moderation.visibility.followers")
        case .direct: word("moderation.visibility.direct")
        }
    }

    /// A post, whoever may see it elsewhere.
    ///
    /// - Parameter path: where a moderator hears it.
    static func post(_ post: HubPost, _ desk: ModerationDesk, sound path: String) -> HTML {
        let sound: HTML =
            post.clip == nil
            ? .nothing
            : "<p><audio controls preload=\"none\" src=\"\(desk.prefix)\(path)\"></audio></p>"
        return """
            <p>\(desk.moderated(post.author)), \(Wording.time(post.created)), \(visibility(post.visibility))</p>
            <blockquote dir="auto">\(post.text)</blockquote>\(sound)
            """
    }

    /// A comment on what a board lists, whoever may see it elsewhere.
    ///
    /// - Parameter path: where a moderator hears it; nil: not here.
    static func comment(_ comment: CommentSummary, _ desk: ModerationDesk, sound path: String?) -> HTML {
        var sound = HTML.nothing
        if comment.clip != nil, let path {
            sound = "<p><audio controls preload=\"none\" src=\"\(desk.prefix)\(path)\"></audio></p>"
        }
        return """
            <p>\(desk.name(comment.author)), \(Wording.time(comment.created)), \
            <a href="\(desk.prefix)\(comment.path)" dir="auto">\(comment.title)</a>\
            \(comment.isHidden ? ", \(word("moderation.item.hidden"))" : .nothing)</p>
            <blockquote dir="auto">\(comment.text)</blockquote>\(sound)
            """
    }

    /// - Parameter by: whether it says who has decided.
    static func decision(_ decision: Decision, _ desk: ModerationDesk, by: Bool = true) -> HTML {
        let until = ModerationDesk.until(decision.until)
        let who: HTML = by ? " \(HTML.word("moderation.by", ["who": desk.moderated(decision.moderator)]))" : .nothing
        let whom: HTML =
            by && decision.account != nil
            ? ", \(HTML.word("moderation.about", ["who": desk.moderated(decision.account)]))" : .nothing
        let way: HTML =
            by
            ? decision.caseID.map {
                ", <a href=\"\(desk.prefix)/moderation/cases/\($0)\">\(word("moderation.case"))</a>"
            } ?? .nothing
            : .nothing
        return """
            <li><p><strong>\(decision.words)</strong>\(until)\(who)\(whom), \(Wording.time(decision.at))\(way)</p>
            <p dir="auto">\(decision.reason)</p></li>
            """
    }

    /// What it is about can be taken from sight.
    private var isThere: Bool { found.post != nil || found.item != nil || found.comment != nil }

    private var hideToo: String {
        switch found.subject {
        case .item: word("moderation.hide-item-too")
        case .comment: word("moderation.hide-comment-too")
        case .post, .account: word("moderation.hide-too")
        }
    }

    /// What is somebody's and in dispute stays in sight unless somebody says otherwise.
    private func hidesToo(_ typed: Form?) -> Bool {
        guard found.item != nil, let typed else { return !found.isClaim }
        return typed["hide"] == "yes"
    }

    private func form(_ token: String, _ typed: Form?) -> HTML {
        let steps = Verdict.Step.allCases.filter { step in
            switch step {
            case .uphold: found.state == .appealed
            case .hide: isThere
            case .restore, .freeze: found.item != nil
            default: true
            }
        }
        let hides: HTML =
            !isThere
            ? .nothing
            : """
            <p class="choice"><label><input type="checkbox" name="hide" value="yes"\(hidesToo(typed) ? " checked" : "")> \
            \(hideToo)</label></p>
            """
        let why = PlainText(typed?["why"] ?? "", limit: Verdict.longestText).value
        let days = PlainText(typed?["days"] ?? "", limit: 10).value
        return """
            <h2>\(word("moderation.decide"))</h2>
            \(desk.form("/moderation/cases/\(found.id)", token: token, """
                <input type="hidden" name="state" value="\(found.state.rawValue)">
                \(desk.choice("what", word("moderation.what"), steps.map { ($0.rawValue, $0.words) },
                    chosen: typed?["what"] ?? "show"))
                <p class="field"><label for="days">\(word("moderation.days"))</label>
                <input id="days" name="days" inputmode="numeric" autocomplete="off" value="\(days)"></p>
                \(hides)
                \(desk.words("why", word("moderation.why"), why))
                <p><button class="main">\(word("moderation.decide"))</button></p>
                """))
            """
    }
}
