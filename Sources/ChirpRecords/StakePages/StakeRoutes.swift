internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird
internal import Logging

/// Pledging, and the ledger of what has become of it (OU-17): pages, and the same for programs. Where stakes are off there are none of these.
struct StakeRoutes {
    let desk: RecordDesk

    private static let page = "\(RecordDesk.path)/pledges"
    private static let api = "\(RecordDesk.api)/pledges"
    /// How often somebody may try to pledge.
    private static let rate = RateRule(20, per: 24 * 3600)

    var routes: [WebRoute] { desk.stakes.limits.isOn ? pages + programs : [] }

    private var pages: [WebRoute] {
        [
            .get(Self.page, .signedIn) { request, context in
                let before = request.asked["before"].flatMap { PageCursor($0) } ?? .end
                let statement = try await statement(before, context)
                return desk.show(request, context) { token in
                    StakeStatementPage(statement: statement, token: token, links: desk.links).html
                }
            },
            .get("\(RecordDesk.path)/:id/pledge", .active) { request, context in
                try await desk.answering(request, context) {
                    form(StakeForm(key: HubID().text), try await own(context), request, context)
                }
            },
            .post("\(RecordDesk.path)/:id/pledge", .active) { request, context, sent in
                try await desk.answering(request, context) {
                    let (typed, challenge) = (StakeForm { sent[$0] }, try await own(context))
                    do {
                        _ = try await pledge(typed, challenge, context)
                        return desk.goOn(to: "\(challenge.path)#pledges")
                    } catch let refusal as StakeRefusal where refusal.status == .unprocessableContent {
                        return form(typed, challenge, request, context, refusal)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .signedIn, scope: "read:orders",
                summary: "What one has pledged and got, and what that adds up to",
                query: [.text("before", isRequired: false, "the id of the last entry of the page before")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let before = request.asked["before"].flatMap { PageCursor($0) } ?? .end
                    return .json(try await statement(before, context).document).personal
                }
            },
            .api(
                .get, "\(RecordDesk.api)/:id/pledges", .everybody, scope: "read:statuses",
                summary: "What is and was pledged at a challenge"
            ) { request, context in
                try await desk.answering(request, context) {
                    desk.answer(.json(try await list(try await desk.challenge(context), context)), context)
                }
            },
            .api(
                .post, "\(RecordDesk.api)/:id/pledges", .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary:
                    "Pledges at one's own challenge for the first who breaks its record; the same key again pledges nothing more",
                takes: [
                    .text("amount", "a whole number of the hub's unit"), .text("unit", "the hub's unit"),
                    .text("until", "a day, as in 2027-02-28, whose end in UTC is meant"),
                    .flag("adult", isRequired: true), .text("key", isRequired: false, "the same for each try"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let (challenge, sent) = (try await desk.challenge(context), try await request.fields())
                    var typed = StakeForm { sent[$0] ?? "" }
                    if let key = request.headers[.idempotencyKey] { typed.key = key }
                    // Without a key each request is a pledge of its own.
                    if typed.key.isEmpty { typed.key = HubID().text }
                    if typed.version.isEmpty { typed.version = "\(challenge.rule.version)" }
                    _ = try await pledge(typed, challenge, context)
                    return .json(try await list(challenge, context), status: .created).personal
                }
            },
        ]
    }

    private func statement(_ before: PageCursor, _ context: WebContext) async throws -> StakeStatement {
        try await desk.stakes.statement(of: try context.account, before: before, limit: StakeStatementPage.perPage)
    }

    /// The challenge that a path names, of who has set it.
    private func own(_ context: WebContext) async throws -> Challenge {
        let challenge = try await desk.challenge(context)
        guard challenge.item.author.id == (try context.account) else { throw StakeRefusal.notSetter }
        return challenge
    }

    private func pledge(_ typed: StakeForm, _ challenge: Challenge, _ context: WebContext) async throws -> HubID {
        let account = try context.account
        try await desk.consume("challenge-pledge", Self.rate, account)
        return try await desk.stakes.pledge(
            typed.terms, at: challenge.id, version: typed.version.integer(in: 0 ... .max) ?? 0, by: account,
            key: typed.key)
    }

    private func form(
        _ typed: StakeForm, _ challenge: Challenge, _ request: Request, _ context: WebContext,
        _ refusal: StakeRefusal? = nil
    ) -> Response {
        var typed = typed
        if typed.version.isEmpty { typed.version = "\(challenge.rule.version)" }
        return desk.show(request, context, status: refusal?.status ?? .ok) { token in
            StakeFormPage(
                form: typed, challenge: challenge, limits: desk.stakes.limits, refusal: refusal, token: token,
                links: desk.links
            ).html
        }
    }

    private func list(_ challenge: Challenge, _ context: WebContext) async throws -> JSONText {
        let stakes = try await desk.stakes.stakes(
            at: challenge.id, for: context.viewer, limit: StakeStore.mostOnPage)
        var text = JSONText()
        text.object { json in
            json.field("pledges") { json in
                json.array(stakes) { json, stake in json.object { stake.write(&$0) } }
            }
        }
        return text
    }
}

extension RecordParts {
    /// The addresses of stakes; none where they are off.
    static func stakeRoutes(_ desk: RecordDesk) -> [WebRoute] { StakeRoutes(desk: desk).routes }

    /// What is pledged at a challenge, in its page.
    static func stakeSection(_ desk: RecordDesk) -> ChallengePart {
        ChallengePart(place: .section) { challenge, view in
            guard desk.stakes.limits.isOn else { return .nothing }
            let stakes = try await desk.stakes.stakes(at: challenge.id, for: view.viewer)
            return StakeSection(stakes: stakes, challenge: challenge, view: view, links: desk.links).html
        }
    }

    /// Settles what is due, also of a time when stakes were on.
    static func stakeSweep(_ desk: RecordDesk) -> @Sendable () async -> Void {
        {
            do {
                let count = try await desk.stakes.sweep(at: desk.now)
                if count > 0 { desk.desk.logger.info("challenges: \(count) movements of pledges") }
            } catch { desk.desk.logger.warning("pledges cannot be settled: \(error)") }
        }
    }
}
