public import ChirpCore

/// Where the access token of a service comes from.
public protocol TokenSource: Sendable {
    /// A token that is believed to be valid.
    ///
    /// - Parameter rejected: a token that the service has just refused; then this one is another, or the sign-in is over.
    /// - Throws: ``HTTPError/signedOut(service:cause:)`` when a person must sign in; temporary errors otherwise.
    func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret
}

/// A token that does not expire (Mastodon, WebDAV bearer). Once refused, the sign-in is over.
public struct FixedToken: TokenSource {
    private let secret: Secret
    private let service: String

    public init(_ secret: Secret, service: String) {
        self.secret = secret
        self.service = service
    }

    public func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
        guard rejected == nil else {
            throw .signedOut(service: service, cause: "the service no longer accepts the token")
        }
        return secret
    }
}
