internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What was reported and decided about oneself, and the two things that one can say to it. Suspended people may.
struct StandingRoutes {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        let base = "/api/hub/v1/moderation"
        return [
            .get("/settings/standing", .signedIn) { try await show($0, $1) },
            .post("/settings/standing/:id/answer", .signedIn) { request, context, form in
                try await say(request, context, form, isAppeal: false)
            },
            .post("/settings/standing/:id/appeal", .signedIn) { request, context, form in
                try await say(request, context, form, isAppeal: true)
            },
            .api(
                .get, "\(base)/standing", .signedIn, scope: "read:moderation",
                summary: "Lists the cases about what is one's own"
            ) { _, context in
                let account = try context.account
                let cases = try await asProblem { () async throws(CaseError) in
                    try await desk.library.standing(of: account)
                }
                return .told { $0.array(cases) { CaseDocument(case: $1, links: desk.links).write(&$0) } }
            },
            .api(
                .post, "\(base)/cases/:id/appeal", .signedIn, scope: "write:moderation", body: .upTo(64 << 10),
                summary: "Asks for a decision to be looked at again, once: text"
            ) { request, context in
                let (id, account) = (try id(context), try context.account)
                let text = try await request.fields()["text"] ?? ""
                try await asProblem { () async throws(CaseError) in
                    try await desk.library.appeal(id, by: account, text: text)
                }
                return .told { $0.object { $0.field("id", id) } }
            },
            .api(
                .post, "\(base)/cases/:id/answer", .signedIn, scope: "write:moderation", body: .upTo(64 << 10),
                summary: "Says something about a report of what is one's own, once: text"
            ) { request, context in
                let (id, account) = (try id(context), try context.account)
                let text = try await request.fields()["text"] ?? ""
                try await asProblem { () async throws(CaseError) in
                    try await desk.library.answer(id, by: account, text: text)
                }
                return .told { $0.object { $0.field("id", id) } }
            },
        ]
    }

    private func id(_ context: WebContext) throws -> String {
        guard let id = context.parameters.get("id"), HubID(id) != nil else { throw HTTPError(.notFound) }
        return id
    }

    private func say(
        _ request: Request, _ context: WebContext, _ form: Form, isAppeal: Bool
    ) async throws -> Response {
        let (id, account) = (try id(context), try context.account)
        do throws(CaseError) {
            if isAppeal {
                try await desk.library.appeal(id, by: account, text: form["text"])
            } else {
                try await desk.library.answer(id, by: account, text: form["text"])
            }
            return desk.desk.goOn(to: "/settings/standing")
        } catch {
            guard error != .notFound else { throw HTTPError(.notFound) }
            let text = PlainText(form["text"], limit: Verdict.longestText).value
            return try await show(request, context, typed: (id, text), problem: error)
        }
    }

    private func show(
        _ request: Request, _ context: WebContext, typed: (id: String, text: String) = ("", ""),
        problem: CaseError? = nil
    ) async throws -> Response {
        let account = try context.account
        do throws(CaseError) {
            let cases = try await desk.library.standing(of: account)
            return desk.show(word("standing.title"), request, problem: problem) { token in
                guard !cases.isEmpty else { return "<p>\(word("standing.nothing"))</p>" }
                let items = cases.map { found in
                    item(
                        found, token, text: found.id == typed.id ? typed.text : "",
                        isOwn: found.account.id == account)
                }
                return "<ul class=\"cases\">\(HTML(joining: items))</ul>"
            }
        } catch {
            return desk.failed(error, request, back: "/settings")
        }
    }

    private func item(_ found: ModerationCase, _ token: String, text: String, isOwn: Bool) -> HTML {
        let reasons = found.reasonWords
        let decisions = found.decisions.map { CasePage.decision($0, desk, by: false) }
        let what: HTML
        switch found.subject {
        case .account: what = "<p>\(word("standing.account"))</p>"
        case .post:
            what =
                found.post.map { "<blockquote dir=\"auto\">\($0.text)</blockquote>" }
                ?? "<p>\(word("standing.post-gone"))</p>"
        case .item: what = item(found, isOwn: isOwn)
        case .comment:
            what =
                found.comment.map {
                    """
                    <p><a href="\(desk.prefix)\($0.path)" dir="auto">\($0.title)</a></p>
                    <blockquote dir="auto">\($0.text)</blockquote>
                    """
                } ?? "<p>\(word("standing.comment-gone"))</p>"
        }
        var form: HTML = .nothing
        if !isOwn {
            // What a case between two says is for the other one to answer.
        } else if found.canBeAppealed {
            form = self.form(
                found.id, "appeal", word("standing.why-wrong"), word("standing.appeal"), text, token)
        } else if found.state == .open, found.answer.isEmpty, !found.reports.isEmpty {
            form = self.form(
                found.id, "answer", word("standing.what-you-say"), word("standing.answer"), text, token)
            if case .item = found.subject { form = "\(press(found.id, token))\(form)" }
        }
        return """
            <li id="case-\(found.id)">\(what)<p class="byline">\(CasePage.state(found))\(reasons.isEmpty ? "" : ": \(reasons)")</p>
            \(decisions.isEmpty ? .nothing : "<ul>\(HTML(joining: decisions))</ul>")
            \(CasePage.said(word("standing.your-answer"), found.answer))\(CasePage.said(word("standing.your-appeal"), found.appeal))\(form)</li>
            """
    }

    /// What a board lists: the account's own, or what it says is its own.
    private func item(_ found: ModerationCase, isOwn: Bool) -> HTML {
        let title: HTML =
            found.item.map { "<a href=\"\(desk.prefix)\($0.path)\" dir=\"auto\">\($0.title)</a>" }
            ?? "\(word("standing.item-gone"))"
        let words: String? =
            switch (found.isClaim, isOwn) {
            case (true, true): found.item?.isFrozen == true ? word("standing.frozen") : word("standing.disputed")
            case (true, false): word("standing.claimed")
            case (false, _): nil
            }
        return "<p>\(title)</p>\(words.map { "<p>\($0)</p>" } ?? .nothing)"
    }

    /// To answer with one press.
    private func press(_ id: String, _ token: String) -> HTML {
        desk.form(
            "/settings/standing/\(id)/answer", token: token,
            """
            <input type="hidden" name="text" value="\(word("standing.right"))">\
            <p><button>\(word("standing.right"))</button></p>
            """)
    }

    private func form(
        _ id: String, _ act: String, _ label: String, _ button: String, _ text: String, _ token: String
    ) -> HTML {
        desk.form(
            "/settings/standing/\(id)/\(act)", token: token,
            """
            <p class="field"><label for="\(act)-\(id)">\(label)</label>
            <textarea id="\(act)-\(id)" name="text" rows="4" maxlength="\(Verdict.longestText)" dir="auto" \
            required>\(text)</textarea></p>
            <p><button class="main">\(button)</button></p>
            """)
    }
}
