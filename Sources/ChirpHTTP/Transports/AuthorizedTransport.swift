internal import ChirpCore

/// Adds `Authorization: Bearer` to every request. After a 401 it asks for another token once and sends once more.
public struct AuthorizedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let tokens: any TokenSource

    public init(_ base: any HTTPTransport, tokens: any TokenSource) {
        self.base = base
        self.tokens = tokens
    }

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let first = try await tokens.token(insteadOf: nil)
        let response = try await base.send(request.authorized(first))
        guard response.status == 401 else { return response }
        // Nothing was carried out, so this repetition is safe for any request.
        let second = try await tokens.token(insteadOf: first)
        return try await base.send(request.authorized(second))
    }

    public func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
        let first = try await tokens.token(insteadOf: nil)
        let stream = try await base.stream(request.authorized(first), silence: silence)
        guard stream.status == 401 else { return stream }
        let second = try await tokens.token(insteadOf: first)
        return try await base.stream(request.authorized(second), silence: silence)
    }
}

extension HTTPRequest {
    /// The same request with a bearer token (RFC 6750 section 2.1).
    func authorized(_ token: Secret) -> HTTPRequest {
        var copy = self
        copy.headers["Authorization"] = "Bearer " + token.reveal()
        return copy
    }
}
