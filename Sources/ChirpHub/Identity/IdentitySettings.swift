public import ChirpCore

/// By which services elsewhere people may sign in at a hub.
public struct IdentitySettings: Hashable, Sendable {
    /// A service that speaks OpenID Connect.
    public struct OpenID: Hashable, Sendable {
        /// Letter by letter as the service calls itself.
        public let issuer: String
        /// The hub's identifier there.
        public let client: String
        /// Nil for a client without one.
        public let secret: Secret?
        /// As people call it, on buttons.
        public let name: String

        public init(issuer: String, client: String, secret: Secret?, name: String) {
            self.issuer = issuer
            self.client = client
            self.secret = secret
            self.name = name
        }
    }

    public var openID: OpenID?
    /// Any Mastodon server that somebody names.
    public var mastodon = false
    /// Mastodon servers on this machine may be named too, without TLS; for tests.
    public var insecureLoopback = false

    public init() {}
}
