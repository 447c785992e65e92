import ChirpCommunity
import ChirpOrders
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

@Suite struct OrderStreamTests {
    /// A thousand take a minute of processor time: with `CHIRP_WHOLE` set.
    private static let count = ProcessInfo.processInfo.environment["CHIRP_WHOLE"] == nil ? 150 : 1000

    @Test func `all orders end right, whatever becomes of the messages about them`() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try await OrderWorld()
        let item = try await world.item()
        // One buyer may not have as many open.
        try await world.people((0..<Self.count).map { "buyer\($0)" })
        var orders: [(id: HubID, pays: Bool)] = []
        for index in 0..<Self.count {
            let price = "\(Int.random(in: 1...200, using: &generator)).\(Int.random(in: 10...99, using: &generator))"
            let order = try await world.desk.buy(
                world.draft(
                    item, by: "buyer\(index)", licence: index % 2 == 0 ? .lease : .exclusive, scope: "work-\(index)",
                    price,
                    currency: index % 3 == 0 ? "USD" : "EUR"))
            let pays = Int.random(in: 0..<10, using: &generator) > 0
            let address = try #require(order.address)
            if pays { world.stripe.pay(at: address) } else { world.stripe.expire(address) }
            orders.append((order.id, pays))
        }

        // Each message comes three times, but for those that are lost; one of a hundred copies has a wrong amount, and one more is forged.
        var deliveries: [LoopbackStripe.Delivery] = []
        var forged = 0
        for message in world.stripe.messages {
            func put(_ fault: LoopbackStripe.Fault) {
                deliveries.append(
                    LoopbackStripe.delivery(of: message, secret: OrderWorld.secret, at: world.now, fault: fault))
            }
            if Int.random(in: 0..<100, using: &generator) == 0 {
                put(.forged)
                forged += 1
            }
            guard Int.random(in: 0..<20, using: &generator) > 0 else { continue }
            for _ in 0..<3 {
                let isWrong = Int.random(in: 0..<100, using: &generator) == 0
                put(isWrong ? [.wrongAmount, .otherCurrency].randomElement(using: &generator) ?? .none : .none)
            }
        }
        deliveries.shuffle(using: &generator)
        let refused = await withTaskGroup(of: Int.self) { group in
            for part in 0..<8 {
                group.addTask { [deliveries] in
                    var refused = 0
                    for index in stride(from: part, to: deliveries.count, by: 8) {
                        let delivery = deliveries[index]
                        do {
                            try await world.desk.take(
                                delivery.content, signature: delivery.signature, from: "stripe")
                        } catch { refused += 1 }
                    }
                    return refused
                }
            }
            return await group.reduce(0, +)
        }
        #expect(refused == forged, "\(seed)")
        #expect(try await world.store.refusals(of: "stripe") == (forged > 0 ? ["wrong": forged] : [:]), "\(seed)")

        // What was lost is asked for.
        try await world.sweep()
        for _ in 0..<3 {
            world.wait(120)
            try await world.sweep()
        }
        var wrong = 0
        for order in orders {
            let state = try await world.order(order.id).state
            if state != (order.pays ? .delivered : .expired) { wrong += 1 }
        }
        let paid = orders.count { $0.pays }
        #expect(wrong == 0, "\(seed)")
        #expect(try await Parcels.counts(world) == (all: paid, orders: paid, unpaid: 0), "\(seed)")
        #expect(try await world.ledgerSums() == (byCurrency: ["EUR": 0, "USD": 0], faults: 0), "\(seed)")
        for currency in ["EUR", "USD"] {
            #expect(try await world.earned(currency) == world.stripe.balance(currency.lowercased()), "\(seed)")
        }
    }
}
