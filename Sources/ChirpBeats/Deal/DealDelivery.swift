internal import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
package import GRDB

/// Brings what was won or agreed on, and leaves all other orders to who brings them. What it makes for a deal is made by the same, who is told
/// which track it is: that of a request stands in no order, since it may be made after it was paid.
package struct DealDelivery: OrderDelivery {
    private let auctions: AuctionStore
    private let requests: RequestStore
    private let others: any OrderDelivery
    private let bring: @Sendable (Order, HubID) async throws -> @Sendable (Database) throws -> Void

    /// - Parameters:
    ///   - others: brings what is simply bought.
    ///   - bring: makes file and licence of a track for an order, as ``OrderDelivery/prepare(_:)`` does.
    package init(
        auctions: AuctionStore, requests: RequestStore, others: any OrderDelivery,
        bring: @escaping @Sendable (Order, HubID) async throws -> @Sendable (Database) throws -> Void
    ) {
        (self.auctions, self.requests, self.others, self.bring) = (auctions, requests, others, bring)
    }

    package func prepare(_ order: Order) async throws -> @Sendable (Database) throws -> Void {
        switch DealSubject(order.terms.subject) {
        case .auction(let id): try await won(id, order)
        case .request(let id): try await agreed(id, order)
        case nil: try await others.prepare(order)
        }
    }

    private func won(_ id: HubID, _ order: Order) async throws -> @Sendable (Database) throws -> Void {
        guard let item = order.item, let buyer = order.buyer else { throw DealRefusal.noTrack }
        let handOver = try await bring(order, item)
        let library = auctions.library
        return { database in
            try AuctionStore.paid(
                id, by: buyer, order.terms.price, payment: order.id.text, at: Accounts.milliseconds(library.now()),
                in: database)
            try handOver(database)
        }
    }

    /// It is paid from now on, also while there is no track yet.
    private func agreed(_ id: HubID, _ order: Order) async throws -> @Sendable (Database) throws -> Void {
        let track = try await requests.library.transact { database in
            try requests.paid(id, order.terms.price, payment: order.id.text, in: database)
            return try requests.track(of: id, in: database)
        }
        guard let track else { throw DealRefusal.noTrack }
        let handOver = try await bring(order, track)
        return { database in
            try handOver(database)
            try requests.delivered(id, delivery: order.id.text, in: database)
        }
    }
}
