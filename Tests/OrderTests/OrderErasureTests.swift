import ChirpAccounts
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import LoopbackService
import Testing

@Suite struct OrderErasureTests {
    private struct Entry: Decodable {
        let id, amount, state: String
        let isSale: Bool
    }

    private struct Payment: Decodable { let order, why, amount: String }

    @Test func `an export has both sides of what somebody bought and sold`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.pay(at: try #require(order.address))
        await world.deliverMessages()
        try await world.sweep()
        for (name, isSale, amount) in [("id-bob", false, "-12.50"), ("id-ann", true, "12.50")] {
            let export = try await world.library.export(of: AccountID(rawValue: name))
            func read<Found: Decodable>(_ document: String, _ type: Found.Type) throws -> Found {
                let bytes = try #require(export.documents.first { $0.name == document }?.bytes)
                return try JSONDecoder().decode(type, from: Data(bytes))
            }
            let orders = try read("orders.json", [Entry].self)
            #expect(orders.map(\.id) == [order.id.text])
            #expect(orders.first?.isSale == isSale)
            #expect(orders.first?.state == "delivered")
            #expect(try read("payments.json", [Payment].self).map(\.amount) == [amount])
        }
        let none = try await world.library.export(of: AccountID(rawValue: "id-cat"))
        #expect(
            none.documents.first { $0.name == "orders.json" }.map { String(decoding: $0.bytes, as: UTF8.self) }
                == "[\n\n]\n")
    }

    @Test func `who is erased leaves the ledger without her name, and what she pays then goes back`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let sold = try await world.desk.buy(world.draft(item, by: "bob"))
        world.stripe.pay(at: try #require(sold.address))
        await world.deliverMessages()
        try await world.sweep()
        let paying = try await world.desk.buy(world.draft(item, by: "bob"))
        try await world.library.transact { database in
            for board in world.library.boards { try board.erase(AccountID(rawValue: "id-bob"), database) }
            try database.execute(sql: "DELETE FROM accounts WHERE id = 'id-bob'")
        }
        #expect(try await world.store.ledger(of: sold.id).map(\.account?.rawValue) == [nil, "id-ann"])
        #expect(try await world.ledgerSums() == (byCurrency: ["EUR": 0], faults: 0))
        let told = world.stripe.messages.count
        world.stripe.pay(at: try #require(paying.address))
        await world.deliverMessages(from: told)
        let end = try await world.order(paying.id)
        #expect(end.state == .refunded)
        #expect(end.reason == "the buyer is gone")
        #expect(world.stripe.balance("eur") == 1250)
        let found = try await world.library.reading { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM providerEvents WHERE body LIKE '%bob%'")
        }
        #expect(found == 0)
    }
}
