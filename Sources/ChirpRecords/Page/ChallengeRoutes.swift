internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// A challenge's page, and what it shows, for people and programs (OU-3).
struct ChallengeRoutes {
    let desk: RecordDesk

    /// Of attempts, in a challenge's page and in a list of them.
    private static let (inPage, perPage) = (20, 40)

    private func path(_ part: String) -> String { "\(RecordDesk.path)/:id/\(part)" }
    private func api(_ part: String) -> String { "\(RecordDesk.api)/:id/\(part)" }

    var routes: [WebRoute] {
        [
            .get("\(RecordDesk.path)/:id") { request, context in
                try await desk.answering(request, context) { try await page(request, context) }
            },
            .get(path("attempts")) { request, context in
                try await desk.answering(request, context) { try await attempts(request, context) }
            },
            .api(
                .get, "\(RecordDesk.api)/:id", .everybody, scope: "read:statuses",
                summary: "A challenge, its rule and the world's record"
            ) {
                request, context in
                try await desk.answering(request, context) { try await desk.document(of: context) }
            },
            .api(
                .get, api("rules"), .everybody, scope: "read:statuses",
                summary: "All versions of a challenge's rule, the newest first"
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    let rules = try await desk.challenges.rules(of: challenge.id, for: context.viewer)
                    return desk.answer(try .json(RulesDocument(rules: rules.map(RuleDocument.init))), context)
                }
            },
            .api(
                .get, api("records"), .everybody, scope: "read:statuses",
                summary: "Who holds a challenge's records now, of every area",
                query: [.number("version", "of the rule")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let (challenge, rule) = try await rule(request, context)
                    let spans = try await desk.holds.holders(of: rule.id, for: context.viewer, limit: 500)
                    return desk.answer(try .json(RecordsDocument(spans, of: challenge, links: desk.links)), context)
                }
            },
            .api(
                .get, api("history"), .everybody, scope: "read:statuses",
                summary: "Who has held one of a challenge's records, the first first",
                query: [
                    .number("version", "of the rule"),
                    .text("level", isRequired: false, "place, town, country or world"),
                    .text("area", isRequired: false, "as among the records"),
                ]
            ) { request, context in
                try await desk.answering(request, context) {
                    let (challenge, rule) = try await rule(request, context)
                    let spans = try await desk.holds.history(
                        of: rule.id, in: ChallengeAsked(request.asked).area, for: context.viewer)
                    return desk.answer(try .json(RecordsDocument(spans, of: challenge, links: desk.links)), context)
                }
            },
            .api(
                .get, api("attempts"), .everybody, scope: "read:statuses",
                summary: "Attempts at a challenge, the newest first",
                query: [.number("before", "what the answer before named as next"), .number("limit", "from 1 to 100")]
            ) { request, context in
                try await desk.answering(request, context) {
                    let challenge = try await desk.challenge(context)
                    let before = try request.cursor("before", from: 1) ?? .end
                    let limit = try request.number("limit", in: 1...100) ?? Self.perPage
                    let (found, rules) = try await attempts(at: challenge, before: before, limit: limit, context)
                    return desk.answer(
                        try .json(AttemptListDocument(found, Self.terms(rules), limit: limit, links: desk.links)),
                        context)
                }
            },
        ]
    }

    /// The version of the rule that a request names; the newest where it names none.
    private func rule(_ request: Request, _ context: WebContext) async throws -> (Challenge, Rule) {
        let challenge = try await desk.challenge(context)
        let asked = ChallengeAsked(request.asked)
        guard let version = asked.version, version != challenge.rule.version else { return (challenge, challenge.rule) }
        let rules = try await desk.challenges.rules(of: challenge.id, for: context.viewer)
        guard let rule = rules.first(where: { $0.version == version }) else { throw Problem.noChallenge }
        return (challenge, rule)
    }

    private func attempts(
        at challenge: Challenge, before: PageCursor = .end, limit: Int, _ context: WebContext
    ) async throws -> (found: [Attempt], rules: [Rule]) {
        let found = try await desk.attempts.attempts(
            .challenge(challenge.id), for: context.viewer, before: before, limit: limit)
        return (found, try await desk.challenges.rules(of: challenge.id, for: context.viewer))
    }

    private static func terms(_ rules: [Rule]) -> [Int: RuleTerms] {
        Dictionary(rules.map { ($0.version, $0.terms) }) { first, _ in first }
    }

    private func attempts(_ request: Request, _ context: WebContext) async throws -> Response {
        let challenge = try await desk.challenge(context)
        let before = try request.cursor("before", from: 1) ?? .end
        let (found, rules) = try await attempts(at: challenge, before: before, limit: Self.perPage, context)
        let next = found.count == Self.perPage ? found.last?.sequence : nil
        return desk.show(request, context) { token in
            let title = word("challenge.attempts.of", ["title": challenge.item.title])
            let more = ChallengeList.pages(
                "\(challenge.path)/attempts", "before=\(next ?? 0)", hasNext: next != nil, links: desk.links)
            return RecordLayout(links: desk.links, token: token).page(
                title: title,
                body: """
                    <h1 dir="auto">\(title)</h1>
                    <p><a href="\(desk.prefix)\(challenge.path)">\(word("challenge.back"))</a></p>
                    \(AttemptList(attempts: found, rules: Self.terms(rules), links: desk.links).html)\(more)
                    """)
        }
    }

    private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let (challenge, rule) = try await rule(request, context)
        let asked = ChallengeAsked(request.asked)
        let viewer = context.viewer
        let holders = try await desk.holds.holders(of: rule.id, for: viewer)
        let history = try await desk.holds.history(of: rule.id, in: asked.area, for: viewer)
        let (newest, rules) = try await attempts(at: challenge, limit: Self.inPage, context)
        // What few like is in the list of all, and shown first no more.
        let votes = try await desk.attempts.votes(on: newest.map(\.id), for: viewer)
        let liked = newest.filter { votes[$0.id]?.isSunk != true }
        let reader = desk.desk.library.seen(by: viewer)
        var marks: Set<ItemMark> = []
        if context.person != nil { marks = try await reader.marks(of: [challenge.id])[challenge.id] ?? [] }
        var transcript: ClipTranscript?
        if let clip = challenge.item.clip { transcript = try await reader.transcript(of: clip.id) }
        var target: Challenge?
        if let id = try await desk.challenges.target(of: challenge.id, for: viewer) {
            target = try await desk.challenges.challenges([id], for: viewer).first
        }
        let map = await PlacesMap(desk: desk, challenge: challenge, holders: holders, attempts: liked).html(
            MapWindow { request.asked[$0] })
        let world = holders.first { $0.hold.area == .world }
        let film = try await desk.attempts.films(of: world.map { [$0] } ?? [])[challenge.id]
        let isSetter = context.person?.id == challenge.item.author.id.rawValue
        return try await desk.desk.showMade(request, context) { token in
            let view = ChallengeView(
                viewer: viewer, person: context.person, token: token, isSetter: isSetter,
                isModerator: context.isModerator)
            var parts: [(place: ChallengePart.Place, html: HTML)] = []
            for part in RecordParts.sections(desk) {
                parts.append((part.place, try await part.html(challenge, view)))
            }
            return ChallengePageView(
                challenge: challenge, rule: rule, rules: rules, holders: holders, area: asked.area, history: history,
                attempts: liked, hasMore: newest.count == Self.inPage || liked.count < newest.count, marks: marks,
                transcript: transcript, target: target, map: map, film: film,
                votes: try await desk.votes.section(of: challenge.item, context, token: token),
                comments: try await desk.comments.section(of: challenge.item, context, token: token), parts: parts,
                view: view, ground: desk.ground, now: desk.now, links: desk.links
            ).html
        }.askingWhere
    }
}

/// What a challenge's page is asked to show: a version of its rule, and the history of one of its areas.
struct ChallengeAsked {
    let version: Int?
    let area: RecordArea

    init(_ asked: RequestFields) {
        version = asked["version"]?.integer(in: 0 ... .max)
        let key = asked["area"] ?? ""
        let level = asked["level"].flatMap(RecordLevel.init) ?? .world
        area = level == .world || key.isEmpty || key.utf8.count > 64 ? .world : RecordArea(level, key)
    }
}

extension RecordDesk {
    /// The challenge that the path names as programs read it.
    func document(of context: WebContext, status: HTTPResponse.Status = .ok) async throws -> Response {
        try await document(try await challenge(context), context, status: status)
    }

    func document(
        _ challenge: Challenge, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let entries = try await entries([challenge], for: context.viewer)
        return try .json(
            ChallengeDocument(
                challenge, holder: entries.holders[challenge.id], isLed: entries.led.contains(challenge.id),
                film: entries.films[challenge.id], links: links), status: status
        ).personal
    }
}

struct RulesDocument: Encodable { let rules: [RuleDocument] }

struct RecordsDocument: Encodable {
    let challenge: String
    let records: [RecordDocument]

    init(_ spans: [RecordSpan], of challenge: Challenge, links: HubLinks) {
        self.challenge = challenge.id.text
        records = spans.map { RecordDocument($0, links: links) }
    }
}
