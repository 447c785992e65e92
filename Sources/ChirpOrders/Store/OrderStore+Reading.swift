package import ChirpAccounts
package import ChirpCommunity
package import GRDB

extension OrderStore {
    /// The most of a page.
    package static let mostOnPage = 100

    /// Who looks at orders.
    package enum Side: String, Sendable { case buyer, seller }

    /// An order as the hub itself sees it.
    package func order(_ id: HubID) async throws(OrderRefusal) -> Order? {
        try await read { try Order.fetch(id, in: $0) }
    }

    /// The order that was placed with a key; nil where none was yet.
    package func order(placedAs key: String) async throws(OrderRefusal) -> Order? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM orders WHERE key = ?"), arguments: [key]
            ).flatMap(Order.init)
        }
    }

    /// An order of one's own, on either side.
    package func order(_ id: HubID, for account: AccountID) async throws(OrderRefusal) -> Order? {
        try await order(id).flatMap { $0.buyer == account || $0.seller == account ? $0 : nil }
    }

    /// Somebody's orders, the newest first.
    ///
    /// - Parameter before: the place among all orders that the page before ended with (``Order/sequence``).
    package func orders(
        of account: AccountID, as side: Side, before: PageCursor? = nil, limit: Int = 20
    ) async throws(OrderRefusal) -> [Order] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM orders WHERE \(side.rawValue) = ? AND sequence < ?
                        ORDER BY sequence DESC LIMIT \(min(max(limit, 0), Self.mostOnPage))
                        """), arguments: [account, (before ?? .end).row]
            ).compactMap(Order.init)
        }
    }

    /// The leases of a work that stay valid beside an exclusive: sold, or being paid for. Whoever wants the exclusive is shown them before
    /// paying (AR-17).
    ///
    /// - Parameter order: the exclusive, when it is reserved; nil for all there are now.
    package func leases(of scope: String, earlier order: Order? = nil) async throws(OrderRefusal) -> [Order] {
        try await read { try Self.leases(of: scope, earlier: order, in: $0) }
    }

    /// The same in the transaction that reserves the exclusive.
    package static func leases(of scope: String, earlier order: Order? = nil, in database: Database) throws -> [Order] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM orders WHERE scope = ? AND licence = 'lease' AND sequence < ?
                        AND state IN ('reserved', 'paid', 'delivered') ORDER BY sequence LIMIT 1000
                    """), arguments: [scope, order?.sequence ?? .max]
        ).compactMap(Order.init)
    }

    /// The exclusive of a work that is sold, or being paid for; nil while it is free.
    package func exclusive(of scope: String) async throws(OrderRefusal) -> Order? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM orders WHERE scope = ? AND licence = 'exclusive'
                            AND state IN ('reserved', 'paid', 'delivered')
                        """), arguments: [scope]
            ).flatMap(Order.init)
        }
    }

    /// Orders that the sweep has looked at in vain for some time: money that does not go back, what cannot be delivered.
    ///
    /// - Parameter tries: how often.
    package func stuck(tries: Int = 10, limit: Int = 100) async throws(OrderRefusal) -> [Order] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT orders.* FROM orders LEFT JOIN deliveries ON purchase = orders.sequence
                        WHERE (state IN ('refunding', 'releasing') AND orders.tries >= ?1) OR deliveries.tries >= ?1
                        ORDER BY orders.sequence LIMIT ?2
                        """), arguments: [tries, limit]
            ).compactMap(Order.init)
        }
    }

    /// What is paid and not delivered, the oldest first.
    package func undelivered(limit: Int = 100) async throws(OrderRefusal) -> [Order] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT orders.* FROM deliveries CROSS JOIN orders ON orders.sequence = purchase
                        ORDER BY purchase LIMIT ?
                        """), arguments: [limit]
            ).compactMap(Order.init)
        }
    }

    /// Whether somebody is paying for something of a scope, or waits for what was paid; for who would take it out of the shop.
    package static func isWaiting(_ scope: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM orders WHERE scope = ? AND state IN ('reserved', 'paid'))"),
            arguments: [scope]) ?? false
    }

    /// Whether the exclusive of a scope is sold or being paid for, or its money has not gone back yet; for who would offer it again.
    package static func isSold(_ scope: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM orders WHERE scope = ? AND licence = 'exclusive'
                        AND state IN ('reserved', 'paid', 'delivered', 'refunding'))
                    """), arguments: [scope]) ?? false
    }

    /// What somebody has got by sales, by currency, from the ledger: what was paid, and what went back.
    package func sums(of seller: AccountID) async throws(OrderRefusal) -> [SaleSum] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT currency, SUM(CASE WHEN why = 'payment' THEN amount ELSE 0 END) AS paid,
                            SUM(CASE WHEN why <> 'payment' THEN -amount ELSE 0 END) AS back,
                            SUM(why = 'payment') AS count
                        FROM orderLedger CROSS JOIN orderMovements ON orderMovements.sequence = movement
                        WHERE account = ? AND side = 'seller' GROUP BY currency ORDER BY currency
                        """), arguments: [seller]
            ).compactMap(SaleSum.init)
        }
    }

    /// What the ledger has of an order, in the order it was written.
    package func ledger(of id: HubID) async throws(OrderRefusal) -> [LedgerEntry] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: Self.entries + "WHERE orders.id = ? ORDER BY orderLedger.sequence"),
                arguments: [id.text]
            ).compactMap(LedgerEntry.init)
        }
    }

    /// What the ledger has of somebody, the newest first.
    package func ledger(
        of account: AccountID, before: PageCursor? = nil, limit: Int = 50
    ) async throws(OrderRefusal) -> [LedgerEntry] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: Self.entries + """
                        WHERE orderLedger.account = ? AND orderLedger.sequence < ?
                        ORDER BY orderLedger.sequence DESC LIMIT \(min(max(limit, 0), Self.mostOnPage))
                        """), arguments: [account, (before ?? .end).row]
            ).compactMap(LedgerEntry.init)
        }
    }

    static let entries = """
        SELECT orderLedger.sequence, orders.id, side, orderLedger.account, orderLedger.amount, why,
            orderMovements.currency, at
        FROM orderLedger CROSS JOIN orderMovements ON orderMovements.sequence = movement
        CROSS JOIN orders ON orders.sequence = orderMovements.purchase

        """

    private func read<Done: Sendable>(
        _ body: @Sendable (Database) throws -> Done
    ) async throws(OrderRefusal) -> Done {
        do { return try await library.reading(body) } catch { throw OrderRefusal(error) }
    }
}

/// What somebody has got by her sales in one currency.
package struct SaleSum: Hashable, Sendable {
    package let paid: Money
    /// Of that.
    package let back: Money
    /// How many were paid.
    package let count: Int

    init?(_ row: Row) {
        guard let currency = Currency(row["currency"] as String) else { return nil }
        (paid, back, count) = (Money(row["paid"], currency), Money(row["back"], currency), row["count"])
    }
}

extension LedgerEntry {
    /// Nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let order = HubID(row["id"] as String), let side = Side(rawValue: row["side"]),
            let why = Reason(rawValue: row["why"]), let currency = Currency(row["currency"] as String)
        else { return nil }
        self.init(
            id: row["sequence"], order: order, side: side, account: row["account"],
            money: Money(row["amount"], currency), why: why, at: Accounts.date(row["at"]))
    }
}
