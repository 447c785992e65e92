import ChirpCore
import ChirpHTTP
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// A person, a browser and a service on loopback.
final class SignInScene: Sendable {
    let oauth: LoopbackOAuth
    let server: LoopbackServer
    let folder: TemporaryFolder
    let store: CredentialStore

    init(_ flavour: LoopbackOAuth.Flavour) throws {
        let clock = Mutexed(Date(timeIntervalSince1970: 1_795_253_400))
        let oauth = LoopbackOAuth(flavour, now: { clock.value })
        self.clockBox = clock
        self.oauth = oauth
        server = try LoopbackServer { oauth.reply(to: $0) ?? .json(404, "{}") }
        folder = try TemporaryFolder()
        store = CredentialStore(path: folder.path("config/chirp/credentials.json"))
    }

    private let clockBox: Mutexed<Date>

    deinit { server.close() }

    var now: Date { clockBox.value }
    func wait(_ seconds: Double) { clockBox.change { $0 += seconds } }

    /// - Parameter base: where the service is; nil for the one that answers.
    func service(at base: String? = nil) throws -> OAuthService {
        func address(_ path: String) throws -> WebAddress { try #require(WebAddress((base ?? server.base) + path)) }
        return switch oauth.flavour {
        case .google:
            .google(
                authorization: try address("/o/oauth2/v2/auth"), token: try address("/token"),
                device: try address("/device/code"), revocation: try address("/revoke"), clientID: "client-1",
                clientSecret: Secret("hush-client-secret"))
        case .x:
            .x(authorization: try address("/i/oauth2/authorize"), api: try address("/"), clientID: "client-1")
        case .mastodon:
            .mastodon(instance: try address("/"), clientID: "app-1", clientSecret: Secret("unregistered"))
        }
    }

    /// Signs in by the browser that opens by itself.
    func signIn(force: Bool = false) async throws -> Credential {
        let listener = try LoopbackRedirectListener(path: "/callback")
        return try await BrowserSignIn(
            try service(), transport: CurlTransport(), now: { [self] in now }
        ) { await LoopbackBrowser.open($0) }.run(listener, force: force)
    }

    /// Signs in and keeps it.
    func signInAndKeep() async throws {
        let credential = try await signIn()
        try await store.change(try service().name) { $0 = credential }
    }

    func tokens(_ transport: any HTTPTransport = CurlTransport()) throws -> SignedInTokens {
        SignedInTokens(try service(), store: store, transport: transport, now: { [self] in now })
    }
}
