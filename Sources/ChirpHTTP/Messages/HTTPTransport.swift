internal import Synchronization

/// Sends one request and waits for its answer. Retry and sign-in are decorators over the same protocol.
public protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

    /// Sends one request and gives its content while it arrives.
    ///
    /// - Parameters:
    ///   - request: its sink is not used.
    ///   - silence: the longest time in which nothing arrives. More is ``HTTPError/interrupted(host:reason:)``; so a service
    ///     that keeps its connection alive must say something more often.
    func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream
}

extension HTTPTransport {
    /// A transport that knows nothing better waits for the whole answer.
    public func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
        let response = try await send(request)
        let rest = Remains(response.body)
        return HTTPStream(status: response.status, headers: response.headers) { () throws(HTTPError) in rest.take() }
    }
}

/// Content that is handed out once.
private final class Remains: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}
