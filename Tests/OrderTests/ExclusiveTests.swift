import ChirpAccounts
import ChirpCommunity
import ChirpOrders
import Foundation
import LoopbackService
import Testing

@Suite struct ExclusiveTests {
    @Test func `of a thousand buyers at once one gets the exclusive, and the others are told`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        try await world.people((0..<1000).map { "buyer\($0)" })
        let ends = await withTaskGroup(of: Result<Order, OrderRefusal>.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    do throws(OrderRefusal) {
                        guard let draft = try? world.draft(item, by: "buyer\(index)", licence: .exclusive, "500.00")
                        else { return .failure(.badTerms) }
                        return .success(try await world.desk.buy(draft))
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = ends.compactMap { try? $0.get() }
        #expect(winners.count == 1)
        let told = OrderRefusal.taken(until: Date(timeIntervalSince1970: Double(world.now + 35 * 60)))
        #expect(ends.count { $0 == .failure(told) } == 999)
        #expect(world.stripe.count(of: "checkout.session") == 1)
        world.stripe.pay(at: try #require(winners.first?.address))
        await world.deliverMessages()
        try await world.sweep()
        #expect(try await world.states() == [.delivered: 1])
        await #expect(throws: OrderRefusal.sold) {
            try await world.desk.buy(world.draft(item, licence: .exclusive, "500.00"))
        }
        await #expect(throws: OrderRefusal.sold) { try await world.desk.buy(world.draft(item)) }
    }

    @Test func `of ten who pay one after another's time was over, one has bought and nine have their money back`()
        async throws
    {
        let world = try await OrderWorld()
        let item = try await world.item()
        var orders: [Order] = []
        for index in 0..<10 {
            let name = "late\(index)"
            try await world.person(name)
            let order = try await world.desk.buy(world.draft(item, by: name, licence: .exclusive, "500.00"))
            orders.append(order)
            // The buyer pays, but nobody hears of it: the provider can be asked for nothing until the time is over.
            let page = "/v1/checkout/sessions/\(try #require(order.references.checkout))"
            if index < 9 {
                world.stripe.answer(Array(repeating: .json(502, "{}"), count: 300), at: page)
                world.stripe.pay(at: try #require(order.address))
                world.wait(96 * 60)
                try await world.sweep()
            }
        }
        world.stripe.recover()
        world.stripe.pay(at: try #require(orders.last?.address))
        #expect(world.stripe.balance("eur") == 500_000)
        await world.deliverMessages()
        for _ in 0..<3 {
            world.wait(3600)
            try await world.sweep()
        }
        #expect(try await world.states() == [.delivered: 1, .refunded: 9])
        #expect(try await world.order(orders[9].id).state == .delivered)
        #expect(world.stripe.balance("eur") == 50_000)
        #expect(try await world.earned() == 50_000)
        for order in orders.dropLast() {
            let ledger = try await world.store.ledger(of: order.id)
            #expect(ledger.map(\.money.amount) == [-50_000, 50_000, 50_000, -50_000])
        }
        #expect(try await Parcels.counts(world) == (all: 1, orders: 1, unpaid: 0))
    }

    @Test func `leases sold before stay valid, and whoever buys the exclusive sees all of them`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let sold = try await world.desk.buy(world.draft(item, by: "bob"))
        world.stripe.pay(at: try #require(sold.address))
        await world.deliverMessages()
        let paying = try await world.desk.buy(world.draft(item, by: "bob"))
        let exclusive = try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive, "500.00"))
        // Nobody slips in between what she sees and what she pays for.
        await #expect(throws: OrderRefusal.self) { try await world.desk.buy(world.draft(item, by: "bob")) }
        let seen = try await world.store.leases(of: "work-1", earlier: exclusive).map(\.id)
        #expect(seen == [sold.id, paying.id])
        world.stripe.pay(at: try #require(exclusive.address))
        world.stripe.pay(at: try #require(paying.address))
        await world.deliverMessages()
        try await world.sweep()
        #expect(try await world.states() == [.delivered: 3])
        #expect(try await world.store.exclusive(of: "work-1")?.id == exclusive.id)
    }
}
