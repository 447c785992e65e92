internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// The page of an attempt, what its author does with it, and the same for programs.
struct AttemptRoutes {
    let desk: RecordDesk

    private static let path = "\(RecordDesk.path)/attempts/:attempt"
    private static let api = "\(RecordDesk.api)/attempts/:attempt"

    var routes: [WebRoute] {
        [
            .get(Self.path) { request, context in
                try await desk.answering(request, context) { try await page(request, context) }
            },
            .api(
                .get, Self.api, .everybody, scope: "read:statuses",
                summary: "An attempt at a challenge, with what was found and decided"
            ) {
                request, context in
                try await desk.answering(request, context) { try await document(try Self.id(context), context) }
            },
        ] + acts
    }

    /// What is done by a form and by a program alike.
    private var acts: [WebRoute] {
        act(
            "withdrawal", .signedIn, "Takes one's own attempt back; a record by it was never held", []
        ) { id, _, account in
            try await desk.attempts.withdraw(id, by: account)
        }
            + act(
                "appeal", .signedIn, "Asks somebody else to look at one's own rejected attempt again, once",
                [.text("reason", "why it should count")]
            ) { id, sent, account in
                try await desk.attempts.appeal(id, text: sent("reason"), by: account)
            }
            + act(
                "answer", .active, "Answers a question about one's own attempt",
                [.number("question", isRequired: true, "its number"), .text("reason", "the answer")]
            ) { id, sent, account in
                guard let question = sent("question").safeInteger else { throw AttemptRefusal.notFound }
                try await desk.attempts.answer(question, of: id, sent("reason"), by: account)
            }
    }

    /// An act has one handler and two answers: the page again, and a document.
    func act(
        _ noun: String, _ access: Access, scope: TokenRule = ["read:statuses", "write:statuses"], _ summary: String,
        _ takes: [WebField],
        _ body: @escaping @Sendable (HubID, (String) -> String, AccountID) async throws -> Void
    ) -> [WebRoute] {
        [
            .post("\(Self.path)/\(noun)", access) { request, context, form in
                try await desk.answering(request, context) {
                    do {
                        let id = try await run(context, { form[$0] }, body)
                        return desk.goOn(to: Attempt.path(id))
                    } catch let problem as AttemptProblem where problem.status == .unprocessableContent {
                        return try await page(request, context, problem, of: noun, typed: form["reason"])
                    }
                }
            },
            .api(
                .post, "\(Self.api)/\(noun)", access, scope: scope, body: .upTo(Form.mostBytes),
                summary: summary, takes: takes
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await request.fields()
                    return try await document(try await run(context, { sent[$0] ?? "" }, body), context)
                }
            },
        ]
    }

    private func run(
        _ context: WebContext, _ sent: @escaping (String) -> String,
        _ body: (HubID, (String) -> String, AccountID) async throws -> Void
    ) async throws -> HubID {
        let id = try Self.id(context)
        // What is not seen is not there, whatever is wrong with it.
        guard try await desk.attempts.attempt(id, for: context.viewer) != nil else {
            throw AttemptProblem(refusal: .notFound)
        }
        do { try await body(id, sent, context.account) } catch let refusal as AttemptRefusal {
            throw AttemptProblem(refusal: refusal)
        }
        return id
    }

    private static func id(_ context: WebContext) throws -> HubID {
        guard let id = context.parameters.get("attempt").flatMap({ HubID($0) }) else {
            throw AttemptProblem(refusal: .notFound)
        }
        return id
    }

    /// - Parameters:
    ///   - problem: why an act was refused.
    ///   - act: which.
    ///   - typed: what was typed for it.
    private func page(
        _ request: Request, _ context: WebContext, _ problem: AttemptProblem? = nil, of act: String = "",
        typed: String = ""
    ) async throws -> Response {
        let sight = try await desk.sight(of: try Self.id(context), for: context.viewer)
        let media = try await desk.media(of: sight, for: context.viewer)
        let now = desk.now
        return desk.show(request, context, status: problem?.status ?? .ok) { token in
            AttemptPage(
                sight: sight, media: media, now: now, problem: problem, act: act, typed: typed, token: token,
                links: desk.links
            ).html
        }
    }

    func document(
        _ id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let sight = try await desk.sight(of: id, for: context.viewer)
        var json = JSONText()
        json.object { AttemptDocument(sight: sight, links: desk.links).write(&$0) }
        return desk.answer(.json(json, status: status), context)
    }
}
