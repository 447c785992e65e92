import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import LoopbackService
import Testing

/// Orders that are paid at sellers' own accounts: whatever becomes of those, an order's money is where it was paid (boards.md 4.4).
@Suite struct ConnectedOrderTests {
    /// Something of a seller's that is bought by card.
    private func buy(_ world: OrderWorld, from seller: String = "sue", key: String = UUID().uuidString) async throws
        -> Order
    {
        try await world.desk.buy(world.draft(try await world.item(by: seller), from: seller, key: key))
    }

    private func paid(_ world: OrderWorld) async throws -> Order {
        let order = try await buy(world)
        #expect(world.stripe.pay(at: try #require(order.address)))
        await world.deliverMessages()
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        return order
    }

    /// Another account of the same seller, which may be charged.
    private func exchange(_ world: OrderWorld) async throws -> String {
        try await world.library.transact { database in
            try database.execute(
                sql: "UPDATE sellerCards SET isReady = 0, ending = 'gone', version = version + 1, due = NULL")
        }
        return try await world.connect("sue")
    }

    @Test func `the money goes to the seller's account, by the header alone, and nothing to the hub's`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let asked = world.stripe.requests.count
        let order = try await paid(world)
        #expect(order.account == .connected(account))
        // But for how the account itself stands, which the platform asks.
        let requests = world.stripe.requests.dropFirst(asked).filter { !$0.path.hasPrefix("/v1/accounts/") }
        #expect(!requests.isEmpty && requests.allSatisfy { $0.headers["Stripe-Account"] == account })
        #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer \(LoopbackStripe.key)" })
        #expect(
            !requests.contains { $0.form.keys.contains { $0.contains("application_fee") || $0.contains("transfer") } })
        #expect(world.stripe.balance("eur", of: account) == 1250 && world.stripe.balance("eur", of: "") == 0)
        _ = try await world.desk.refund(order.id, by: AccountID(rawValue: "id-sue"), reason: "")
        #expect(try await world.order(order.id).state == .refunded)
        #expect(world.stripe.balance("eur", of: account) == 0)
    }

    @Test func `a refund goes back where the money is, though the seller has another account by then, or none`()
        async throws
    {
        for hasNone in [false, true] {
            let world = try await OrderWorld()
            let account = try await world.connect("sue")
            let order = try await paid(world)
            let other = hasNone ? "" : try await exchange(world)
            if hasNone { try await world.library.transact { try $0.execute(sql: "DELETE FROM sellerCards") } }
            let end = try await world.desk.refund(order.id, by: AccountID(rawValue: "id-sue"), reason: "")
            #expect(end.state == .refunded)
            #expect(world.stripe.balance("eur", of: account) == 0 && world.stripe.balance("eur", of: other) == 0)
            #expect(world.stripe.requests.last?.headers["Stripe-Account"] == account)
        }
    }

    @Test func `what is paid after the seller has changed her account counts, and what comes too late goes back`()
        async throws
    {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let (one, two) = (try await buy(world), try await buy(world))
        let told = world.stripe.messages.count
        let other = try await exchange(world)
        #expect(try await buy(world).account == .connected(other))
        #expect(world.stripe.pay(at: try #require(one.address)))
        await world.deliverMessages(from: told)
        #expect(try await world.order(one.id).state == .paid)
        #expect(world.stripe.balance("eur", of: account) == 1250)
        // The other one is paid when its time is over here, and not there.
        for end in ["", "/expire"] {
            world.stripe.answer(
                Array(repeating: .json(503, "{}"), count: 500),
                at: "/v1/checkout/sessions/\(try #require(two.references.checkout))\(end)")
        }
        world.stripe.pay(at: try #require(two.address))
        world.wait(100 * 60)
        try await world.sweep()
        #expect(try await world.order(two.id).state == .expired)
        world.stripe.recover()
        await world.deliverMessages(from: told)
        #expect(try await world.order(two.id).state == .refunded)
        #expect(world.stripe.balance("eur", of: account) == 1250 && world.stripe.balance("eur", of: other) == 0)
    }

    @Test(arguments: [3.0, 30])
    func `who has won is charged where her card was left, though the seller has changed her account`(_ days: Double)
        async throws
    {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let item = try await world.item(by: "sue")
        var bids: [Order] = []
        for buyer in ["bob", "cat"] {
            let draft = try world.draft(item, by: buyer, from: "sue", kind: .bid, licence: .exclusive, "80")
            let bid = try await world.desk.bid(
                draft, ends: Date(timeIntervalSince1970: Double(world.now) + days * 86_400))
            #expect(world.stripe.pay(at: try #require(bid.address)))
            bids.append(bid)
        }
        await world.deliverMessages()
        let other = try await exchange(world)
        #expect(try await world.desk.win(bids[0].id).state == .paid)
        #expect(try await world.desk.lose(bids[1].id).state == .released)
        #expect(world.stripe.balance("eur", of: account) == 8000 && world.stripe.balance("eur", of: other) == 0)
        #expect(world.stripe.count(of: "payment_intent", where: "requires_capture") == 0)
    }

    @Test func `another seller's message that names an order is refused, and nobody asks at her account`() async throws
    {
        let world = try await OrderWorld()
        let (sues, mias) = (try await world.connect("sue"), try await world.connect("mia"))
        let (order, bait) = (try await buy(world), try await buy(world, from: "mia"))
        world.stripe.pay(at: try #require(bait.address))
        let owner = try await world.desk.buy(world.draft(try await world.item()))
        for (number, message) in world.stripe.messages.suffix(2).enumerated() {
            for (name, id) in [("sue", order.id), ("ann", owner.id)] {
                // Whoever sells writes into payments of her own what she likes.
                let text = String(decoding: message.content, as: UTF8.self).replacing(bait.id.text, with: id.text)
                    .replacing(message.id, with: "evt_\(name)\(number)")
                let posed = LoopbackStripe.Message(
                    id: "evt_\(name)\(number)", type: message.type, content: Array(text.utf8), account: mias)
                let asked = world.stripe.requests.count
                #expect(await world.take(posed) == nil)
                #expect(try await world.store.event(posed.id, of: "stripe")?.outcome == "refused: another account")
                #expect(world.stripe.requests.count == asked)
                // One that names the right account all the same is asked about there, where it is nobody's.
                let other = String(decoding: posed.content, as: UTF8.self).replacing(mias, with: sues)
                    .replacing(posed.id, with: "\(posed.id)x")
                if name == "sue" {
                    #expect(
                        await world.take(.init(id: "", type: "", content: Array(other.utf8), account: sues)) == nil)
                    #expect(world.stripe.requests.last?.headers["Stripe-Account"] == sues)
                }
            }
        }
        try await world.sweep()
        #expect(try await world.order(order.id).state == .reserved)
        #expect(try await world.order(owner.id).state == .reserved)
        #expect(world.stripe.pay(at: try #require(order.address)))
        await world.deliverMessages()
        #expect(try await world.order(order.id).state == .paid)
    }

    @Test func `messages of connected accounts come twice, in any order, and count once`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let order = try await buy(world)
        world.stripe.pay(at: try #require(order.address))
        let messages = world.stripe.messages
        for message in messages { await world.take(message, fault: .forged) }
        #expect(try await world.order(order.id).state == .reserved)
        for message in messages.reversed() + messages.shuffled() { #expect(await world.take(message) == nil) }
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
        #expect(try await world.store.ledger(of: order.id).count == 2)
        #expect(world.stripe.balance("eur", of: account) == 1250)
    }

    @Test func `an account that may not be charged is not used for the next order`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let item = try await world.item(by: "sue")
        world.stripe.set(account, mayBeCharged: false)
        // The message is lost: the page is refused, and the account is asked about.
        await #expect(throws: OrderRefusal.self) { try await world.desk.buy(world.draft(item, from: "sue")) }
        #expect(try await world.states() == [.failed: 1])
        #expect(try await world.card("sue")?.state == .begun)
        #expect(try await world.payee("sue") == nil)
        await #expect(throws: OrderRefusal.payment(.noAccount(provider: "stripe"))) {
            try await world.desk.buy(world.draft(item, from: "sue"))
        }
        #expect(try await world.states() == [.failed: 1])
        #expect(try await world.desk.buy(world.draft(item, from: "sue", provider: "by-hand")).state == .reserved)
    }

    @Test func `a page that is refused stops cards also when nobody says why`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        world.stripe.answer([.json(400, "{}")], at: "/v1/checkout/sessions")
        world.stripe.answer([.json(503, "{}")], at: "/v1/accounts/\(account)")
        await #expect(throws: OrderRefusal.self) { try await buy(world) }
        #expect(try await world.payee("sue") == nil)
        #expect(try await world.cards.sweep().isEmpty)
        #expect(try await world.payee("sue") == .connected(account))
    }

    @Test func `a form that is sent again leads to the same page, though the seller is paid by hand by now`()
        async throws
    {
        let world = try await OrderWorld()
        _ = try await world.connect("sue")
        let item = try await world.item(by: "sue")
        world.stripe.answer([.json(500, "{}")], at: "/v1/checkout/sessions")
        await #expect(throws: OrderRefusal.self) {
            try await world.desk.buy(world.draft(item, from: "sue", key: "form"))
        }
        try await world.cards.end(AccountID(rawValue: "id-sue"))
        let order = try await world.desk.buy(world.draft(item, from: "sue", provider: "by-hand", key: "form"))
        #expect(order.provider == "stripe" && order.address?.hasPrefix(world.stripe.base) == true)
        #expect(try await world.states() == [.reserved: 1])
    }

    @Test func `a seller who is gone leaves orders whose money still goes back where it is`() async throws {
        let world = try await OrderWorld()
        let account = try await world.connect("sue")
        let order = try await paid(world)
        try await world.library.transact { try $0.execute(sql: "DELETE FROM accounts WHERE id = 'id-sue'") }
        #expect(try await world.desk.refund(order.id, by: nil, reason: "").state == .refunded)
        #expect(world.stripe.balance("eur", of: account) == 0)
    }

    @Test func `an order of a release before is paid at the hub's own account`() async throws {
        let folder = try TemporaryFolder()
        let id = HubID()
        let old = BoardTables(name: "orders", steps: Array(OrderTables.tables.steps.prefix(1)))
        try await HubLibrary(folder: folder.path("hub"), reserve: .init(Int64(0)), boards: [old]).transact { database in
            try database.execute(
                sql: """
                    INSERT INTO orders (id, key, kind, subject, amount, currency, provider, method, state, created, changed)
                    VALUES (?, 'k', 'buy', '', 1250, 'EUR', 'stripe', 'checkout', 'reserved', 0, 0)
                    """, arguments: [id.text])
        }
        let library = try HubLibrary(
            folder: folder.path("hub"), reserve: .init(Int64(0)), boards: [OrderTables.tables])
        let order = try await OrderStore(library: library).order(id)
        #expect(order?.account == .own && order?.terms.price.amount == 1250)
    }

    @Test func `what costs nothing needs no account, and an order's account never changes`() async throws {
        let world = try await OrderWorld()
        try await world.person("sue")
        let item = try await world.item(by: "sue")
        #expect(try await world.desk.buy(world.draft(item, from: "sue", "0")).state == .paid)
        _ = try await world.connect("sue")
        _ = try await buy(world)
        for sql in ["UPDATE orders SET account = NULL", "UPDATE orders SET account = 'acct_9'"] {
            await #expect(throws: (any Error).self) { try await world.library.transact { try $0.execute(sql: sql) } }
        }
    }
}
