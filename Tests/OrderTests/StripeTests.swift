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

@Suite struct StripeTests {
    @Test func `each step has a key of its own, and the page what it needs`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), "5", currency: "JPY"))
        let request = try #require(world.stripe.requests.first)
        #expect(request.headers["Idempotency-Key"] == "\(order.id)-checkout")
        #expect(request.headers["Authorization"] == "Bearer \(LoopbackStripe.key)")
        #expect(request.headers["Stripe-Account"] == nil)
        #expect(request.form["client_reference_id"] == order.id.text)
        #expect(request.form["line_items[0][price_data][unit_amount]"] == "5")
        #expect(request.form["line_items[0][price_data][currency]"] == "jpy")
        #expect(request.form["expires_at"] == "\(world.now + 35 * 60)")
    }

    @Test(arguments: [
        ("EUR", "1.00", "100"), ("JPY", "100", "100"), ("ISK", "100", "10000"), ("UGX", "100", "10000"),
        ("MGA", "100.00", "100"), ("KWD", "1.230", "1230"),
    ])
    func `amounts are those that the service counts`(_ code: String, _ price: String, _ number: String) async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item(), price, currency: code))
        #expect(world.stripe.requests.first?.form["line_items[0][price_data][unit_amount]"] == number)
        world.stripe.pay(at: try #require(order.address))
        await world.deliverMessages()
        #expect(try await world.order(order.id).state == .paid)
        #expect(try await world.earned(code) == order.terms.price.amount)
    }

    @Test(arguments: [("KWD", "1.234"), ("MGA", "1.50")])
    func `what the service cannot count is refused before anybody pays`(_ code: String, _ price: String) async throws {
        let world = try await OrderWorld()
        await #expect(throws: OrderRefusal.self) {
            try await world.desk.buy(world.draft(try await world.item(), price, currency: code))
        }
        #expect(try await world.states() == [.failed: 1])
        #expect(world.stripe.requests.isEmpty)
    }

    @Test func `a service that fails or is slow leaves an order that can be tried again`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let draft = try world.draft(item, key: "form")
        world.stripe.answer(
            [.json(500, "{}"), .json(429, "{}"), .json(409, "{}"), .json(200, "no JSON")], at: "/v1/checkout/sessions")
        for _ in 0..<4 {
            await #expect(throws: OrderRefusal.self) { try await world.desk.buy(draft) }
        }
        // Whoever has no patience finds no answer there.
        world.stripe.stall("/v1/checkout/sessions")
        let hasty = try await OrderWorld(
            after: world, transport: PatientTransport(CurlTransport(), patience: .milliseconds(1)))
        await #expect(throws: OrderRefusal.self) { try await hasty.desk.buy(draft) }
        world.stripe.stall("/v1/checkout/sessions", false)
        // The page is made and its answer lost, which the transport may notice and ask again.
        world.stripe.answer([.json(200, "{}").lost], at: "/v1/checkout/sessions")
        _ = try? await world.desk.buy(draft)
        let order = try await world.desk.buy(draft)
        #expect(order.state == .reserved)
        #expect(try await world.states() == [.reserved: 1])
        // It is the page that is given.
        #expect(world.stripe.count(of: "checkout.session") == 1)
    }

    @Test(arguments: [6, 34, 36] as [Int64])
    func `an order whose page was never made lapses when it cannot be made any more`(_ minutes: Int64) async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let draft = try world.draft(item, licence: .exclusive, key: "form")
        world.stripe.answer([.json(500, "{}")], at: "/v1/checkout/sessions")
        await #expect(throws: OrderRefusal.self) { try await world.desk.buy(draft) }
        world.wait(minutes * 60)
        // The buyer is not told that the order cannot be paid like this, but that its time is over.
        #expect(try await world.desk.buy(draft).state == .expired)
        #expect(world.stripe.count(of: "checkout.session") == 0)
        #expect(try await world.desk.buy(draft).state == .expired)
        #expect(try await world.desk.buy(world.draft(item, by: "cat", licence: .exclusive)).state == .reserved)
    }

    @Test func `a key that is not accepted fails the order, and is never told`() async throws {
        let world = try await OrderWorld()
        world.stripe.answer(
            [.json(401, #"{"error":{"type":"invalid_request_error","message":"sk_secret"}}"#)],
            at: "/v1/checkout/sessions")
        let draft = try world.draft(try await world.item(), key: "form")
        do {
            _ = try await world.desk.buy(draft)
            Issue.record("the order was taken")
        } catch { #expect(!"\(error)".contains("sk_")) }
        let order = try #require(try await world.store.orders(of: draft.buyer, as: .buyer).first)
        #expect(order.state == .failed)
        #expect(!order.reason.contains("sk_"))
    }

    @Test func `messages about others, or about nothing, change nothing`() async throws {
        let world = try await OrderWorld()
        let item = try await world.item()
        let order = try await world.desk.buy(world.draft(item))
        let other = try await world.desk.buy(world.draft(item))
        world.stripe.pay(at: try #require(other.address))
        let told = try #require(world.stripe.messages.last)
        // Another's page that bears the name of this order: links for paying let buyers choose that name.
        let text = String(decoding: told.content, as: UTF8.self).replacing(other.id.text, with: order.id.text)
        let posed = LoopbackStripe.Message(id: told.id, type: told.type, content: Array(text.utf8))
        #expect(await world.take(posed) == nil)
        #expect(try await world.order(order.id).state == .reserved)
        #expect(try await world.store.event(told.id, of: "stripe")?.outcome == "refused: another page")
        for (index, content) in [
            #"{"id":"evt_x0","type":"plan.created","data":{"object":{"id":"p","object":"plan"}}}"#,
            #"{"id":"evt_x1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_9","object":"payment_intent"}}}"#,
        ].enumerated() {
            let message = LoopbackStripe.Message(id: "evt_x\(index)", type: "x", content: Array(content.utf8))
            #expect(await world.take(message) == nil)
            #expect(try await world.store.event(message.id, of: "stripe")?.outcome == "refused: no such order")
        }
        for content in ["", "[]", "{}", "null", #"{"id":1}"#, #"{"id":"","type":"x","data":{"object":{}}}"#] {
            let message = LoopbackStripe.Message(id: "", type: "", content: Array(content.utf8))
            #expect(await world.take(message) != nil)
        }
    }

    @Test(arguments: [LoopbackStripe.Fault.wrongAmount, .otherCurrency])
    func `a wrong amount is refused and kept, and what was paid is asked for`(_ fault: LoopbackStripe.Fault)
        async throws
    {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.pay(at: try #require(order.address))
        for message in world.stripe.messages { await world.take(message, fault: fault) }
        #expect(try await world.order(order.id).state == .reserved)
        let last = try #require(world.stripe.messages.last)
        let outcome = try await world.store.event(last.id, of: "stripe")?.outcome
        #expect(outcome == (fault == .wrongAmount ? "refused: wrong amount" : "refused: other currency"))
        try await world.sweep()
        #expect(try await world.order(order.id).state == .delivered)
    }

    @Test func `a payment that is not the price goes back whole`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.change(try #require(order.references.checkout), amount: 100)
        world.stripe.pay(at: try #require(order.address))
        try await world.desk.look(at: order.id)
        let end = try await world.order(order.id)
        #expect(end.state == .refunded)
        #expect(end.reason == "wrong amount")
        #expect(world.stripe.balance("eur") == 0)
        #expect(try await world.store.ledger(of: order.id).map(\.money.amount) == [-100, 100, 100, -100])
    }

    @Test func `a key is read from a file that its owner alone may read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("stripe.key")
        func write(_ text: String, _ mode: Int) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try write("sk_live_1\n", 0o600)
        #expect(try SecretFile.read(path).reveal() == "sk_live_1")
        for mode in [0o640, 0o604, 0o620, 0o666] {
            try write("sk_live_1\n", mode)
            #expect(throws: PaymentError.self) { try SecretFile.read(path) }
        }
        for text in ["", "\n", "gr\u{00fc}n", String(repeating: "x", count: 5000)] {
            try write(text, 0o600)
            #expect(throws: PaymentError.self) { try SecretFile.read(path) }
        }
        #expect(throws: PaymentError.self) { try SecretFile.read(folder.path("none")) }
        #expect(throws: PaymentError.self) { try SecretFile.read(folder.path("")) }
    }
}
