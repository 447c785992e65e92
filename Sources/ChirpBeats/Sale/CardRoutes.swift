internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Being paid by card, at an account of one's own. Its pages are Stripe's: nothing about it is typed here.
struct CardRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let api = "\(BeatDesk.api)/sales/cards"
    /// How many accounts are made in a day, of all sellers together.
    private static let accounts = RateRule(200, per: 24 * 3600)

    var routes: [WebRoute] { pages + programs }

    private var pages: [WebRoute] {
        [
            // Where Stripe's pages lead back to: how the account stands is asked, by a page that a stranger's link may lead to as well.
            .get(SaleDesk.cards, .signedIn) { request, context in
                try await desk.answering(request) {
                    let seller = try context.account
                    try await desk.consume("beat-cards", BeatDesk.Rate.payments, context)
                    await desk.patience.shortly { try? await sales.lookAtCards(of: seller) }
                    return back
                }
            },
            .post(SaleDesk.cards, .active) { request, context, _ in
                try await desk.answering(request) {
                    guard let address = try await connect(context) else { return back }
                    return Response(status: .seeOther, headers: [.location: address]).personal
                }
            },
            .post("\(SaleDesk.cards)/look", .signedIn) { request, context, _ in
                try await desk.answering(request) {
                    try await look(context)
                    return back
                }
            },
            .post("\(SaleDesk.cards)/ending", .active) { request, context, _ in
                try await desk.answering(request) {
                    try await sales.endCards(of: try context.account)
                    return back
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.api, .signedIn, scope: "read:orders",
                summary: "How one is paid by card: unavailable, own, none, begun, ready, ended or gone"
            ) { request, context in
                try await desk.answering(request) { try await document(context) }
            },
            .api(
                .post, Self.api, .active, scope: "write:orders",
                summary:
                    "Connects an account of one's own: the answer says on which page it is filled in, within minutes"
            ) { request, context in
                try await desk.answering(request) {
                    let address = try await connect(context)
                    return try await document(context, address)
                }
            },
            .api(
                .post, "\(Self.api)/look", .signedIn, scope: "write:orders",
                summary: "Asks whether the account may be charged by now"
            ) { request, context in
                try await desk.answering(request) {
                    try await look(context)
                    return try await document(context)
                }
            },
            .api(
                .delete, Self.api, .active, scope: "write:orders",
                summary: "Is paid by hand from the next order on", gives: 204
            ) { request, context in
                try await desk.answering(request) {
                    try await sales.endCards(of: try context.account)
                    return Response(status: .noContent)
                }
            },
        ]
    }

    private var back: Response { desk.desk.goOn(to: "\(BeatDesk.path)/sales#cards") }

    private func connect(_ context: WebContext) async throws -> String? {
        let seller = try context.account
        try await desk.consume("beat-cards", BeatDesk.Rate.payments, context)
        if case .seller(let card) = try await sales.cards(of: seller), card?.account == nil {
            try await desk.desk.consume("beat-cards", Self.accounts, by: .everybody, told: word("beat.often"))
        }
        return try await sales.connectCards(of: seller)
    }

    private func look(_ context: WebContext) async throws {
        try await desk.consume("beat-cards", BeatDesk.Rate.payments, context)
        try await sales.lookAtCards(of: try context.account)
    }

    private struct CardDocument: Encodable {
        let state: String
        let account: String?
        let since: Date?
        /// Where it is filled in, for her alone.
        let address: String?
    }

    private func document(_ context: WebContext, _ address: String? = nil) async throws -> Response {
        let standing = try await sales.cards(of: try context.account)
        var card: SellerCard?
        if case .seller(let known) = standing { card = known }
        return try .json(
            CardDocument(state: standing.name, account: card?.account, since: card?.since, address: address)
        ).personal
    }
}
