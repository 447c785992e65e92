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
            <li><p>\(desk.name(report.reporter)), \(Wording.time(report.at)): \(report.reason.words)</p>
            <p dir="auto">\(report.text)</p></li>
            """
        }
        let decisions = found.decisions.map { Self.decision($0, desk) }
        return """
            <h2>\(Self.subject(found))</h2>
            <p>\(Self.state(found)). Look at it before \(Wording.time(found.deadline)).</p>
            \(found.post.map { Self.post($0, desk, sound: "/moderation/cases/\(found.id)/sound") } ?? subjectAccount)
            \(reports.isEmpty ? .nothing : "<h2>Reports</h2><ul class=\"cases\">\(HTML(joining: reports))</ul>")
            \(Self.said("The author answers", found.answer))\(Self.said("The appeal", found.appeal))
            \(decisions.isEmpty ? .nothing : "<h2>Decisions</h2><ul class=\"cases\">\(HTML(joining: decisions))</ul>")
            \(found.state.waits ? form(token, typed) : .nothing)
            """
    }

    private var subjectAccount: HTML {
        if case .post = found.subject { return "<p>The post of \(desk.name(found.account)) is gone.</p>" }
        return "<p>The account \(desk.name(found.account)).</p>"
    }

    static func said(_ title: String, _ words: String) -> HTML {
        words.isEmpty ? .nothing : "<h2>\(title)</h2><p dir=\"auto\">\(words)</p>"
    }

    static func subject(_ found: ModerationCase) -> HTML {
        switch found.subject {
        case .post: "A post of <bdi>@\(found.account.handle)</bdi>"
        case .account: "The account <bdi>@\(found.account.handle)</bdi>"
        }
    }

    static func state(_ found: ModerationCase) -> String {
        switch found.state {
        case .open where found.hides: "Waits; hidden until then"
        case .open where found.hasReturned: "Waits; shown again, not yet checked"
        case .open: "Waits"
        case .appealed: "An appeal waits"
        case .decided: "Decided"
        case .closed: "Closed"
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
            <p>\(desk.name(post.author)), \(Wording.time(post.created)), \(post.visibility.rawValue)</p>
            <blockquote dir="auto">\(post.text)</blockquote>\(sound)
            """
    }

    /// - Parameter by: whether it says who has decided.
    static func decision(_ decision: Decision, _ desk: ModerationDesk, by: Bool = true) -> HTML {
        let until: HTML = decision.until.map { " until \(Wording.time($0))" } ?? .nothing
        let who: HTML = by ? " by \(desk.name(decision.moderator))" : .nothing
        let whom: HTML = by && decision.account != nil ? ", about \(desk.name(decision.account))" : .nothing
        let way: HTML =
            by
            ? decision.caseID.map { ", <a href=\"\(desk.prefix)/moderation/cases/\($0)\">case</a>" } ?? .nothing
            : .nothing
        return """
            <li><p><strong>\(decision.words)</strong>\(until)\(who)\(whom), \(Wording.time(decision.at))\(way)</p>
            <p dir="auto">\(decision.why)</p></li>
            """
    }

    private func form(_ token: String, _ typed: Form?) -> HTML {
        let steps = Verdict.Step.allCases.filter { step in
            switch step {
            case .uphold: found.state == .appealed
            case .hide: found.post != nil
            default: true
            }
        }
        let hides: HTML =
            found.post == nil
            ? .nothing
            : """
            <p><label><input type="checkbox" name="hide" value="yes" checked> Hide the post, too</label></p>
            """
        let why = PlainText(typed?["why"] ?? "", limit: Verdict.longestText).value
        let days = PlainText(typed?["days"] ?? "", limit: 10).value
        return """
            <h2>Decide</h2>
            \(desk.form("/moderation/cases/\(found.id)", token: token, """
                <input type="hidden" name="state" value="\(found.state.rawValue)">
                \(desk.choice("what", "What is decided", steps.map { ($0.rawValue, $0.words) },
                    chosen: typed?["what"] ?? "show"))
                <p class="field"><label for="days">Days, of a suspension (1 to 30)</label>
                <input id="days" name="days" inputmode="numeric" autocomplete="off" value="\(days)"></p>
                \(hides)
                \(desk.words("why", "Reason, which the person reads", why))
                <p><button class="main">Decide</button></p>
                """))
            """
    }
}
