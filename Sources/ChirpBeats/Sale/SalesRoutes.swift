internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What somebody has sold, and what she says about payments by hand.
struct SalesRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/sales"
    private static let api = "\(BeatDesk.api)/sales"

    /// What a seller does with an order; an act is a noun.
    private enum Act: String, CaseIterable {
        case payment, refusal, refund

        var summary: String {
            switch self {
            case .payment: "Says that what was bought by hand is paid: it is delivered"
            case .refusal: "Says that nobody has paid by hand: what was reserved is free for others"
            case .refund:
                "Gives back what was paid; of a payment by hand, told again, that it was sent: the buyer says when it is there"
            }
        }
    }

    var routes: [WebRoute] {
        [
            .get(Self.path, .signedIn) { request, context in
                try await desk.answering(request) { try await page(request, context) }
            },
            .post(Self.path, .active) { request, context, form in
                try await desk.answering(request) {
                    try await sales.purchases.set(
                        PurchaseStore.Seller(name: form["name"], words: form["words"]), of: try context.account)
                    return desk.desk.goOn(to: Self.path)
                }
            },
            .api(
                .get, Self.api, .signedIn, scope: "read:orders",
                summary: "What one has sold, the newest first, and what it adds up to", query: [.number("before")]
            ) { request, context in
                try await desk.answering(request) {
                    let orders = try await sales.documents(.seller, request, context)
                    let sums = try await sales.orders.store.sums(of: try context.account)
                    return try .json(SalesDocument(orders: orders, sums: sums.map(SalesDocument.Sum.init))).personal
                }
            },
            .api(
                .put, "\(Self.api)/seller", .active, scope: "write:orders",
                summary: "Says how one is named in contracts, and how one is paid by hand",
                takes: [.text("name", isRequired: false), .text("words", isRequired: false)], gives: 204
            ) { request, context in
                try await desk.answering(request) {
                    let fields = try await request.fields()
                    try await sales.purchases.set(
                        PurchaseStore.Seller(name: fields["name"] ?? "", words: fields["words"] ?? ""),
                        of: try context.account)
                    return Response(status: .noContent)
                }
            },
        ] + Act.allCases.flatMap(acts)
    }

    private func acts(_ act: Act) -> [WebRoute] {
        [
            .post("\(Self.path)/:id/\(act.rawValue)", .active) { request, context, form in
                try await desk.answering(request) {
                    let order = try await `do`(act, form["reason"], context)
                    return desk.desk.goOn(to: "\(Self.path)#order-\(order.id)")
                }
            },
            .api(
                .post, "\(Self.api)/:id/\(act.rawValue)", .active, scope: "write:orders", summary: act.summary,
                takes: act == .refund ? [.text("reason", isRequired: false)] : []
            ) { request, context in
                try await desk.answering(request) {
                    let reason = try await request.fields()["reason"] ?? ""
                    return try .json(try await OrderDocument(try await `do`(act, reason, context), sales)).personal
                }
            },
        ]
    }

    private func `do`(_ act: Act, _ reason: String, _ context: WebContext) async throws -> Order {
        guard let id = context.parameters.get("id").flatMap({ HubID($0) }) else { throw OrderRefusal.notFound }
        let seller = try context.account
        return switch act {
        case .payment: try await sales.markPaid(id, by: seller)
        case .refusal: try await sales.markUnpaid(id, by: seller)
        case .refund: try await sales.refund(id, by: seller, reason: reason)
        }
    }

    private struct SalesDocument: Encodable {
        struct Sum: Encodable {
            let currency: String
            /// In its smallest unit.
            let paid, back: Int64
            let count: Int

            init(_ sum: SaleSum) {
                currency = sum.paid.currency.code
                (paid, back, count) = (sum.paid.amount, sum.back.amount, sum.count)
            }
        }
        let orders: [OrderDocument]
        let sums: [Sum]
    }

    private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.account
        let page = try await sales.page(.seller, request, context)
        let sums = try await sales.orders.store.sums(of: account)
        let seller = try await sales.purchases.seller(account)
        let cards = try await sales.cards(of: account)
        return desk.show(request, context) { token in
            SalesPage(
                all: page.all, next: page.next, sums: sums, seller: seller, cards: cards,
                layout: desk.layout(token, at: "/sales"), links: desk.links
            ).html
        }.withForms(leadingTo: sales.sellerPages)
    }
}
