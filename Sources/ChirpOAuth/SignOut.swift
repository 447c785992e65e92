internal import ChirpCore
public import ChirpHTTP

/// Ends a sign-in: at the service first, then here, in any case.
public struct SignOut: Sendable {
    /// How it went.
    public enum Outcome: Hashable, Sendable {
        /// The service knows, and nothing is left here.
        case revoked
        /// Nothing is left here, but the service could not be told.
        case onlyHere(HTTPError)
        case wasNotSignedIn
    }

    private let store: CredentialStore
    private let transport: any HTTPTransport

    public init(store: CredentialStore, transport: any HTTPTransport) {
        self.store = store
        self.transport = transport
    }

    /// - Parameters:
    ///   - service: what the service is called in the credentials.
    ///   - client: how to reach the service; nil when the settings for that are missing.
    public func run(_ service: String, client: OAuthService?) async throws(CredentialError) -> Outcome {
        let lock = try await store.lock()
        guard let credential = try store.credential(for: service) else { return .wasNotSignedIn }
        var outcome = Outcome.revoked
        // Either token ends the whole grant at Google and Mastodon; at X each ends itself.
        let tokens = [credential.refreshToken, credential.accessToken].compactMap { $0 }
        if let client {
            do throws(HTTPError) {
                let endpoint = TokenEndpoint(service: client, transport: transport)
                for token in tokens { try await endpoint.revoke(token.reveal()) }
            } catch {
                outcome = .onlyHere(error)
            }
        } else if !tokens.isEmpty {
            outcome = .onlyHere(.badAddress("the client id of \(service) is not configured"))
        }
        try store.write(nil, for: service, under: lock)
        return outcome
    }
}
