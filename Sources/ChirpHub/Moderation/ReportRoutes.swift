internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Reporting a post or an account: a form, and the call of Mastodon's client API.
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
            .api(
                .post, "/api/v1/reports", .active, scope: "write:reports", body: .upTo(64 << 10),
                summary: "Reports an account, or one of its posts"
            ) { try await reportByClient($0, $1) },
        ]
    }

    /// The post that a path names, if whoever asks sees it.
    private func post(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        guard let place = context.parameters.get("id").flatMap({ Int64($0) }),
            let post = try await desk.library.seen(by: context.viewer).post(place)
        else { throw HTTPError(.notFound) }
        let text = PlainText(post.text, limit: 200).value
        return (
            .post(post.sequence),
            HTML.word("report.post", ["who": desk.name(post.author), "text": "<q dir=\"auto\">\(text)</q>"])
        )
    }

    private func person(_ context: WebContext) async throws -> (CaseSubject, HTML) {
        guard let handle = context.parameters.get("handle"),
            let person = try await desk.library.seen(by: context.viewer).person(named: handle)
        else { throw HTTPError(.notFound) }
        return (.account(person.id), HTML.word("report.account", ["who": desk.name(person)]))
    }

    private func page(
        _ subject: CaseSubject, _ what: HTML, _ request: Request, _ context: WebContext,
        _ typed: (reason: String, text: String) = ("", ""), problem: CaseError? = nil
    ) -> Response {
        let path = String(request.uri.path)
        return desk.show(word("report.title"), request, problem: problem) { token in
            """
            <p>\(what)</p>
            <p>\(word("report.lead"))</p>
            \(desk.form(path, token: token, """
                \(desk.choice("reason", word("report.reason"), ReportReason.allCases.map { ($0.rawValue, $0.words) },
                    chosen: typed.reason))
                \(desk.words("text", word("report.text"), typed.text))
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
            guard !PlainText(form["text"]).isEmpty else {
                throw .refused(field: "text", .reportWithoutWords)
            }
            try await desk.library.report(
                subject, by: account, for: reason, text: form["text"], rules: desk.desk.entrance.reports)
            return desk.desk.say(
                word("report.thanks"),
                """
                <p>\(word("report.sent"))</p><p><a href="\(desk.prefix)/">\(word("report.go-on"))</a></p>
                """)
        } catch {
            let text = PlainText(form["text"], limit: Verdict.longestText).value
            return page(subject, what, request, context, (form["reason"], text), problem: error)
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
            guard let place = Int64(text), let post = try await reader.post(place), post.author.id == person.author.id
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
