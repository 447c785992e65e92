internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Reporting a post, an account, what a board lists or a comment on that: a form, the call of Mastodon's client API, and one of the hub's own.
struct ReportRoutes {
    let desk: ModerationDesk

    var routes: [WebRoute] {
        [
            .get("/report/posts/:id", .active) { request, context in
                let (subject, what) = try await post(context)
                return page(subject, what, request, context)
            },
            .post("/report/posts/:id", .active) { request, context, form in
                let (subject, what) = try await post(context)
                return try await report(subject, what, request, context, form)
            },
            .get("/report/people/:handle", .active) { request, context in
                let (subject, what) = try await person(context)
                return page(subject, what, request, context)
            },
            .post("/report/people/:handle", .active) { request, context, form in
                let (subject, what) = try await person(context)
                return try await report(subject, what, request, context, form)
            },
            .get("/report/items/:id", .active) { request, context in
                let (subject, what) = try await item(context)
                let typed = Typed(
                    reason: ReportReason(rawValue: request.query("reason"))?.rawValue ?? "",
                    picture: HubID(request.query("picture")))
                return page(subject, what, request, context, typed)
            },
            .post("/report/items/:id", .active) { request, context, form in
                let (subject, what) = try await item(context)
                return try await report(subject, what, request, context, form)
            },
            .get("/report/comments/:id", .active) { request, context in
                let (subject, what) = try await comment(context)
                return page(subject, what, request, context)
            },
            .post("/report/comments/:id", .active) { request, context, form in
                let (subject, what) = try await comment(context)
                return try await report(subject, what, request, context, form)
            },
            .api(
                .post, "/api/hub/v1/comments/:id/reports", .active, scope: "write:reports", body: .upTo(64 << 10),
                summary: "Reports a comment on what a board lists: reason, text"
            ) { request, context in try await report(.comment(try Self.id(context)), request, context) },
            .api(
                .post, "/api/hub/v1/items/:id/reports", .active, scope: "write:reports", body: .upTo(64 << 10),
                summary: "Reports what a board lists, or says that it is one's own: reason, text, picture"
            ) { request, context in try await report(.item(try Self.id(context)), request, context) },
            .api(
                .post, "/api/v1/reports", .active, scope: "write:reports", body: .upTo(64 << 10),
                summary: "Reports an account, or one of its posts"
            ) { try await reportByClient($0, $1) },
        ]
    }

    /// What was chosen and typed.
    private struct Typed {
        var reason = ""
        var text = ""
        var picture: HubID?
    }

    /// The post that a path names, if whoever asks sees it.
    private func post(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        guard let place = context.parameters.get("id")?.safeInteger,
            let post = try await desk.library.seen(by: context.viewer).post(place)
        else { throw HTTPError(.notFound) }
        let text = PlainText(post.text, limit: 200).value
        return (
            .post(post.sequence),
            HTML.word("report.post", ["who": desk.name(post.author), "text": "<q dir=\"auto\">\(text)</q>"])
        )
    }

    private func person(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        // Who has blocked somebody can be reported by them: seen is the page that visitors see.
        guard let handle = context.parameters.get("handle"),
            let person = try await desk.library.seen(by: .visitor).person(named: handle)
        else { throw HTTPError(.notFound) }
        return (.account(person.id), HTML.word("report.account", ["who": desk.name(person)]))
    }

    /// What a board lists, if whoever asks may report it.
    private func item(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        let id = try Self.id(context)
        guard let item = try await desk.library.itemToReport(id, by: context.account) else {
            throw HTTPError(.notFound)
        }
        let title = PlainText(item.title, limit: 200).value
        return (
            .item(id),
            HTML.word("report.item", ["what": "<a href=\"\(desk.prefix)\(item.path)\" dir=\"auto\">\(title)</a>"])
        )
    }

    /// What somebody has said about such a thing, if whoever asks may report it.
    private func comment(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        let id = try Self.id(context)
        guard let comment = try await desk.library.commentToReport(id, by: context.account) else {
            throw HTTPError(.notFound)
        }
        let text = PlainText(comment.text, limit: 200).value
        return (
            .comment(id),
            HTML.word("report.comment", ["who": desk.name(comment.author), "text": "<q dir=\"auto\">\(text)</q>"])
        )
    }

    private static func id(_ context: WebContext) throws -> HubID {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw HTTPError(.notFound) }
        return id
    }

    private func report(
        _ subject: CaseSubject, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let (account, fields) = (try context.account, try await request.fields())
        let receipt = try await asProblem { () async throws(CaseError) in
            guard let reason = ReportReason(rawValue: fields["reason"] ?? "") else {
                throw .refused(field: "reason", .noReason)
            }
            return try await desk.library.report(
                subject, by: account, for: reason, text: fields["text"] ?? "",
                picture: try Self.picture(fields["picture"] ?? ""), rules: desk.desk.entrance.reports)
        }
        return .told { json in
            json.object { json in
                json.field("id", receipt.caseID)
                json.field("hides", receipt.hides)
                json.field("freezes", receipt.freezes)
            }
        }
    }

    /// The id of a picture that was sent before; empty for none.
    private static func picture(_ typed: String) throws(CaseError) -> HubID? {
        if typed.isEmpty { return nil }
        guard let id = HubID(typed) else { throw .refused(field: "picture", .noPicture) }
        return id
    }

    private func page(
        _ subject: CaseSubject, _ what: HTML, _ request: Request, _ context: WebContext,
        _ typed: Typed = Typed(), problem: CaseError? = nil
    ) -> Response {
        let path = String(request.uri.path)
        let choices = ReportReason.choices(about: subject)
        var (more, picture): (HTML, HTML) = (.nothing, .nothing)
        if case .item(let id) = subject {
            more = "<p>\(word("report.item-lead"))</p>"
            picture = ReportPictureRoutes(desk: desk).field(id, typed.picture)
        }
        return desk.show(word("report.title"), request, problem: problem) { token in
            """
            <p>\(what)</p>
            <p>\(word("report.lead"))</p>\(more)
            \(desk.form(path, token: token, """
                \(desk.choice("reason", word("report.reason"), choices.map { ($0.rawValue, $0.words) },
                    chosen: typed.reason))
                \(picture)\(desk.words(
                    "text", word("report.text"), typed.text, isRequired: typed.picture == nil))
                <p><button class="main">\(word("report.send"))</button></p>
                """))
            """
        }
    }

    private func report(
        _ subject: CaseSubject, _ what: HTML, _ request: Request, _ context: WebContext, _ form: Form
    ) async throws -> Response {
        let account = try context.account
        do throws(CaseError) {
            guard let reason = ReportReason(rawValue: form["reason"]) else {
                throw .refused(field: "reason", .noReason)
            }
            let picture = try Self.picture(form["picture"])
            guard picture != nil || !PlainText(form["text"]).isEmpty else {
                throw .refused(field: "text", reason == .ownership ? .ownershipWithoutProof : .reportWithoutWords)
            }
            try await desk.library.report(
                subject, by: account, for: reason, text: form["text"], picture: picture,
                rules: desk.desk.entrance.reports)
            return desk.desk.say(
                word("report.thanks"),
                """
                <p>\(word("report.sent"))</p><p><a href="\(desk.prefix)/">\(word("report.go-on"))</a></p>
                """)
        } catch {
            let text = PlainText(form["text"], limit: Verdict.longestText).value
            let typed = Typed(reason: form["reason"], text: text, picture: HubID(form["picture"]))
            return page(subject, what, request, context, typed, problem: error)
        }
    }

    /// `POST /api/v1/reports` (docs.joinmastodon.org/methods/reports). Of several posts the first is what the case is about, and the
    /// report names the others.
    private func reportByClient(_ request: Request, _ context: WebContext) async throws -> Response {
        let reader = desk.library.seen(by: context.viewer)
        let fields = try await request.fields()
        guard let id = fields["account_id"], !id.isEmpty,
            let person = try await reader.people(.these([AccountID(rawValue: id)]), limit: 1).first
        else { throw Problem.recordNotFound }
        let category = fields["category"].flatMap { $0.isEmpty ? nil : $0 } ?? "other"
        guard let reason = ReportReason(rawValue: category) else {
            throw Problem.refused("Category is not included in the list", field: "category")
        }
        let comment = fields["comment"] ?? ""
        var places: [Int64] = []
        for text in fields.list("status_ids").prefix(20) {
            guard let place = text.safeInteger, let post = try await reader.post(place),
                post.author.id == person.author.id
            else { throw Problem.recordNotFound }
            if !places.contains(place) { places.append(place) }
        }
        let others = places.dropFirst().map { "\($0)" }.joined(separator: ", ")
        let words = others.isEmpty ? comment : "\(comment) (also posts \(others))"
        let subject = places.first.map { CaseSubject.post($0) } ?? .account(person.author.id)
        let account = try context.account
        let receipt = try await asProblem { () async throws(CaseError) in
            try await desk.library.report(
                subject, by: account, for: reason, text: words, rules: desk.desk.entrance.reports)
        }
        return .told { json in
            json.object { json in
                json.field("id", receipt.caseID)
                json.field("action_taken", false)
                json.field("action_taken_at", Date?.none)
                json.field("category", category)
                json.field("comment", PlainText(comment, limit: Verdict.longestText).value)
                json.field("forwarded", false)
                json.field("created_at", desk.library.now())
                json.field("status_ids") { $0.array(places) { $0.value("\($1)") } }
                json.none("rule_ids")
                json.field("target_account") { AccountDocument(person: person, links: desk.links).write(&$0) }
            }
        }
    }
}
