import ChirpCore
import ChirpOrders
import Foundation
import LoopbackService
import Testing

/// `Tests/Peers/stripe_orders.py` compares it with Stripe's own library over 10,000 headers.
@Suite struct StripeSignatureTests {
    private static let body = Array(#"{"id":"evt_1","object":"event"}"#.utf8)
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let secret = Secret("whsec_one")

    private func fault(_ header: String, _ body: [UInt8] = body, secrets: [Secret] = [secret]) -> SignatureFault? {
        do throws(SignatureFault) {
            try StripeSignature(secrets: secrets).check(header, of: body, now: Self.now)
            return nil
        } catch { return error }
    }

    private func header(_ age: Int64 = 0, _ secret: Secret = secret) -> String {
        StripeSignature.header(for: Self.body, secret: secret, at: 1_800_000_000 - age)
    }

    @Test func `the code is that of RFC 2104 with SHA-256`() {
        // By: printf '1800000000.{"id":"evt_1","object":"event"}' | openssl dgst -sha256 -hmac whsec_one
        #expect(header() == "t=1800000000,v1=dc473974d9c98c2efb8846afe320b23261e5390ddc4522d672da34ac89d07e65")
    }

    @Test func `what is signed within five minutes is believed, once for any of the secrets`() {
        for age in [0, 1, 299, 300, -3600] as [Int64] { #expect(fault(header(age)) == nil) }
        #expect(fault(header(301)) == .old)
        let both = [Secret("whsec_two"), Self.secret]
        #expect(fault(header(), secrets: both) == nil)
        #expect(fault(header(0, Secret("whsec_two")), secrets: both) == nil)
        #expect(fault(header(), secrets: []) == .wrong)
        // A secret that was left empty opens nothing.
        #expect(fault(header(0, Secret("")), secrets: [Secret("")]) == .wrong)
    }

    @Test func `what is changed, or signed otherwise, is not believed`() {
        let good = header()
        let code = good.drop { $0 != "v" }
        let cases: [(String, SignatureFault)] = [
            ("", .malformed), ("t=1800000000", .missing), (String(code), .malformed), ("t=x,\(code)", .malformed),
            ("t=1800000001,\(code)", .wrong), ("t=1800000000,\(code.uppercased())", .missing),
            ("t=1800000000,v0=\(code.dropFirst(3))", .missing), ("t=1800000000,v1=", .wrong), ("t,\(code)", .malformed),
            (good + "0", .wrong), (String(good.dropLast()), .wrong), ("t=99999999999999999999,\(code)", .malformed),
            (String(repeating: "v1=00,", count: 1000) + good, .malformed),
        ]
        for (header, expected) in cases { #expect(fault(header) == expected, "\(header.prefix(80))") }
        #expect(fault(good, Self.body + [32]) == .wrong)
        #expect(fault("v1=00,v0=11," + good) == nil)
    }

    @Test func `nothing of a forged message is kept but that it came`() async throws {
        let world = try await OrderWorld()
        let order = try await world.desk.buy(world.draft(try await world.item()))
        world.stripe.pay(at: try #require(order.address))
        let message = try #require(world.stripe.messages.last)
        #expect(await world.take(message, fault: .forged) == .payment(.forged(provider: "stripe", fault: .wrong)))
        #expect(await world.take(message, fault: .unsigned) == .payment(.forged(provider: "stripe", fault: .missing)))
        world.wait(0)
        let stale = LoopbackStripe.delivery(of: message, secret: OrderWorld.secret, at: world.now - 301)
        await #expect(throws: OrderRefusal.payment(.forged(provider: "stripe", fault: .old))) {
            try await world.desk.take(stale.content, signature: stale.signature, from: "stripe")
        }
        let flood = [UInt8](repeating: 32, count: OrderDesk.longestEvent + 1)
        await #expect(throws: OrderRefusal.self) { try await world.desk.take(flood, signature: "", from: "stripe") }
        #expect(try await world.store.refusals(of: "stripe") == ["wrong": 1, "missing": 1, "old": 1, "too long": 1])
        #expect(try await world.store.dueEvents().isEmpty)
        #expect(try await world.order(order.id).state == .reserved)
        #expect(await world.take(message) == nil)
        #expect(try await world.order(order.id).state == .paid)
    }
}
