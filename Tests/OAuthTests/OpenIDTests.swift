import ChirpCore
import ChirpHTTP
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Services that sign people in, as far as a browser is not needed for it.
@Suite struct OpenIDTests {
    @Test func `a service that does not answer is given up`() async throws {
        let found = OpenIDProvider(
            issuer: "https://id.example.org", client: "hub", secret: nil, own: SilentTransport(),
            others: SilentTransport(),
            clock: InstantClock(), now: { Date(timeIntervalSince1970: 0) })
        let provider = try #require(found)
        do throws(IdentityError) {
            _ = try await provider.page(state: "s", nonce: "n", key: ProofKey(), redirect: "https://hub.example/back")
            Issue.record("there is a page")
        } catch {
            guard case .unreachable(.interrupted) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test(arguments: [
        ("mastodon.example", "https://mastodon.example/"), (" Mastodon.Example ", "https://mastodon.example/"),
        ("@ann@mastodon.example", "https://mastodon.example/"),
        ("https://mastodon.example/@ann", "https://mastodon.example/"),
        ("https://mastodon.example:443", "https://mastodon.example/"),
    ])
    func `a server is found in what people type`(typed: String, server: String) throws {
        let door = MastodonDoor(transport: SilentTransport(), clock: InstantClock())
        #expect(try door.server(typed: typed).text == server)
    }

    @Test(arguments: [
        "", "@", "mastodon", "http://mastodon.example", "https://mastodon.example:8443", "localhost", "127.0.0.1",
        "https://user@mastodon.example", "mastodon.example.", "[::1]", "file:///etc/passwd", "javascript:alert(1)",
    ])
    func `what is no public server is refused`(typed: String) {
        let door = MastodonDoor(transport: SilentTransport(), clock: InstantClock())
        #expect(throws: IdentityError.badServer) { try door.server(typed: typed) }
    }
}
