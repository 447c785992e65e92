public import ChirpCore

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
