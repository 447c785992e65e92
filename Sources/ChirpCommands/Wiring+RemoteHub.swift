internal import ChirpCommunity
internal import ChirpCore
package import ChirpHTTP
package import ChirpNetworks
package import ChirpOAuth
package import ChirpOwnHub
package import ChirpStores

// Which hub is meant: the one on this machine, or the one that somebody has signed in to.
extension Wiring {
    /// The hub on this machine as a store, served or not.
    ///
    /// - Parameter sound: what the clip to be saved is known to sound like by then; otherwise it is decoded.
    package func ownHubStore(sound: KnownSound? = nil) throws -> HubStore {
        HubStore(library: try hubLibrary(), publicURL: try hubAddress().publicURL) { path in
            if let sound = sound?.value { return sound }
            return await ClipPicture.measure(path)
        }
    }

    /// The hub on this machine as a network.
    package func ownHubNetwork() throws -> HubNetwork {
        HubNetwork(library: try hubLibrary(), publicURL: try hubAddress().publicURL)
    }

    /// The sign-in to a hub on another machine; nil while `hub` means the one on this machine. One that the hub has ended still
    /// counts: a clip must not go elsewhere unasked because a sign-in is over.
    package func hubSignIn() throws(CredentialError) -> Credential? {
        guard let known = try credentials.credential(for: SignInService.hub.rawValue), known.instance != nil,
            known.accessToken != nil || known.ended != nil
        else { return nil }
        return known
    }

    /// Where the hub is that somebody has signed in to; nil for nobody.
    package func hubOrigin() throws(CredentialError) -> WebAddress? {
        try hubSignIn()?.instance.flatMap { WebAddress($0) }
    }

    /// The hub of a sign-in as a store, without retries.
    package func hubStore(of credential: Credential) throws(StoreError) -> RemoteHubStore {
        guard let instance = credential.instance.flatMap({ WebAddress($0) }),
            let client = OAuthService.registered(.hub, credential)
        else { throw .signedOut(store: "hub") }
        return RemoteHubStore(hub: instance, transport: AuthorizedTransport(transport, tokens: tokens(client)))
    }

    /// The hub of a sign-in as a network: it speaks Mastodon's client API.
    ///
    /// - Parameter name: what live listening calls it, beside the hub on this machine.
    package func hubNetwork(of credential: Credential, name: String = "hub") throws(NetworkError) -> MastodonNetwork {
        guard let instance = credential.instance.flatMap({ WebAddress($0) }),
            let client = OAuthService.registered(.hub, credential)
        else { throw .signedOut(network: "hub") }
        return MastodonNetwork(
            instance: instance,
            transport: RetryingTransport(
                AuthorizedTransport(Self.bounded(transport), tokens: tokens(client)), policy: Self.patience),
            service: "hub", name: name, place: instance.origin, me: credential.account)
    }

    /// The hub of a journal row as a store: at the place where the row was begun, and at no other.
    package func hubStore(at place: String) throws -> any Store {
        if place.isEmpty { return try ownHubStore() }
        guard let known = try hubSignIn(), known.instance == place else {
            throw StoreError.signedOut(store: "hub", cause: Self.elsewhere(place))
        }
        return try retrying(hubStore(of: known))
    }

    /// The hub of a journal row as a network.
    package func hubNetwork(at place: String) throws -> any Network {
        if place.isEmpty { return try ownHubNetwork() }
        guard let known = try hubSignIn(), known.instance == place else {
            throw NetworkError.signedOut(network: "hub", cause: Self.elsewhere(place))
        }
        return try hubNetwork(of: known)
    }

    private static func elsewhere(_ place: String) -> String { "this was begun at \(place), where nobody is signed in" }
}
