import ChirpAccounts
import ChirpCommunity
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import LoopbackService
import Testing

@Suite struct BuyingTests {
    @Test func `what is paid is delivered once, and stands in the ledger`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        #expect(order.state == .reserved)
        let address = try #require(order.address)
        #expect(world.stripe.pay(at: address))
        for _ in 0..<3 { await world.deliverMessages() }
        #expect(try await world.order(order.id).state == .paid)
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        #expect(try await Parcels.counts(world) == (all: 1, orders: 1, unpaid: 0))
        let ledger = try await world.store.ledger(of: order.id)
        #expect(ledger.map(\.why) == [.payment, .payment])
        #expect(ledger.map(\.money.amount) == [-1250, 1250])
        #expect(ledger.map(\.account) == [order.buyer, order.seller])
        #expect(world.stripe.balance("eur") == 1250)
        #expect(try await world.ledgerSums().byCurrency == ["EUR": 0])
    }

    @Test func `the same key is the same order, and of nobody else`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let draft = try world.draft(item, key: "form-1")
        let first = try await world.desk.buy(draft)
        let again = try await world.desk.buy(draft)
        #expect(first == again)
        #expect(world.stripe.count(of: "checkout.session") == 1)
        await #expect(throws: OrderRefusal.badKey) {
            try await world.desk.buy(world.draft(item, by: "cat", key: "form-1"))
        }
    }

    @Test func `a price that changes meanwhile does not change what was ordered`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let order = try await world.desk.buy(world.draft(item, "10.00", key: "form-1"))
        let again = try await world.desk.buy(world.draft(item, "99.00", key: "form-1"))
        #expect(again.terms.price == order.terms.price)
        await #expect(throws: LibraryError.self) {
            try await world.library.transact { try $0.execute(sql: "UPDATE orders SET amount = 1") }
        }
        world.stripe.pay(at: try #require(order.address))
        await world.deliverMessages()
        #expect(try await world.earned() == 1000)
    }

    @Test func `what is free is paid at once, and asks no provider`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), "0"))
        #expect(order.state == .paid)
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        #expect(try await world.store.ledger(of: order.id).isEmpty)
        #expect(world.stripe.requests.isEmpty)
    }

    @Test func `who must not buy is told why, and nothing is written`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        try await world.library.transact {
            try $0.execute(sql: "UPDATE accounts SET state = 'closed' WHERE id = 'id-cat'")
        }
        let long = String(repeating: "k", count: 201)
        let cases: [(OrderDraft, OrderRefusal)] = [
            (try world.draft(item, by: "ann"), .own), (try world.draft(item, by: "cat"), .noAccount),
            (try world.draft(item, from: "cat"), .noAccount), (try world.draft(item, key: ""), .badKey),
            (try world.draft(item, key: long), .badKey), (try world.draft(item, scope: ""), .badTerms),
            (try world.draft(item, licence: .exclusive, scope: nil), .badTerms),
            (try world.draft(item, kind: .bid), .badTerms),
            (try world.draft(item, provider: "gold"), .noProvider("gold")),
        ]
        for (draft, refusal) in cases {
            await #expect(throws: refusal) { try await world.desk.buy(draft) }
        }
        #expect(try await world.states().isEmpty)
        // The seller has no account with the provider.
        let poor = try await world.item(by: "poor")
        await #expect(throws: OrderRefusal.payment(.noAccount(provider: "stripe"))) {
            try await world.desk.buy(world.draft(poor, from: "poor", licence: .exclusive, scope: "work-2"))
        }
        #expect(try await world.states().isEmpty)
    }

    @Test func `money that comes too late goes back in full`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        // Nobody can be asked for an hour and a half: what was reserved is free again.
        world.stripe.answer(
            Array(repeating: .json(503, "{}"), count: 500), at: "/v1/checkout/sessions/\(try page(order))")
        world.stripe.answer(
            Array(repeating: .json(503, "{}"), count: 500), at: "/v1/checkout/sessions/\(try page(order))/expire")
        world.stripe.pay(at: try #require(order.address))
        world.wait(100 * 60)
        try await world.sweep()
        #expect(try await world.order(order.id).state == .expired)
        // It answers again.
        let other = try await OrderWorld(after: world)
        world.stripe.recover()
        await other.deliverMessages()
        let late = try await other.order(order.id)
        #expect(late.state == .refunded)
        #expect(late.reason == "too late")
        #expect(world.stripe.balance("eur") == 0)
        #expect(try await other.store.ledger(of: order.id).map(\.why) == [.payment, .payment, .refund, .refund])
        try await other.sweep()
        #expect(try await Parcels.counts(other).all == 0)
    }

    @Test func `nobody can pay a page any more whose order has expired`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), licence: .exclusive))
        world.wait(36 * 60)
        try await world.sweep()
        #expect(try await world.order(order.id).state == .expired)
        #expect(!world.stripe.pay(at: try #require(order.address)))
        #expect(try await world.store.exclusive(of: "work-1") == nil)
    }

    @Test func `a seller gives back what was paid, and the bank of a buyer can too`() async throws {
        let world = try await OrderWorld()
        var orders: [Order] = []
        for _ in 0..<4 {
            let order = try await world.desk.buy(world.draft(try await world.item()))
            world.stripe.pay(at: try #require(order.address))
            orders.append(order)
        }
        await world.deliverMessages()
        try await world.sweep()
        let told = world.stripe.messages.count
        // At the hub, at Stripe, by the bank for good, and by the bank for now.
        await #expect(throws: OrderRefusal.notFound) {
            try await world.desk.refund(orders[0].id, by: AccountID(rawValue: "id-cat"), reason: "")
        }
        let back = try await world.desk.refund(orders[0].id, by: AccountID(rawValue: "id-ann"), reason: "sorry")
        #expect(back.state == .refunded)
        for (order, act) in zip(orders.dropFirst(), [0, 1, 2]) {
            let payment = try #require(try await world.order(order.id).references.payment)
            if act == 0 { world.stripe.giveBack(payment) } else { world.stripe.dispute(payment, isLost: act == 1) }
        }
        for _ in 0..<2 { await world.deliverMessages(from: told) }
        let ends = try await (
            world.order(orders[1].id).state, world.order(orders[2].id).state, world.order(orders[3].id).state
        )
        #expect(ends == (.refunded, .refunded, .delivered))
        #expect(
            try await world.store.ledger(of: orders[2].id).map(\.why) == [.payment, .payment, .chargeback, .chargeback])
        #expect(try await world.earned() == 1250)
        #expect(try await world.ledgerSums() == (byCurrency: ["EUR": 0], faults: 0))
    }

    @Test func `a delivery that fails is tried again, and happens once`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.pay(at: try #require(order.address))
        world.parcels.broken.change { $0.insert(order.id) }
        await world.deliverMessages()
        let sweep = try await world.desk.sweep()
        #expect(sweep.deliveries == 1 && sweep.problems.count == 1)
        #expect(try await world.order(order.id).state == .paid)
        world.parcels.broken.change { $0.removeAll() }
        world.wait(61)
        // Twice at the same time.
        let paid = try await world.order(order.id)
        async let one = try? world.desk.deliver(paid)
        async let two = try? world.desk.deliver(paid)
        _ = await (one, two)
        #expect(try await Parcels.counts(world) == (all: 1, orders: 1, unpaid: 0))
    }

    @Test func `whoever gives up makes room for others`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let order = try await world.desk.buy(world.draft(item, licence: .exclusive))
        await #expect(throws: OrderRefusal.taken(until: Date(timeIntervalSince1970: Double(world.now + 35 * 60)))) {
            try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive))
        }
        let bob = try #require(order.buyer)
        #expect(try await world.desk.cancel(order.id, by: bob).state == .expired)
        #expect(try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive)).state == .reserved)
        #expect(!world.stripe.pay(at: try #require(order.address)))
    }

    private func page(_ order: Order) throws -> String { try #require(order.references.checkout) }
}
