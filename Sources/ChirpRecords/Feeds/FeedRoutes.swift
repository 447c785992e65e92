internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// Lists of challenges: new, popular, those that can be tried anywhere, around a place, events, and what somebody looks for by words; for people
/// and programs (OU-1, OU-18).
struct FeedRoutes {
    let desk: RecordDesk

    var routes: [WebRoute] {
        [
            .get(RecordDesk.path) { request, context in
                let search = RecordSearch(request.asked)
                let visit = try await visit(context)
                // Once, and only on the way into the board by its front door.
                if context.person != nil, visit.introduced == nil, request.uri.query == nil {
                    return desk.goOn(to: IntroductionRoutes.path)
                }
                return try await page(search, visit, request, context)
            },
            .post("\(RecordDesk.path)/local", .signedIn) { request, context, form in
                try await desk.answering(request, context) {
                    try await choose({ form[$0] }, try context.account)
                    return desk.goOn(to: "\(RecordDesk.path)?feed=local")
                }
            },
            .api(
                .get, RecordDesk.api, .everybody, scope: "read:statuses",
                summary: "Challenges: new, popular, of a place, or found by words",
                query: Self.query
            ) { request, context in
                let search = RecordSearch(request.asked)
                let resolved = try await search.resolved(in: desk.desk.gazetteer, try await visit(context))
                let found = try await found(search, resolved, context)
                let entries = try await desk.entries(found.found, for: context.viewer)
                return desk.answer(
                    try .json(
                        ChallengeListDocument(
                            entries, next: found.next, isCut: found.isCut, place: resolved, links: desk.links)),
                    context)
            },
            .api(
                .get, "\(RecordDesk.api)/local", .signedIn, scope: "read:accounts",
                summary: "What local is for the asker"
            ) { _, context in try .json(LocalDocument(try await visit(context))).personal },
            .api(
                .put, "\(RecordDesk.api)/local", .signedIn, scope: "write:accounts",
                summary: "Chooses what local is; without a place nothing is any more",
                takes: [
                    .text("place", isRequired: false, "its name"), .text("at", isRequired: false, "latitude,longitude"),
                    .number("within", "kilometres, from 1 to 100"),
                ]
            ) { request, context in
                try await desk.answering(request, context) {
                    let sent = try await request.fields()
                    try await choose({ sent[$0] ?? "" }, try context.account)
                    return try .json(LocalDocument(try await visit(context))).personal
                }
            },
        ]
    }

    static let query: [WebField] = [
        .text("feed", isRequired: false, "new, popular, global, local, events or coming"),
        .text("q", isRequired: false, "words"), .text("category", isRequired: false),
        .text("place", isRequired: false, "the name of a place"), .number("placeId", "one among several of that name"),
        .text("at", isRequired: false, "latitude,longitude"), .number("within", "kilometres, from 1 to 100"),
        .text("order", isRequired: false, "newest or nearest"),
        .text("after", isRequired: false, "where the page before ended"),
    ]

    private func visit(_ context: WebContext) async throws -> ChallengeVisit {
        guard context.person != nil else { return ChallengeVisit() }
        return try await desk.visits.visit(of: try context.account)
    }

    /// Where somebody means by local, as she has typed it.
    private func choose(_ value: (String) -> String, _ account: AccountID) async throws {
        let place = PlainText(value("place"), limit: ChallengeDraft.longestPlace).value
        let at = PlainText(value("at"), limit: 100).value
        guard !place.isEmpty || !at.isEmpty else {
            return try await desk.visits.choose(nil, name: "", for: account)
        }
        let found = try await TypedPlace(name: at.isEmpty ? place : "", at: at).found(in: desk.desk.gazetteer)
        guard let point = found.point else {
            throw ChallengeRefusal.fields([.place: found.fault == .noPoint ? .noPoint : .noPlace])
        }
        let radius = value("within").integer(in: .min ... .max) ?? ChallengeFeed.Locality.usualRadius
        let name = found.name.isEmpty ? place : found.name
        try await desk.visits.choose(ChallengeFeed.Locality(point, radius: radius), name: name, for: account)
    }

    func found(
        _ search: RecordSearch, _ resolved: RecordSearch.Resolved, _ context: WebContext
    ) async throws -> (found: [Challenge], next: String?, isCut: Bool) {
        guard let query = resolved.query else { return ([], nil, false) }
        if let events = resolved.events {
            let page = try await desk.challenges.feed(
                events, category: search.category, after: search.after, limit: RecordSearch.perPage,
                for: context.viewer)
            return (page.found, page.next, false)
        }
        return try await desk.challenges.challenges(query, for: context.viewer)
    }

    private func page(
        _ search: RecordSearch, _ visit: ChallengeVisit, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let resolved = try await search.resolved(in: desk.desk.gazetteer, visit)
        let found = try await found(search, resolved, context)
        let entries = try await desk.entries(found.found, for: context.viewer)
        let (now, links) = (desk.now, desk.links)
        return desk.show(request, context) { token in
            FeedPage(
                search: search, resolved: resolved, entries: entries, next: found.next, isCut: found.isCut,
                visit: visit, hasPlaces: desk.desk.gazetteer != nil, token: token, now: now, links: links
            ).html
        }
    }
}

/// What local is for somebody, as programs read it.
struct LocalDocument: Encodable {
    let latitude, longitude: Double?
    let within: Int?
    let name: String?

    init(_ visit: ChallengeVisit) {
        latitude = visit.locality?.centre.latitude
        longitude = visit.locality?.centre.longitude
        within = visit.locality?.radius
        name = visit.name.isEmpty ? nil : visit.name
    }
}
