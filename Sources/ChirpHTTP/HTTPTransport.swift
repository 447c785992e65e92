/// Sends one request and waits for its answer. Retry, sign-in and redirects are decorators over the same protocol.
public protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
