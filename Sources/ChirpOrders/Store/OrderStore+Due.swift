internal import ChirpAccounts
package import ChirpCommunity
package import GRDB

extension OrderStore {
    /// Orders whose provider is to be asked, the longest waiting first.
    package func dueOrders(limit: Int = 100) async throws(OrderRefusal) -> [HubID] {
        try await refusing { database in
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT id FROM orders WHERE due <= ? ORDER BY due LIMIT ?"),
                arguments: [Accounts.milliseconds(library.now()), limit]
            ).compactMap { HubID($0) }
        }
    }

    /// An order was looked at and stays as it was: another time, or never by itself where nothing can come of it.
    package func postpone(_ order: Order, for ever: Bool = false) async throws(OrderRefusal) {
        try await refusing { database in
            guard !ever else {
                return try database.cachedStatement(
                    sql: "UPDATE orders SET tries = tries + 1, due = NULL WHERE id = ? AND state = ?"
                ).execute(arguments: [order.id.text, order.state.rawValue])
            }
            let now = Accounts.milliseconds(library.now())
            // What may be paid until an instant is looked at then.
            let latest = order.until.map { max(Accounts.milliseconds($0), now + Self.firstLook) } ?? .max
            try database.cachedStatement(
                sql: """
                    UPDATE orders SET tries = tries + 1, due = min(? + \(Self.pause), ?)
                    WHERE id = ? AND state = ? AND due IS NOT NULL
                    """
            ).execute(arguments: [now, latest, order.id.text, order.state.rawValue])
        }
    }

    /// An order is looked at with the next sweep.
    package func hurry(_ id: HubID) async throws(OrderRefusal) {
        try await refusing { database in
            try database.cachedStatement(sql: "UPDATE orders SET due = ? WHERE id = ?").execute(
                arguments: [Accounts.milliseconds(library.now()), id.text])
        }
    }

    /// Orders that are paid and not delivered, the longest waiting first.
    package func dueDeliveries(limit: Int = 100) async throws(OrderRefusal) -> [Order] {
        try await refusing { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT orders.* FROM deliveries CROSS JOIN orders ON orders.sequence = purchase
                        WHERE deliveries.due <= ? ORDER BY deliveries.due LIMIT ?
                        """), arguments: [Accounts.milliseconds(library.now()), limit]
            ).compactMap(Order.init)
        }
    }

    /// Hands over what was paid, once: what is handed over and the order's state are written together.
    ///
    /// - Parameter handOver: called within the transaction.
    package func deliver(
        _ order: Order, _ handOver: @Sendable (Database) throws -> Void
    ) async throws(OrderRefusal) -> Order {
        try await refusing { database in
            guard let order = try Order.fetch(order.id, in: database) else { throw OrderRefusal.notFound }
            guard order.state == .paid else { throw OrderRefusal.changed(order.state) }
            do { try handOver(database) } catch {
                // What cannot be handed over holds up this order, and no other.
                if error is OrderRefusal || error is LibraryError { throw error }
                throw OrderRefusal.delivery("\(error)")
            }
            try database.cachedStatement(sql: "DELETE FROM deliveries WHERE purchase = ?").execute(
                arguments: [order.sequence])
            return try order.move(to: .delivered, at: Accounts.milliseconds(library.now()), in: database)
        }
    }

    /// It could not be made: another time.
    package func postponeDelivery(of order: Order, problem: String) async throws(OrderRefusal) {
        try await refusing { database in
            try database.cachedStatement(
                sql: "UPDATE deliveries SET tries = tries + 1, due = ? + \(Self.pause), problem = ? WHERE purchase = ?"
            ).execute(
                arguments: [Accounts.milliseconds(library.now()), String(problem.prefix(500)), order.sequence])
        }
    }

    /// Forgets messages of providers that were dealt with long ago; providers repeat theirs for three days.
    package func forgetOldEvents() async throws(OrderRefusal) {
        try await refusing { database in
            let old = Accounts.milliseconds(library.now()) - 90 * 86_400_000
            try database.cachedStatement(
                sql: "DELETE FROM providerEvents WHERE received < ? AND applied IS NOT NULL"
            ).execute(arguments: [old])
            try database.cachedStatement(sql: "DELETE FROM providerRefusals WHERE last < ?").execute(arguments: [old])
        }
    }
}
