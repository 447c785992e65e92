package import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials
package import GRDB

/// Orders in the library, and the ledger of what has become of them. Asks no provider: ``OrderDesk`` does.
package struct OrderStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// How many orders one buyer may have that wait to be paid: each holds up what the seller would do with the work.
    package static let mostOpen = 20
    /// How many of these may be exclusives, which nobody else can buy meanwhile: paid by hand they wait for days.
    package static let mostOpenExclusives = 5

    /// How long after an order has failed or expired it is looked at for money that came after all, in ms.
    static let lateLook: Int64 = 3_600_000

    /// Writes an order down; once for its key, then that order is given again.
    ///
    /// An exclusive has one winner at a time. A lease is not taken while somebody pays for the exclusive of its work, so that whoever buys
    /// the exclusive has seen every lease that stays valid beside it (``leases(of:earlier:)``). How many may wait to be paid is limited
    /// (``mostOpen``, ``mostOpenExclusives``).
    ///
    /// - Parameters:
    ///   - method: how it is paid; nothing that costs nothing is paid.
    ///   - until: when the buyer may not pay any more.
    ///   - payee: to whose account it is paid; asked in the same transaction, for a new order that costs something. Nil: the seller takes no such
    ///     payments.
    package func reserve(
        _ draft: OrderDraft, method: Order.Method, until: Date,
        paidTo payee: @Sendable (Database) throws -> PaymentAccount? = { _ in .own }
    ) async throws(OrderRefusal) -> Order {
        try await refusing { try self.write(draft, method: method, until: until, paidTo: payee, in: $0).order }
    }

    func refusing<Done: Sendable>(
        _ body: @Sendable (Database) throws -> Done
    ) async throws(OrderRefusal) -> Done {
        do { return try await library.transact(body) } catch { throw OrderRefusal(error) }
    }

    /// - Returns: also whether it is a new one.
    func write(
        _ draft: OrderDraft, method: Order.Method, until: Date, paidTo payee: (Database) throws -> PaymentAccount?,
        in database: Database
    ) throws -> (order: Order, isNew: Bool) {
        let now = Accounts.milliseconds(library.now())
        let terms = draft.terms
        guard !draft.key.isEmpty, draft.key.utf8.count <= OrderDraft.longestKey else { throw OrderRefusal.badKey }
        if let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM orders WHERE key = ?"), arguments: [draft.key])
        {
            guard let order = Order(known), order.buyer == draft.buyer else { throw OrderRefusal.badKey }
            return (order, false)
        }
        guard terms.subject.utf8.count <= 200, (terms.scope?.utf8.count ?? 1) <= 200, terms.scope != "",
            terms.licence != .exclusive || terms.scope != nil
        else { throw OrderRefusal.badTerms }
        guard (0...Money.most).contains(terms.price.amount), terms.kind != .bid || terms.price.amount > 0 else {
            throw OrderRefusal.badPrice
        }
        guard draft.buyer != draft.seller else { throw OrderRefusal.own }
        for account in [draft.buyer, draft.seller] {
            guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
                throw OrderRefusal.noAccount
            }
        }
        if let scope = terms.scope { try Self.checkFree(scope, in: database) }
        let id = HubID()
        let isFree = terms.price.amount == 0
        if terms.kind == .buy, !isFree { try Self.checkOpen(draft.buyer, terms.licence, at: now, in: database) }
        guard let account = isFree ? .own : try payee(database) else {
            throw OrderRefusal.payment(.noAccount(provider: draft.provider))
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO orders (id, key, buyer, seller, item, scope, kind, licence, subject, amount, currency,
                    provider, account, method, state, created, changed, until, due)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, draft.key, draft.buyer, draft.seller, draft.item?.text, terms.scope, terms.kind.rawValue,
                terms.licence?.rawValue, terms.subject, terms.price.amount, terms.price.currency.code, draft.provider,
                account.name, (isFree ? .none : method).rawValue, terms.kind == .bid ? "asking" : "reserved", now, now,
                Accounts.milliseconds(until), now + Self.firstLook,
            ])
        guard let order = try Order.fetch(id, in: database) else { throw OrderRefusal.notFound }
        return (isFree ? try Self.pay(order, at: now, in: database) : order, true)
    }

    /// Whether somebody may have one more order that waits to be paid. What both sides have agreed on is not counted.
    ///
    /// - Throws: ``OrderRefusal/tooManyOpen(most:)``.
    private static func checkOpen(
        _ buyer: AccountID, _ licence: Order.Licence?, at now: Int64, in database: Database
    ) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*) AS count, COALESCE(SUM(licence = 'exclusive'), 0) AS exclusives FROM orders
                    WHERE buyer = ? AND kind = 'buy' AND state = 'reserved' AND until > ?
                    """), arguments: [buyer, now])
        guard let row else { return }
        let (count, exclusives): (Int, Int) = (row["count"], row["exclusives"])
        guard count < mostOpen else { throw OrderRefusal.tooManyOpen(most: mostOpen) }
        guard licence != .exclusive || exclusives < mostOpenExclusives else {
            throw OrderRefusal.tooManyOpen(most: mostOpenExclusives)
        }
    }

    /// Gives way to whoever pays for an exclusive, or has bought it.
    ///
    /// - Throws: ``OrderRefusal/taken(until:)``, ``OrderRefusal/sold``.
    package static func checkFree(_ scope: String, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT state, until FROM orders WHERE scope = ? AND licence = 'exclusive'
                        AND state IN ('reserved', 'paid', 'delivered')
                    """), arguments: [scope])
        guard let row else { return }
        guard row["state"] == Order.State.reserved.rawValue, let until = row["until"] as Int64? else {
            throw OrderRefusal.sold
        }
        throw OrderRefusal.taken(until: Accounts.date(until))
    }

    /// A bid has won: its buyer has until then, and the card is charged or what is held taken.
    package func win(_ id: HubID, until: Date) async throws(OrderRefusal) -> Order {
        try await refusing { database in
            guard let order = try Order.fetch(id, in: database) else { throw OrderRefusal.notFound }
            guard order.state == .bound else { throw OrderRefusal.changed(order.state) }
            if let scope = order.terms.scope { try Self.checkFree(scope, in: database) }
            return try order.move(
                to: .reserved, until: Accounts.milliseconds(until), at: Accounts.milliseconds(library.now()),
                in: database)
        }
    }

    /// A bid has not won: its hold or card is let go.
    package func lose(_ id: HubID) async throws(OrderRefusal) -> Order {
        try await refusing { database in
            guard let order = try Order.fetch(id, in: database) else { throw OrderRefusal.notFound }
            guard order.state == .bound || order.state == .asking else { throw OrderRefusal.changed(order.state) }
            return try order.move(to: .releasing, at: Accounts.milliseconds(library.now()), in: database)
        }
    }

    /// The seller gives back what was paid, all of it.
    ///
    /// - Parameters:
    ///   - seller: whose order it is; nil for the hub itself.
    ///   - tell: tells the buyer of it, in the same transaction.
    package func refund(
        _ id: HubID, by seller: AccountID?, reason: String,
        tell: @Sendable (_ before: Order, Database) throws -> Void = { _, _ in }
    ) async throws(OrderRefusal) -> Order {
        try await refusing { database in
            guard let order = try Order.fetch(id, in: database), seller == nil || order.seller == seller else {
                throw OrderRefusal.notFound
            }
            guard [.paid, .delivered].contains(order.state), order.terms.price.amount > 0 else {
                throw OrderRefusal.changed(order.state)
            }
            try tell(order, database)
            return try Self.takeBack(order, reason: reason, at: Accounts.milliseconds(library.now()), in: database)
        }
    }

    /// When an order is first looked at by itself, in ms: its provider has told by then, or the message is late.
    static let firstLook: Int64 = 60_000
}
