import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// A hub on another machine as a network: Mastodon's client API under the hub's own name.
// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct HubNetworkTests {
    private let hub: LoopbackHub

    init() throws { hub = try LoopbackHub() }

    private func network(name: String? = nil) throws -> MastodonNetwork {
        let token = FixedToken(Secret(hub.mastodon.oauth.grant(scope: "read write follow").access), service: "hub")
        return MastodonNetwork(
            instance: try #require(WebAddress(hub.base)),
            transport: AuthorizedTransport(CurlTransport(), tokens: token), service: "hub", name: name,
            place: hub.base, pause: quickPause)
    }

    @Test(arguments: NetworkConformance.Check.allCases)
    func `a hub on another machine conforms`(check: NetworkConformance.Check) async throws {
        let conformance = NetworkConformance {
            NetworkConformance.Subject(network: try network(), me: Account.ID(LoopbackMastodon.me))
        }
        #expect(try await conformance.violations(of: check) == [])
        hub.close()
    }

    @Test func `it is called hub, says which one, and asks that one for its limits`() async throws {
        hub.mastodon.limit(1000)
        let found = try network()
        #expect(found.properties.name == "hub" && found.properties.place == hub.base)
        #expect(try await found.textRules() == .characters(limit: 1000, perLink: 23))
        #expect(try network(name: "hub@studio").properties.name == "hub@studio")
        hub.close()
    }

    @Test func `a sign-in that is over is one to the hub`() async throws {
        let found = try network(name: "hub@studio")
        hub.mastodon.oauth.revokeAll()
        let error = await #expect(throws: NetworkError.self) { _ = try await found.followed() }
        #expect(error?.cure == .signIn(service: "hub"))
        hub.close()
    }

    @Test func `signing in asks for reading, writing and following`() async throws {
        let address = try #require(WebAddress(hub.base))
        let listener = try LoopbackRedirectListener(path: "/callback")
        let registered = try await MastodonRegistration.run(
            at: address, service: ("hub", "the hub"), scopes: OAuthService.hubScopes,
            redirect: listener.redirectAddress, transport: CurlTransport())
        let service = OAuthService.hub(
            instance: address, clientID: try #require(registered.clientID),
            clientSecret: try #require(registered.clientSecret))
        hub.mastodon.oauth.decide(.allowWithout("write"))
        let error = await #expect(throws: SignInError.self) {
            _ = try await BrowserSignIn(service, transport: CurlTransport(), timeout: .seconds(300)) {
                await LoopbackBrowser.open($0)
            }.run(listener, force: false)
        }
        #expect(error == .scopeMissing(service: "hub", title: "the hub", scope: "write"))
        hub.close()
    }
}
