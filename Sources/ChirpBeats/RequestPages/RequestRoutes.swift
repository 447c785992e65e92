internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import Hummingbird

/// Requests for beats (AR-6, AR-13): both sides' list, the page of one, and its acts as nouns; for people and programs.
struct RequestRoutes {
    let desk: BeatDesk
    let deals: DealDesk

    static let page = "\(BeatDesk.path)/requests"
    private static let api = "\(BeatDesk.api)/requests"
    /// How often somebody moves.
    private static let rate = RateRule(120, per: 3600)

    /// What is said by a form or a program.
    private enum Noun: String, CaseIterable {
        case price
        case counter = "counter-offer"
        case agree = "agreement"
        case decline = "refusal"

        var summary: String {
            switch self {
            case .price: "Names a first price, as the producer"
            case .counter: "Names another amount"
            case .agree: "Agrees to the amount that is on the table, which is said again"
            case .decline: "Leaves it"
            }
        }
    }

    var routes: [WebRoute] { lists + Noun.allCases.flatMap(acts) + payment + delivery }

    private var lists: [WebRoute] {
        [
            .get(Self.page, .signedIn) { request, context in
                let sights = try await deals.sights(of: try context.account)
                return desk.show(request, context) { token in
                    RequestListPage(
                        sights: sights, layout: desk.layout(token, at: "/requests"), links: desk.links
                    ).html
                }
            },
            .get("\(Self.page)/:id", .signedIn) { request, context in
                try await desk.answering(request) { try await show(try await sight(context), request, context) }
            },
            .api(
                .get, Self.api, .signedIn, scope: "read:orders",
                summary: "Requests for beats that one has part in, on either side"
            ) { request, context in
                try await desk.answering(request) {
                    let sights = try await deals.sights(of: try context.account)
                    return Response.json { json in
                        json.field("requests") { json in
                            json.array(sights) { json, sight in json.object { sight.write(&$0) } }
                        }
                    }.personal
                }
            },
            .api(
                .get, "\(Self.api)/:id", .signedIn, scope: "read:orders",
                summary: "A request for a beat, with all that was done; for the two who have part in it"
            ) { request, context in
                try await desk.answering(request) { document(try await sight(context)) }
            },
        ]
    }

    private func acts(_ noun: Noun) -> [WebRoute] {
        [
            .post("\(Self.page)/:id/\(noun.rawValue)", .active) { request, context, form in
                try await desk.answering(request) {
                    try await again(form["amount"], form["words"], request, context) { sight in
                        try await act(noun, sight, { form[$0] }, context)
                    }
                }
            },
            .api(
                .post, "\(Self.api)/:id/\(noun.rawValue)", .active, scope: "write:orders",
                body: .upTo(Form.mostBytes), summary: noun.summary,
                takes: (noun == .decline
                    ? [] : [.text("amount", "as in 12.50"), .text("currency", isRequired: false)])
                    + [
                        .number("seen", isRequired: true, "how many acts there were when one looked"),
                        .text("words", isRequired: false),
                    ]
            ) { request, context in
                try await desk.answering(request) {
                    let sent = try await request.fields()
                    try await act(noun, try await sight(context), { sent[$0] ?? "" }, context)
                    return document(try await sight(context))
                }
            },
        ]
    }

    private var payment: [WebRoute] {
        [
            .post("\(Self.page)/:id/payment", .active) { request, context, _ in
                try await desk.answering(request) {
                    let sight = try await sight(context)
                    return desk.goOn(to: try await pay(sight, context).address, otherwise: sight.path)
                }
            },
            .api(
                .post, "\(Self.api)/:id/payment", .active, scope: "write:orders",
                summary: "Where the asker pays what was agreed"
            ) { request, context in
                try await desk.answering(request) {
                    let order = try await pay(try await sight(context), context)
                    return Response.json { order.write(&$0) }.personal
                }
            },
        ]
    }

    private var delivery: [WebRoute] {
        [
            .post("\(Self.page)/:id/delivery", .active) { request, context, form in
                try await desk.answering(request) {
                    try await again("", "", request, context) { sight in
                        try await deliver(form["track"], sight, context)
                    }
                }
            },
            .api(
                .post, "\(Self.api)/:id/delivery", .active, scope: "write:orders", body: .upTo(Form.mostBytes),
                summary: "Hands one's own track over for a request that is paid",
                takes: [.text("track", "the id of one's own track, which may be a draft")]
            ) { request, context in
                try await desk.answering(request) {
                    let sent = try await request.fields()
                    try await deliver(sent["track"] ?? "", try await sight(context), context)
                    return document(try await sight(context))
                }
            },
        ]
    }

    // MARK: the acts themselves

    private func sight(_ context: WebContext) async throws -> RequestSight {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw RequestRefusal.notFound }
        return try await deals.sight(of: id, for: try context.account, tracks: desk.tracks)
    }

    private func act(
        _ noun: Noun, _ sight: RequestSight, _ field: (String) -> String, _ context: WebContext
    ) async throws {
        try await desk.consume("beat-request", Self.rate, context)
        let act: RequestState.Act =
            switch noun {
            case .price: .price(try money(field, sight))
            case .counter: .counter(try money(field, sight))
            case .agree: .agree(try money(field, sight))
            case .decline: .decline
            }
        try await deals.requests.act(
            act, on: sight.request.id, seen: field("seen").integer(in: 0 ... .max) ?? -1, by: try context.account,
            words: field("words"))
    }

    private func money(_ field: (String) -> String, _ sight: RequestSight) throws(RequestRefusal) -> Money {
        let known = sight.request.state.money?.currency
        guard let currency = Currency(field("currency")) ?? known ?? Currency("EUR") else { throw .tooLittle }
        do throws(Money.Fault) { return try Money(field("amount"), currency) } catch {
            if case .tooMuch = error { throw .tooMuch(most: Money.most) }
            throw .tooLittle
        }
    }

    private func pay(_ sight: RequestSight, _ context: WebContext) async throws -> Order {
        try await desk.consume("beat-payment", BeatDesk.Rate.payments, context)
        return try await deals.pay(sight.request, by: try context.account)
    }

    private func deliver(_ typed: String, _ sight: RequestSight, _ context: WebContext) async throws {
        guard let track = HubID(typed) else { throw RequestRefusal.notYours }
        try await deals.deliver(track, for: sight.request, by: try context.account)
    }

    // MARK: pages

    private func document(_ sight: RequestSight) -> Response { Response.json { sight.write(&$0) }.personal }

    /// Does it, or shows the request again, as it stands by then, with what was wrong.
    private func again(
        _ amount: String, _ words: String, _ request: Request, _ context: WebContext,
        _ act: (RequestSight) async throws -> Void
    ) async throws -> Response {
        let sight = try await sight(context)
        do { try await act(sight) } catch let refusal as RequestRefusal
            where refusal.status.kind == .clientError && refusal.status != .notFound
        {
            return try await show(try await self.sight(context), request, context, refusal, amount, words)
        }
        return desk.desk.goOn(to: sight.path)
    }

    private func show(
        _ sight: RequestSight, _ request: Request, _ context: WebContext, _ refusal: RequestRefusal? = nil,
        _ amount: String = "", _ words: String = ""
    ) async throws -> Response {
        var own: [Track] = []
        if sight.isTurn, sight.request.state.acts.contains(.deliver) {
            var query = ItemQuery(board: Beats.board)
            query.author = try context.account
            query.states = [.open, .draft]
            query.limit = 100
            own = try await desk.tracks.tracks(query, for: context.viewer).found.filter { $0.progress == .ready }
        }
        return desk.show(request, context, status: refusal?.status ?? .ok) { token in
            RequestPage(
                sight: sight, own: own, problem: refusal?.sentence, amount: amount, words: words,
                layout: desk.layout(token), links: desk.links
            ).html
        }.withForms(leadingTo: deals.pages)
    }
}
