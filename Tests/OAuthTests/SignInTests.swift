import ChirpCore
import ChirpHTTP
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

// CH-1, CH-2: sign-in by a browser or a code, with success or a readable reason.
@Suite struct SignInTests {
    /// RFC 7636, appendix B.
    @Test func `the challenge is that of the standard's example`() {
        let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(ProofKey().challenge != ProofKey().challenge)
        #expect(ProofKey().challenge.utf8.count == 43)
    }

    @Test(arguments: [LoopbackOAuth.Flavour.google, .x])
    func `a browser that allows brings tokens that the service accepts`(flavour: LoopbackOAuth.Flavour) async throws {
        let scene = try SignInScene(flavour)
        let credential = try await scene.signIn()
        #expect(credential.accessToken?.isEmpty == false)
        #expect(credential.refreshToken?.isEmpty == false)
        let expires = try #require(credential.expires)
        #expect(expires.timeIntervalSince(scene.now) == (flavour == .x ? 7200 : 3599))
        #expect(!scene.oauth.wasForced)
        _ = try await scene.signIn(force: true)
        #expect(scene.oauth.wasForced)
        #expect(!"\(credential)".contains("at-") && !String(reflecting: credential).contains("rt-"))
    }

    @Test(arguments: [LoopbackOAuth.Flavour.google, .x])
    func `an answer that names another server is not used`(flavour: LoopbackOAuth.Flavour) async throws {
        let scene = try SignInScene(flavour)
        scene.oauth.name(scene.server.base)
        _ = try await scene.signIn()
        for decision in [LoopbackOAuth.Decision.allow, .deny] {
            scene.oauth.decide(decision)
            scene.oauth.name("https://honest.example")
            let before = scene.server.requests.count
            let error = try #require(await failure { _ = try await scene.signIn() })
            guard case .refused = error else {
                Issue.record("\(error)")
                return
            }
            // The browser's own question, and none about a token.
            #expect(!scene.server.requests.dropFirst(before).contains { $0.method == "POST" })
        }
    }

    @Test func `a person who declines is told what that means, and nothing is redeemed`() async throws {
        let scene = try SignInScene(.google)
        scene.oauth.decide(.deny)
        let error = try #require(await failure { _ = try await scene.signIn() })
        #expect(error == .declined(service: "drive", title: "Google Drive"))
        #expect(error.exitCode == .signInNeeded)
        #expect(!scene.server.requests.contains { $0.path == "/token" })
    }

    @Test func `a scope that was unticked is missed by name`() async throws {
        let scene = try SignInScene(.x)
        scene.oauth.decide(.allowWithout("tweet.write"))
        let error = try #require(await failure { _ = try await scene.signIn() })
        #expect(error == .scopeMissing(service: "x", title: "X", scope: "tweet.write"))
        #expect(error.cure == .both(.advice("Leave everything ticked"), .signInAgain(service: "x")))
    }

    @Test func `a client that the service does not know is a matter of configuration`() async throws {
        let scene = try SignInScene(.google)
        scene.oauth.fail([
            .json(401, #"{"error":"invalid_client","error_description":"The OAuth client was not found."}"#)
        ])
        let error = try #require(await failure { _ = try await scene.signIn() })
        #expect(error.exitCode == .badConfiguration)
        #expect(error.whatHappened.contains("invalid_client"))
    }

    @Test func `a portal's page instead of an answer is not taken for one`() async throws {
        let scene = try SignInScene(.google)
        scene.oauth.fail([.init(200, headers: [("Content-Type", "text/html")], body: Array("<html>pay".utf8))])
        let error = try #require(await failure { _ = try await scene.signIn() })
        guard case .http(.malformed) = error else {
            Issue.record("\(error)")
            return
        }
    }

    // MARK: device

    @Test func `a code typed elsewhere brings tokens, asked for no faster than wished`() async throws {
        let scene = try SignInScene(.google)
        scene.oauth.answerDevice(["authorization_pending", "slow_down", "authorization_pending"])
        let (waits, shown) = (Mutexed<[Duration]>([]), Mutexed<[DeviceSignIn.Invitation]>([]))
        let credential = try await device(scene, waits: waits) { invitation in shown.change { $0.append(invitation) } }
        #expect(shown.value.map(\.code) == ["GQVQ-JKEC"])
        #expect(shown.value.map(\.address) == ["https://www.google.com/device"])
        #expect(waits.value == [.seconds(5), .seconds(5), .seconds(10), .seconds(10)])
        #expect(credential.refreshToken != nil)
    }

    @Test(arguments: [
        ("access_denied", SignInError.declined(service: "drive", title: "Google Drive")),
        ("expired_token", .tooLate(service: "drive", title: "Google Drive")),
    ])
    func `a code that is refused or dead ends the waiting`(error: String, expected: SignInError) async throws {
        let scene = try SignInScene(.google)
        scene.oauth.answerDevice([error])
        let found = await failure { _ = try await device(scene, waits: Mutexed([])) { _ in } }
        #expect(found == expected)
    }

    @Test func `a code that nobody types is given up when it ends`() async throws {
        let scene = try SignInScene(.google)
        scene.oauth.answerDevice(Array(repeating: "authorization_pending", count: 1000))
        let waits = Mutexed<[Duration]>([])
        let found = await failure { _ = try await device(scene, waits: waits) { _ in } }
        #expect(found == .tooLate(service: "drive", title: "Google Drive"))
        #expect(waits.value.reduce(.zero, +) == .seconds(300))
    }

    @Test func `only Google has codes for devices`() async throws {
        let scene = try SignInScene(.x)
        let found = await failure { _ = try await device(scene, waits: Mutexed([])) { _ in } }
        #expect(found?.exitCode == .usage)
    }

    private func device(
        _ scene: SignInScene, waits: Mutexed<[Duration]>,
        show: @escaping @Sendable (DeviceSignIn.Invitation) -> Void
    ) async throws -> Credential {
        let pause = Sleeper(
            now: { scene.now },
            wait: { duration in
                waits.change { $0.append(duration) }
                scene.wait(duration / .seconds(1))
                return true
            }, jitter: { 0.5 })
        return try await DeviceSignIn(try scene.service(), transport: CurlTransport(), pause: pause, show: show).run()
    }

    private func failure(_ body: () async throws -> Void) async -> SignInError? {
        do { try await body() } catch { return error as? SignInError }
        return nil
    }
}
