import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import LoopbackService
import Testing

/// What the database keeps whatever the code does.
@Suite struct OrderTableTests {
    private func run(_ world: OrderWorld, _ statements: String...) async throws {
        try await world.library.transact { database in
            for sql in statements { try database.execute(sql: sql) }
        }
    }

    private static let insert = """
        INSERT INTO orders (id, key, buyer, seller, scope, kind, licence, subject, amount, currency, provider, method, state,
            created, changed)
        VALUES
        """

    @Test func `only the ways between states that the code knows are open`() async throws {
        let world = try await OrderWorld()
        let pairs = try await world.library.reading { database in
            try Row.fetchAll(database, sql: "SELECT state, next FROM orderStates").map { row in
                [row["state"] as String, row["next"] as String]
            }
        }
        let known = Order.State.allCases.flatMap { state in state.next.map { [state.rawValue, $0.rawValue] } }
        #expect(Set(pairs) == Set(known))
        #expect(pairs.count == known.count)
    }

    @Test func `the ledger cannot be changed, and every movement adds up to nothing`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.pay(at: try #require(order.address))
        await world.deliverMessages()
        let before = try await world.store.ledger(of: order.id)
        let number = order.sequence
        let movement = "INSERT INTO orderMovements (purchase, why, currency, at) VALUES (\(number), 'refund', 'EUR', 0)"
        func side(_ side: String, _ amount: Int) -> String {
            """
            INSERT INTO orderLedger (movement, side, account, amount)
            VALUES ((SELECT MAX(sequence) FROM orderMovements), '\(side)', NULL, \(amount))
            """
        }
        let attempts = [
            ["UPDATE orderLedger SET amount = 1"], ["UPDATE orderLedger SET account = NULL"],
            ["DELETE FROM orderLedger"],
            ["UPDATE orderMovements SET why = 'refund'"], ["DELETE FROM orderMovements"],
            ["UPDATE orderMovements SET fault = 0"], [movement], [movement, side("buyer", 5)],
            [movement, side("buyer", 5), side("seller", -4)], [side("buyer", 5)],
            ["INSERT OR REPLACE INTO orderLedger (sequence, movement, side, amount) VALUES (1, 1, 'buyer', 9)"],
            ["INSERT INTO orderMovements (purchase, why, currency, at) VALUES (\(number), 'payment', 'EUR', 0)"],
            [movement, side("buyer", 5), side("seller", -5), movement],
        ]
        for attempt in attempts {
            await #expect(throws: LibraryError.self, "\(attempt)") {
                try await world.library.transact { database in
                    for sql in attempt { try database.execute(sql: sql) }
                }
            }
        }
        #expect(try await world.store.ledger(of: order.id) == before)
        // What is right is taken.
        try await run(world, movement, side("buyer", 5), side("seller", -5))
    }

    @Test func `an order is not deleted, not paid by decree, and has one name`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), key: "one"))
        let attempts = [
            "DELETE FROM orders", "UPDATE orders SET state = 'paid'", "UPDATE orders SET state = 'delivered'",
            "UPDATE orders SET state = 'bound'", "UPDATE orders SET state = 'nowhere'", "UPDATE orders SET key = 'two'",
            "UPDATE orders SET currency = 'USD'", "UPDATE orders SET buyer = 'id-cat'",
            "UPDATE orders SET scope = 'work-9'",
            "\(Self.insert) ('x', 'one', NULL, NULL, NULL, 'buy', NULL, '', 1, 'EUR', 'p', 'checkout', 'reserved', 0, 0)",
            "\(Self.insert) ('x', 'k', NULL, NULL, NULL, 'buy', NULL, '', 1, 'EUR', 'p', 'checkout', 'paid', 0, 0)",
            "\(Self.insert) ('x', 'k', NULL, NULL, NULL, 'buy', NULL, '', -1, 'EUR', 'p', 'checkout', 'reserved', 0, 0)",
            "\(Self.insert) ('x', 'k', NULL, NULL, NULL, 'buy', 'exclusive', '', 1, 'EUR', 'p', 'checkout', 'reserved', 0, 0)",
        ]
        for attempt in attempts {
            await #expect(throws: LibraryError.self, "\(attempt)") { try await run(world, attempt) }
        }
        #expect(try await world.order(order.id) == order)
    }

    @Test func `the database itself sells an exclusive once`() async throws {
        let world = try await OrderWorld()
        func order(_ id: String, _ licence: String = "'exclusive'") -> String {
            """
            \(Self.insert) ('\(id)', '\(id)', NULL, NULL, 'work', 'buy', \(licence), '', 1, 'EUR', 'p', 'checkout',
                'reserved', 0, 0)
            """
        }
        try await run(world, order("a"), order("b", "'lease'"), order("c", "'lease'"))
        await #expect(throws: LibraryError.self) { try await run(world, order("d")) }
        try await run(world, "UPDATE orders SET state = 'expired' WHERE id = 'a'", order("d"))
        await #expect(throws: LibraryError.self) { try await run(world, order("e")) }
    }

    @Test func `a message of a provider is known by its name there`() async throws {
        let world = try await OrderWorld()
        let event = PaymentEvent(id: "evt_1", kind: "k", order: nil, references: PaymentReferences(), money: nil)
        #expect(try await world.store.record(event, of: "stripe"))
        #expect(try await !world.store.record(event, of: "stripe"))
        #expect(try await world.store.record(event, of: "other"))
        #expect(try await world.store.dueEvents().count == 2)
        // Messages are forgotten after three months, when they were dealt with.
        let known = try #require(try await world.store.event("evt_1", of: "stripe"))
        try await world.store.finish(known, "refused: no such order")
        world.wait(91 * 86_400)
        try await world.store.forgetOldEvents()
        #expect(try await world.store.event("evt_1", of: "stripe") == nil)
        #expect(try await world.store.event("evt_1", of: "other") != nil)
    }
}
