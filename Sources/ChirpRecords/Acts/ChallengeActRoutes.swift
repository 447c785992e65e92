internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What is done with a challenge: an act is a noun with one handler and two answers, a page and a document.
struct ChallengeActRoutes {
    let desk: RecordDesk

    private func path(_ act: String) -> String { "\(RecordDesk.path)/:id/\(act)" }
    private func api(_ act: String) -> String { "\(RecordDesk.api)/:id/\(act)" }

    var routes: [WebRoute] {
        [
            .get(path("withdrawal"), .active) { request, context in
                try await desk.answering(request, context) {
                    page(.withdraw(try await own(context), reason: ""), request, context)
                }
            },
            .post(path("withdrawal"), .active) { request, context, form in
                try await desk.answering(request, context) {
                    let challenge = try await own(context)
                    do {
                        try await withdraw(
                            challenge, form["reason"], isSure: !form["sure"].isEmpty, try context.account)
                    } catch let refusal as ChallengeRefusal where !refusal.faults.isEmpty {
                        return page(
                            .withdraw(challenge, reason: form["reason"]), request, context, faults: refusal.faults)
                    }
                    return desk.goOn(to: "\(RecordDesk.path)/mine")
                }
            },
            .get(path("closure"), .active) { request, context in
                try await desk.answering(request, context) {
                    page(.close(try await desk.manageable(context)), request, context)
                }
            },
            .post(path("closure"), .active) { request, context, _ in
                try await desk.answering(request, context) {
                    let challenge = try await desk.manageable(context)
                    try await desk.challenges.close(challenge.id, by: try context.account)
                    return desk.goOn(to: challenge.path)
                }
            },
            mark("save", .save), mark("watch", .watch),
        ] + programs
    }

    private var programs: [WebRoute] {
        [
            .api(
                .post, api("withdrawal"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Takes a challenge back that nobody else has tried: it is gone for everybody else",
                takes: [.text("reason"), .flag("sure", isRequired: true)]
            ) { request, context in
                try await desk.answering(request, context) {
                    let fields = try await request.fields()
                    let challenge = try await own(context)
                    try await withdraw(
                        challenge, fields["reason"] ?? "", isSure: fields.bool("sure") == true, try context.account)
                    return try await desk.document(of: context)
                }
            },
            .api(
                .post, api("closure"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Ends a challenge: it takes no more attempts, and stays readable"
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.manageable(context)
                    try await desk.challenges.close(challenge.id, by: try context.account)
                    return try await desk.document(of: context)
                }
            },
        ] + markByPrograms("save", .save, "Saves a challenge", "Saves a challenge no longer")
            + markByPrograms(
                "watch", .watch, "Watches a challenge: broken records and beginning events are told",
                "Watches a challenge no longer")
    }

    // MARK: the acts themselves

    private func own(_ context: WebContext) async throws -> Challenge {
        let challenge = try await desk.challenge(context)
        guard challenge.item.author.id == (try context.account) else { throw Problem.noChallenge }
        return challenge
    }

    private func withdraw(_ challenge: Challenge, _ reason: String, isSure: Bool, _ account: AccountID) async throws {
        guard isSure else { throw ChallengeRefusal.fields([.sure: .missing]) }
        try await desk.challenges.withdraw(challenge.id, reason: reason, by: account)
    }

    private func mark(_ noun: String, _ mark: ItemMark) -> WebRoute {
        .post(path(noun), .signedIn) { request, context, form in
            try await desk.answering(request, context) {
                let challenge = try await desk.challenge(context)
                try await desk.desk.mark(
                    challenge.id, mark, isOn: !form["on"].isEmpty, by: try context.account)
                return desk.goOn(to: challenge.path)
            }
        }
    }

    private func markByPrograms(_ noun: String, _ mark: ItemMark, _ on: String, _ off: String) -> [WebRoute] {
        [(HTTPRequest.Method.put, on), (.delete, off)].map { method, summary in
            .api(method, api(noun), .active, scope: "write:bookmarks", summary: summary) { request, context in
                try await desk.answering(request, context) {
                    let sight = context.reading("read:statuses")
                    let challenge = try await desk.challenge(sight)
                    try await desk.desk.mark(
                        challenge.id, mark, isOn: method == .put, by: try context.account)
                    return try await desk.document(of: sight)
                }
            }
        }
    }

    private func page(
        _ question: ChallengeQuestion, _ request: Request, _ context: WebContext,
        faults: [ChallengeField: ChallengeFault] = [:]
    ) -> Response {
        desk.show(request, context, status: faults.isEmpty ? .ok : .unprocessableContent) { token in
            ChallengeQuestionPage(question: question, faults: faults, token: token ?? "", links: desk.links).html
        }
    }
}
