internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What waits for those who verify, and what they decide: who has to do with an attempt is refused at each of these (OU-20).
struct VerdictRoutes {
    let desk: RecordDesk

    private static let queue = "\(RecordDesk.path)/queue"
    private static let api = "\(RecordDesk.api)/queue"
    /// What a token needs to decide about others' attempts: moderators do so too.
    private static let judging: TokenRule = ["read:statuses", "write:moderation"]
    /// Of a page; the next ones come when these are decided.
    private static let most = 20

    var routes: [WebRoute] { list + decisions }

    private var list: [WebRoute] {
        [
            .get(Self.queue, .signedIn) { request, context in
                try await desk.answering(request, context) {
                    let waiting = try await waiting(context)
                    let times = try await desk.attempts.decisionTimes()
                    return desk.show(request, context) { token in
                        QueuePage(waiting: waiting, times: times, now: desk.now, token: token, links: desk.links).html
                    }
                }
            },
            .api(
                .get, Self.api, .signedIn, scope: "read:moderation",
                summary: "Attempts that wait for one's verdict, the oldest first"
            ) { request, context in
                try await desk.answering(request, context) {
                    let waiting = try await waiting(context)
                    return .json { json in
                        json.field("attempts") { json in
                            json.array(waiting) { json, one in
                                json.object { json in
                                    json.field("id", one.attempt.id.text)
                                    json.field("url", "\(desk.links.publicURL)\(one.attempt.path)")
                                    json.field("challenge", one.attempt.challenge.text)
                                    json.field("score", one.rule.terms.text(one.attempt.score))
                                    json.field("received", one.attempt.received)
                                }
                            }
                        }
                    }.personal
                }
            },
        ]
    }

    private var decisions: [WebRoute] {
        let attempts = AttemptRoutes(desk: desk)
        return attempts.act(
            "verification", .active, scope: Self.judging,
            "Says that an attempt counts: two verifiers who agree decide, or one moderator", []
        ) { id, _, account in
            try await desk.attempts.decide(id, .verify, by: account)
            await desk.errand.arise()
        }
            + attempts.act(
                "rejection", .active, scope: Self.judging, "Says that an attempt does not count, and why",
                [.text("reason", "for its author")]
            ) { id, sent, account in
                try await desk.attempts.decide(id, .reject(why: sent("reason")), by: account)
                await desk.errand.arise()
            }
            + attempts.act(
                "question", .active, scope: Self.judging,
                "Asks an attempt's author something, who does not learn by whom",
                [.text("reason", "the question")]
            ) { id, sent, account in
                try await desk.attempts.ask(id, sent("reason"), by: account)
            }
    }

    private func waiting(_ context: WebContext) async throws -> [Waiting] {
        let found = try await desk.attempts.waiting(for: context.account, limit: Self.most)
        var known: [HubID: Challenge] = [:]
        // Nobody keeps attempts from moderators by blocking them.
        for viewer in [context.viewer, .visitor] {
            let unknown = Set(found.map(\.challenge)).subtracting(known.keys)
            guard !unknown.isEmpty else { break }
            for challenge in try await desk.challenges.challenges(Array(unknown), for: viewer) {
                known[challenge.id] = challenge
            }
        }
        var waiting: [Waiting] = []
        for attempt in found {
            guard let challenge = known[attempt.challenge] else { continue }
            var rule: Rule? = challenge.rule
            // Few wait that were tried by an older version.
            if attempt.rule != challenge.rule.id { rule = try await desk.rule(of: attempt, for: context.viewer) }
            if let rule { waiting.append(Waiting(attempt: attempt, challenge: challenge, rule: rule)) }
        }
        return waiting
    }
}

/// An attempt that waits.
struct Waiting: Sendable {
    let attempt: Attempt
    let challenge: Challenge
    let rule: Rule
}
