internal import ChirpBoards
internal import ChirpOrders
internal import ChirpWeb
internal import Hummingbird

/// What somebody has bought, and what she has sold: the same list from two sides, a page of it, the newest first.
extension SaleDesk {
    private static let perPage = 20

    /// As a page shows them.
    ///
    /// - Returns: and where the next page begins; nil: there is none.
    func page(
        _ side: OrderStore.Side, _ request: Request, _ context: WebContext
    ) async throws -> (all: [KnownPurchase], next: Int64?) {
        let before = try request.cursor("before", from: 1)
        let orders = try await orders.store.orders(
            of: try context.account, as: side, before: before, limit: Self.perPage)
        var all: [KnownPurchase] = []
        // Who bids finds it among her bids until it is bought; the seller finds all that has begun.
        for order in orders where side == .seller || !order.isBidAlone {
            all.append(try await known(order, withGrant: false))
        }
        return (all, orders.count == Self.perPage ? orders.last?.sequence : nil)
    }

    /// As programs read them.
    func documents(
        _ side: OrderStore.Side, _ request: Request, _ context: WebContext
    ) async throws -> [OrderDocument] {
        var documents: [OrderDocument] = []
        for known in try await page(side, request, context).all {
            documents.append(try await OrderDocument(known.order, self))
        }
        return documents
    }

    /// An order with what was bought.
    func known(_ order: Order, withGrant: Bool) async throws -> KnownPurchase {
        KnownPurchase(
            order: order, purchase: try await purchases.purchase(of: order),
            grant: withGrant ? try await grants.grant(ofOrder: order.id) : nil)
    }
}

extension Order {
    /// A bid that has led to nothing yet, or never will: it stands among bids.
    var isBidAlone: Bool {
        switch state {
        case .reserved, .paid, .delivered, .refunding, .refunded: false
        case .asking, .bound, .releasing, .released, .failed, .expired: terms.kind == .bid
        }
    }
}
