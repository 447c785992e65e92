internal import ChirpAccounts
package import ChirpCommunity
internal import GRDB

extension OrderStore {
    /// Brings an order to what its provider says of it. Does nothing the second time, whatever was said in between.
    ///
    /// - Returns: the order as it is then.
    package func settle(_ id: HubID, by report: PaymentReport) async throws(OrderRefusal) -> Order {
        try await refusing { database in
            guard let order = try Order.fetch(id, in: database) else { throw OrderRefusal.notFound }
            return try Self.settle(order, by: report, at: Accounts.milliseconds(library.now()), in: database)
        }
    }

    static func settle(
        _ order: Order, by report: PaymentReport, at now: Int64, in database: Database
    ) throws -> Order {
        var order = try note(report, of: order, in: database)
        switch report.status {
        case .pending: break
        case .kept: order = try bind(order, isRight: order.method == .card, at: now, in: database)
        case .held(let money):
            order = try bind(
                order, isRight: order.method == .hold && money == order.terms.price, at: now, in: database)
        case .paid(let money): order = try take(money, for: order, at: now, in: database)
        case .refunded(let money): order = try finish(order, .refund, money, at: now, in: database)
        case .chargedBack(let money): order = try finish(order, .chargeback, money, at: now, in: database)
        case .closed: order = try close(order, .expired, reason: "", at: now, in: database)
        case .failed(let reason): order = try close(order, .failed, reason: reason, at: now, in: database)
        }
        return order
    }

    /// Keeps what the provider calls it.
    private static func note(_ report: PaymentReport, of order: Order, in database: Database) throws -> Order {
        let all = order.references.filled(from: report.references)
        guard all != order.references || (report.address != nil && report.address != order.address) else {
            return order
        }
        try order.change(
            "checkout = ?, payment = ?, customer = ?, card = ?, refund = ?, address = COALESCE(?, address)",
            [all.checkout, all.payment, all.customer, all.card, all.refund, report.address], in: database)
        return try Order.fetch(order.id, in: database) ?? order
    }

    /// A card is there, or money is held: the bid binds, when it is still wanted.
    private static func bind(_ order: Order, isRight: Bool, at now: Int64, in database: Database) throws -> Order {
        switch order.state {
        case .asking where isRight && order.buyer != nil: try order.move(to: .bound, at: now, in: database)
        case .asking: try order.move(to: .releasing, reason: "wrong amount", at: now, in: database)
        case .failed, .expired, .released: try order.move(to: .releasing, at: now, in: database)
        case .bound, .reserved, .paid, .delivered, .refunding, .refunded, .releasing: order
        }
    }

    /// Money has come. What is not the price, or comes for what is no longer reserved, goes back, all of it.
    private static func take(_ money: Money, for order: Order, at now: Int64, in database: Database) throws -> Order {
        switch order.state {
        case .paid, .delivered, .refunding, .refunded: return order
        case .reserved where money == order.terms.price && order.buyer != nil:
            try order.enter(.payment, money, at: now, in: database)
            return try pay(order, at: now, in: database)
        case .reserved, .asking, .bound, .releasing, .released, .failed, .expired:
            guard money.amount > 0 else { return order }
            try order.enter(.payment, money, at: now, in: database)
            let reason =
                order.state != .reserved ? "too late" : order.buyer == nil ? "the buyer is gone" : "wrong amount"
            return try order.move(to: .refunding, reason: reason, at: now, in: database)
        }
    }

    /// The order is paid, and what it brings is on its way from this moment.
    static func pay(_ order: Order, at now: Int64, in database: Database) throws -> Order {
        let paid = try order.move(to: .paid, at: now, in: database)
        try database.cachedStatement(sql: "INSERT INTO deliveries (purchase, due) VALUES (?, ?)").execute(
            arguments: [order.sequence, now])
        return paid
    }

    /// Nothing is delivered any more, and the money goes back.
    static func takeBack(_ order: Order, reason: String, at now: Int64, in database: Database) throws -> Order {
        try database.cachedStatement(sql: "DELETE FROM deliveries WHERE purchase = ?").execute(
            arguments: [order.sequence])
        return try order.move(to: .refunding, reason: reason, at: now, in: database)
    }

    /// The money has gone back, whoever wanted that.
    private static func finish(
        _ order: Order, _ why: LedgerEntry.Reason, _ money: Money, at now: Int64, in database: Database
    ) throws -> Order {
        guard order.state != .refunded, money.amount > 0 else { return order }
        var order = order
        if order.state != .refunding {
            if try order.received(in: database) == nil { try order.enter(.payment, money, at: now, in: database) }
            let reason = why == .refund ? "refunded by the seller" : "taken back by the buyer's bank"
            order = try takeBack(order, reason: reason, at: now, in: database)
        }
        // What came is what goes back, also where the provider counts otherwise by now.
        try order.enter(why, order.received(in: database) ?? money, at: now, in: database)
        return try order.move(to: .refunded, at: now, in: database)
    }

    /// Nothing was paid, and nothing will be.
    private static func close(
        _ order: Order, _ next: Order.State, reason: String, at now: Int64, in database: Database
    ) throws -> Order {
        switch order.state {
        case .asking, .reserved: try order.move(to: next, reason: reason, at: now, in: database)
        // A hold that ended by itself binds nobody.
        case .bound: try order.move(to: .releasing, reason: reason, at: now, in: database)
        case .releasing: try order.move(to: .released, at: now, in: database)
        case .paid, .delivered, .refunding, .refunded, .released, .failed, .expired: order
        }
    }
}
