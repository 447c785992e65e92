import ChirpCore
import ChirpHTTP
import ChirpPush
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Messages on their way to push services.
@Suite struct PushSenderTests {
    private let service: LoopbackPush
    private let vapid = Vapid(secret: [UInt8](repeating: 7, count: 32), contact: "https://clips.example.org")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { service = try LoopbackPush() }

    private func sender(onlyPublic: Bool = false) -> PushSender {
        PushSender(
            CurlTransport(
                settings: CurlSettings(
                    connectTimeout: .seconds(2), slowTime: .seconds(2), onlyPublicAddresses: onlyPublic)),
            vapid, now: { [now] in now })
    }

    @Test func `a service that never answers is asked another time`() async throws {
        let sender = PushSender(SilentTransport(), vapid, clock: InstantClock(), now: { [now] in now })
        let message = PushMessage([1], cause: "one", lifetime: 60, urgency: .normal)
        guard case .later(let reason, nil) = await sender.send(message, to: try subscription(service.browser("ann")))
        else {
            Issue.record("it was not put off")
            return
        }
        #expect(reason.contains("it took longer than 20"))
    }

    private func subscription(_ browser: LoopbackPush.Browser) throws -> PushSubscription {
        try PushSubscription(
            endpoint: browser.endpoint, key: browser.key, secret: browser.secret, allowsLoopback: true)
    }

    @Test func `a message arrives, with how long it is kept, how urgent it is and who sent it`() async throws {
        let browser = service.browser("ann")
        let message = PushMessage(Array("Grüße 🎙️".utf8), cause: "one", lifetime: 3600, urgency: .high)
        #expect(try await sender().send(message, to: subscription(browser)) == .taken)
        let told = try #require(service.messages.first)
        #expect(service.failures.isEmpty && told.text == "Grüße 🎙️")
        #expect(told.headers["TTL"] == "3600" && told.headers["Urgency"] == "high")
        #expect(told.headers["Topic"] == message.topic && message.topic.count == 32)
        #expect(told.headers["Content-Encoding"] == "aes128gcm")
        let claims = try #require(try JSONSerialization.jsonObject(with: Data(told.claims.utf8)) as? [String: Any])
        // The port belongs to the audience.
        #expect(claims["aud"] as? String == service.base && claims["sub"] as? String == "https://clips.example.org")
        #expect(claims["exp"] as? Int == 1_800_000_000 + 12 * 3600)
    }

    @Test(arguments: [404, 410, 401, 403, 301, 302, 307, 308])
    func `a browser that is gone, or leads elsewhere, is not asked again`(status: Int) async throws {
        let browser = service.browser("ann")
        let elsewhere = service.browser("elsewhere")
        service.answer([.init(status, headers: [("Location", elsewhere.endpoint)])], for: browser)
        let outcome = await sender().send(PushMessage([1], cause: "one", lifetime: 60), to: try subscription(browser))
        guard case .gone = outcome else { throw Unexpected(outcome: outcome) }
        #expect(service.asked == ["ann"])
    }

    @Test func `a service that is busy says for how long, or not`() async throws {
        let browser = service.browser("ann")
        service.answer(
            [
                .init(429, headers: [("Retry-After", "120")]), .init(503), .init(500).lost, .init(413),
                .init(429, headers: [("Retry-After", "99999999999")]),
            ], for: browser)
        let sender = sender()
        let to = try subscription(browser)
        var outcomes: [PushSender.Outcome] = []
        for _ in 0..<5 { outcomes.append(await sender.send(PushMessage([1], cause: "one", lifetime: 60), to: to)) }
        #expect(outcomes[0] == .later("127.0.0.1 answers 429", after: .seconds(120)))
        #expect(outcomes[1] == .later("127.0.0.1 answers 503", after: nil))
        guard case .later(_, nil) = outcomes[2] else { throw Unexpected(outcome: outcomes[2]) }
        #expect(outcomes[3] == .refused("127.0.0.1 answers 413"))
        #expect(outcomes[4] == .later("127.0.0.1 answers 429", after: .seconds(31 * 86_400)))
    }

    @Test func `a private address is not asked`() async throws {
        let browser = service.browser("ann")
        let outcome = await sender(onlyPublic: true).send(
            PushMessage([1], cause: "one", lifetime: 60), to: try subscription(browser))
        guard case .gone = outcome else { throw Unexpected(outcome: outcome) }
        #expect(service.asked.isEmpty)
        for address in [
            "https://127.0.0.1/x", "https://169.254.169.254/latest", "https://[::1]/x", "https://10.0.0.1/x",
        ] {
            let stranger = try PushSubscription(endpoint: address, key: browser.key, secret: browser.secret)
            let outcome = await sender(onlyPublic: true).send(
                PushMessage([1], cause: "one", lifetime: 60), to: stranger)
            guard case .gone = outcome else { throw Unexpected(outcome: outcome) }
        }
    }

    @Test func `the key is the same for the same hub, and another hub's is another`() {
        let again = Vapid(secret: [UInt8](repeating: 7, count: 32), contact: "mailto:a@example.org")
        #expect(again.publicKey == vapid.publicKey && vapid.publicKey.count == 87)
        #expect(Vapid(secret: [UInt8](repeating: 8, count: 32), contact: "").publicKey != vapid.publicKey)
    }

    struct Unexpected: Error { let outcome: PushSender.Outcome }
}
