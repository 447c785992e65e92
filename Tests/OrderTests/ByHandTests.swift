import ChirpAccounts
import ChirpOrders
import Foundation
import LoopbackService
import Testing

@Suite struct ByHandTests {
    private let ann = AccountID(rawValue: "id-ann")

    @Test func `the seller says that the money is there, and it is delivered once`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), provider: "by-hand"))
        #expect(order.address == "https://hub.example.org/orders/\(order.id)")
        await #expect(throws: OrderRefusal.notFound) {
            try await world.hand.mark(order.id, .paid, by: AccountID(rawValue: "id-bob"))
        }
        try await world.sweep()
        #expect(try await world.order(order.id).state == .reserved)
        try await world.hand.mark(order.id, .paid, by: ann)
        try await world.hand.mark(order.id, .paid, by: ann)
        for _ in 0..<3 { try await world.desk.look(at: order.id) }
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        #expect(try await Parcels.counts(world) == (all: 1, orders: 1, unpaid: 0))
        #expect(try await world.earned() == 1250)
        #expect(world.stripe.requests.isEmpty)
    }

    @Test func `money goes back when the seller has given it back`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), provider: "by-hand"))
        try await world.hand.mark(order.id, .paid, by: ann)
        try await world.desk.look(at: order.id)
        await #expect(throws: OrderRefusal.changed(.paid)) { try await world.hand.mark(order.id, .refunded, by: ann) }
        #expect(try await world.desk.refund(order.id, by: ann, reason: "wrong file").state == .refunding)
        try await world.hand.mark(order.id, .refunded, by: ann)
        let back = try await world.desk.look(at: order.id)
        #expect(back.state == .refunded)
        #expect(back.reason == "wrong file")
        #expect(try await world.earned() == 0)
        try await world.sweep()
        #expect(try await Parcels.counts(world).all == 0)
    }

    @Test func `an exclusive waits for a transfer for three days, and money that comes later goes back`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let order = try await world.desk.buy(world.draft(item, licence: .exclusive, provider: "by-hand"))
        world.wait(3 * 86_400 - 60)
        try await world.sweep()
        await #expect(throws: OrderRefusal.taken(until: Date(timeIntervalSince1970: Double(world.now) + 60))) {
            try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive, provider: "by-hand"))
        }
        world.wait(61)
        try await world.sweep()
        #expect(try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive)).state == .reserved)
        try await world.hand.mark(order.id, .paid, by: ann)
        #expect(try await world.desk.look(at: order.id).state == .refunding)
    }
}
