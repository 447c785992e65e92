internal import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

extension Order {
    /// Nil for a row that makes no sense: of a later release, or damaged.
    init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let kind = Kind(rawValue: row["kind"]),
            let method = Method(rawValue: row["method"]), let state = State(rawValue: row["state"]),
            let currency = Currency(row["currency"] as String)
        else { return nil }
        self.init(
            id: id, sequence: row["sequence"], buyer: row["buyer"], seller: row["seller"],
            item: (row["item"] as String?).flatMap { HubID($0) },
            terms: OrderTerms(
                kind: kind, scope: row["scope"], licence: (row["licence"] as String?).flatMap(Licence.init),
                subject: row["subject"], price: Money(row["amount"], currency)),
            provider: row["provider"], account: PaymentAccount(row["account"]), method: method, state: state,
            reason: row["reason"],
            created: Accounts.date(row["created"]), changed: Accounts.date(row["changed"]),
            until: (row["until"] as Int64?).map(Accounts.date), address: row["address"],
            references: PaymentReferences(
                checkout: row["checkout"], payment: row["payment"], customer: row["customer"], card: row["card"],
                refund: row["refund"]))
    }

    /// One order; nil when there is none.
    static func fetch(_ id: HubID, in database: Database) throws -> Order? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM orders WHERE id = ?"), arguments: [id.text]
        ).flatMap(Order.init)
    }

    /// Changes an order that is still in the state it was read in. Whoever comes second is told in which state it is.
    func change(_ what: String, _ arguments: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE orders SET \(what) WHERE id = ? AND state = ?").execute(
            arguments: arguments + [id.text, state.rawValue])
        guard database.changesCount == 1 else {
            let now = try Order.fetch(id, in: database)?.state
            throw now.map(OrderRefusal.changed) ?? .notFound
        }
    }

    /// Moves it into another state; what is due there is looked at with the next sweep.
    ///
    /// - Parameter now: in ms.
    /// - Returns: the order as it is then.
    @discardableResult
    func move(
        to next: State, reason: String? = nil, until: Int64? = nil, at now: Int64, in database: Database
    ) throws -> Order {
        let due: Int64? =
            switch next {
            case .refunding, .releasing, .reserved, .asking: now
            // Money may come after all, or a dispute.
            case .failed, .expired: now + OrderStore.lateLook
            case .bound, .paid, .delivered, .refunded, .released: nil
            }
        try change(
            "state = ?, reason = ?, changed = ?, until = ?, due = ?, tries = 0",
            [next.rawValue, reason ?? self.reason, now, until, due], in: database)
        guard let order = try Order.fetch(id, in: database) else { throw OrderRefusal.notFound }
        return order
    }

    /// Writes a movement of money, both rows of it.
    func enter(_ why: LedgerEntry.Reason, _ money: Money, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO orderMovements (purchase, why, currency, at) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [sequence, why.rawValue, money.currency.code, now])
        let movement = database.lastInsertedRowID
        let given = why == .payment ? money.amount : -money.amount
        for (side, account, amount) in [("buyer", buyer, -given), ("seller", seller, given)] {
            try database.cachedStatement(
                sql: "INSERT INTO orderLedger (movement, side, account, amount) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [movement, side, account, amount])
        }
    }

    /// What was paid and has not gone back, by the ledger.
    func received(in database: Database) throws -> Money? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT why, currency, amount FROM orderMovements
                    CROSS JOIN orderLedger ON movement = orderMovements.sequence AND side = 'seller'
                    WHERE purchase = ? ORDER BY orderMovements.sequence DESC LIMIT 1
                    """), arguments: [sequence])
        guard let row, row["why"] == LedgerEntry.Reason.payment.rawValue,
            let currency = Currency(row["currency"] as String)
        else { return nil }
        return Money(row["amount"], currency)
    }
}
