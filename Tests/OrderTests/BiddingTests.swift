import ChirpAccounts
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import LoopbackService
import Testing

@Suite struct BiddingTests {
    private func bid(
        _ world: OrderWorld, by buyer: String = "bob", days: Double, card: LoopbackStripe.Card = .good,
        provider: String = "stripe"
    ) async throws -> Order {
        let item = try await world.item()
        let ends = Date(timeIntervalSince1970: Double(world.now) + days * 86_400)
        let told = world.stripe.messages.count
        let order = try await world.desk.bid(
            world.draft(item, by: buyer, kind: .bid, licence: .exclusive, "80.00", provider: provider), ends: ends)
        if let address = order.address { world.stripe.pay(at: address, with: card) }
        await world.deliverMessages(from: told)
        return try await world.order(order.id)
    }

    @Test(arguments: [(3.9, Order.Method.hold), (4.1, .card), (30, .card)])
    func `money is held only where a hold lasts until the auction is over`(
        _ days: Double, _ method: Order.Method
    ) async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: days)
        #expect(order.state == .bound)
        #expect(order.method == method)
        // Nothing was taken yet.
        #expect(world.stripe.balance("eur") == 0)
        world.wait(Int64(days * 86_400) + 10)
        let won = try await world.desk.win(order.id)
        #expect(won.state == .paid)
        #expect(world.stripe.balance("eur") == 8000)
        await world.deliverMessages()
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        #expect(try await world.earned() == 8000)
    }

    @Test(arguments: [3.0, 30])
    func `who has not won pays nothing, and nothing is kept`(_ days: Double) async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: days)
        #expect(try await world.desk.lose(order.id).state == .released)
        #expect(world.stripe.balance("eur") == 0)
        #expect(world.stripe.count(of: "payment_intent", where: "requires_capture") == 0)
        // A held amount can no longer be taken, and a bid that was let go does not win.
        await #expect(throws: OrderRefusal.changed(.released)) { try await world.desk.win(order.id) }
        await world.deliverMessages()
        #expect(try await world.order(order.id).state == .released)
    }

    @Test func `a card without money fails, and the exclusive is free for the next`() async throws {
        let world = try await OrderWorld()
        let poor = try await bid(world, by: "bob", days: 10, card: .empty)
        let next = try await bid(world, by: "cat", days: 10)
        let lost = try await world.desk.win(poor.id)
        #expect(lost.state == .failed)
        #expect(lost.reason == "insufficient_funds")
        #expect(try await world.desk.win(next.id).state == .paid)
        #expect(world.stripe.balance("eur") == 8000)
    }

    @Test func `of two who win only one does`() async throws {
        let world = try await OrderWorld()
        let one = try await bid(world, by: "bob", days: 10)
        let two = try await bid(world, by: "cat", days: 2)
        #expect(try await world.desk.win(one.id).state == .paid)
        await #expect(throws: OrderRefusal.sold) { try await world.desk.win(two.id) }
        #expect(try await world.desk.lose(two.id).state == .released)
        #expect(world.stripe.balance("eur") == 8000)
    }

    @Test(arguments: [3.0, 30])
    func `a charge whose answer is lost is not made twice`(_ days: Double) async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: days)
        let path =
            days < 4
            ? "/v1/payment_intents/\(try #require(order.references.payment))/capture" : "/v1/payment_intents"
        world.stripe.answer([.json(200, "{}").lost, .json(500, "{}")], at: path)
        #expect(try await world.desk.win(order.id).state == .reserved)
        #expect(world.stripe.balance("eur") == 8000)
        // The process ends, and another goes on.
        let other = try await OrderWorld(after: world)
        for _ in 0..<10 {
            other.wait(120)
            try await other.sweep()
        }
        #expect(try await other.order(order.id).state == .delivered)
        #expect(world.stripe.balance("eur") == 8000)
    }

    @Test func `a charge is not repeated once its key may be forgotten`() async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: 30)
        world.stripe.answer(
            [.json(200, "{}").lost] + Array(repeating: .json(500, "{}"), count: 60), at: "/v1/payment_intents")
        #expect(try await world.desk.win(order.id).state == .reserved)
        world.wait(21 * 3600)
        world.stripe.recover()
        world.stripe.forgetKeys()
        try await world.sweep()
        // It was found among the payments of the card's holder.
        #expect(try await world.order(order.id).state == .delivered)
        #expect(world.stripe.balance("eur") == 8000)
    }

    @Test func `a bid by hand binds by word, and is paid when the seller says so`() async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: 1, provider: "by-hand")
        #expect(order.state == .bound)
        #expect(try await world.desk.win(order.id).state == .reserved)
        try await world.hand.mark(order.id, .paid, by: AccountID(rawValue: "id-ann"))
        #expect(try await world.desk.look(at: order.id).state == .paid)
    }

    @Test func `whoever is erased bids no more`() async throws {
        let world = try await OrderWorld()
        let order = try await bid(world, days: 30)
        try await world.library.transact { database in
            for board in world.library.boards { try board.erase(AccountID(rawValue: "id-bob"), database) }
            try database.execute(sql: "DELETE FROM accounts WHERE id = 'id-bob'")
        }
        try await world.sweep()
        let left = try await world.order(order.id)
        #expect(left.state == .released)
        #expect(left.buyer == nil)
        #expect(world.stripe.balance("eur") == 0)
    }
}
