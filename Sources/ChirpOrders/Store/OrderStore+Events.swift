internal import ChirpAccounts
internal import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// A message of a provider as it is kept.
package struct KnownEvent: Hashable, Sendable {
    package let provider: String
    package let event: PaymentEvent
    /// Nil: not looked at yet.
    package let outcome: String?
}

extension OrderStore {
    /// Writes a message down before anything is done about it.
    ///
    /// - Returns: whether it is a new one.
    package func record(_ event: PaymentEvent, of provider: String) async throws(OrderRefusal) -> Bool {
        let body = EventBody(event).text
        return try await refusing { database in
            let now = Accounts.milliseconds(library.now())
            try database.cachedStatement(
                sql: """
                    INSERT INTO providerEvents (provider, id, received, kind, body, due) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (provider, id) DO NOTHING
                    """
            ).execute(arguments: [provider, event.id, now, event.kind, body, now])
            return database.changesCount == 1
        }
    }

    /// What is known of a message.
    package func event(_ id: String, of provider: String) async throws(OrderRefusal) -> KnownEvent? {
        try await refusing { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM providerEvents WHERE provider = ? AND id = ?"),
                arguments: [provider, id]
            ).flatMap(KnownEvent.init)
        }
    }

    /// Messages that were written down, and nothing is done about yet.
    package func dueEvents(limit: Int = 100) async throws(OrderRefusal) -> [KnownEvent] {
        try await refusing { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM providerEvents WHERE due <= ? ORDER BY due LIMIT ?"),
                arguments: [Accounts.milliseconds(library.now()), limit]
            ).compactMap(KnownEvent.init)
        }
    }

    /// Something was done about a message, or it was refused: in words for who looks for faults.
    package func finish(_ event: KnownEvent, _ outcome: String) async throws(OrderRefusal) {
        try await refusing { database in
            try database.cachedStatement(
                sql: """
                    UPDATE providerEvents SET applied = ?, outcome = ?, due = NULL
                    WHERE provider = ? AND id = ? AND applied IS NULL
                    """
            ).execute(
                arguments: [Accounts.milliseconds(library.now()), outcome, event.provider, event.event.id])
        }
    }

    /// Its provider does not answer: another time.
    package func postpone(_ event: KnownEvent) async throws(OrderRefusal) {
        try await refusing { database in
            try database.cachedStatement(
                sql: """
                    UPDATE providerEvents SET tries = tries + 1, due = ? + \(Self.pause)
                    WHERE provider = ? AND id = ? AND applied IS NULL
                    """
            ).execute(arguments: [Accounts.milliseconds(library.now()), event.provider, event.event.id])
        }
    }

    /// The order that a message is about: by its name, or by what the provider calls its page or its payment.
    package func order(of event: PaymentEvent, at provider: String) async throws(OrderRefusal) -> Order? {
        try await refusing { database in
            if let id = event.order.flatMap({ HubID($0) }) { return try Order.fetch(id, in: database) }
            for (column, reference) in [
                ("checkout", event.references.checkout), ("payment", event.references.payment),
            ] {
                guard let reference else { continue }
                let row = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT * FROM orders WHERE provider = ? AND \(column) = ?"),
                    arguments: [provider, reference])
                if let order = row.flatMap(Order.init) { return order }
            }
            return nil
        }
    }

    /// Counts a message that nobody vouches for. Nothing of it is kept.
    package func refuse(_ why: String, of provider: String) async throws(OrderRefusal) {
        try await refusing { database in
            let now = Accounts.milliseconds(library.now())
            try database.cachedStatement(
                sql: """
                    INSERT INTO providerRefusals (provider, day, why, count, last) VALUES (?, ?, ?, 1, ?)
                    ON CONFLICT (provider, day, why) DO UPDATE SET count = count + 1, last = excluded.last
                    """
            ).execute(arguments: [provider, now / 86_400_000, String(why.prefix(40)), now])
        }
    }

    /// How many messages were refused, by why.
    package func refusals(of provider: String) async throws(OrderRefusal) -> [String: Int] {
        try await refusing { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT why, SUM(count) AS count FROM providerRefusals WHERE provider = ? GROUP BY why"),
                arguments: [provider])
            return Dictionary(rows.map { ($0["why"], $0["count"]) }, uniquingKeysWith: +)
        }
    }

    /// The time to the next try, in ms, in SQL over `tries`: a minute, doubled each time, up to six hours.
    static let pause = "min(60000 << min(tries, 9), 21600000)"
}

/// What of a message is kept: ids and amounts.
private struct EventBody: Codable {
    let order, account, standing, checkout, payment, customer, card, refund: String?
    let amount: Int64?
    let currency: String?

    init(_ event: PaymentEvent) {
        order = event.order
        account = event.account.name
        standing = event.standing
        checkout = event.references.checkout
        payment = event.references.payment
        customer = event.references.customer
        card = event.references.card
        refund = event.references.refund
        amount = event.money?.amount
        currency = event.money?.currency.code
    }

    /// In JSON.
    var text: String {
        // What holds nothing but texts and numbers can always be encoded.
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension KnownEvent {
    fileprivate init?(_ row: Row) {
        guard let body = try? JSONDecoder().decode(EventBody.self, from: Data((row["body"] as String).utf8)) else {
            return nil
        }
        var money: Money?
        if let amount = body.amount, let currency = body.currency.flatMap({ Currency($0) }) {
            money = Money(amount, currency)
        }
        let isDone = (row["applied"] as Int64?) != nil
        self.init(
            provider: row["provider"],
            event: PaymentEvent(
                id: row["id"], kind: row["kind"], order: body.order, account: PaymentAccount(body.account),
                standing: body.standing,
                references: PaymentReferences(
                    checkout: body.checkout, payment: body.payment, customer: body.customer, card: body.card,
                    refund: body.refund), money: money),
            outcome: isDone ? row["outcome"] : nil)
    }
}
