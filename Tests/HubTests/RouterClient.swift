import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

/// Asks an application's router without a connection. Hummingbird's own does the same, and brings a client, TLS and HTTP/2 along
/// that take a third of the time that everything together takes to build.
struct RouterClient<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    fileprivate let responder: Responder
    fileprivate let logger: Logger
    /// The other end of the connection that there is not; nil: nobody knows it.
    fileprivate var peer: SocketAddress?

    /// The same from an address.
    func at(_ address: String) throws -> Self {
        var client = self
        client.peer = try SocketAddress(ipAddress: address, port: 50_000)
        return client
    }

    /// Sends a request to `localhost` and hands on what comes back.
    ///
    /// - Throws: what writing the answer's body throws, and what `take` throws. An error of the responder is a status of 500.
    func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        take: (TestResponse) async throws -> Value
    ) async throws -> Value {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        return try await execute(
            uri: uri, method: method, headers: headers, content: RequestBody(buffer: body ?? ByteBuffer()), take: take)
    }

    /// The same, with a body that comes in pieces.
    func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, content: RequestBody,
        take: (TestResponse) async throws -> Value
    ) async throws -> Value {
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
            body: content)
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = peer
        let source = ApplicationRequestContextSource(channel: channel, logger: logger)
        let response: Response
        do {
            response = try await responder.respond(to: request, context: Responder.Context(source: source))
        } catch {
            response = Response(status: .internalServerError)
        }
        let page = Page()
        try await response.body.write(Writer(page: page))
        return try await take(
            TestResponse(status: response.status, headers: response.headers, body: page.bytes.withLock { $0 }))
    }

    /// The same, without waiting for what has no end: of an event stream only the head is read.
    func glance(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse {
        var headers = headers
        if let body { headers[.contentLength] = String(body.readableBytes) }
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
            body: RequestBody(buffer: body ?? ByteBuffer()))
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
        let response = try await responder.respond(to: request, context: Responder.Context(source: source))
        let page = Page()
        if response.headers[.contentType]?.hasPrefix("text/event-stream") != true {
            try await response.body.write(Writer(page: page))
        }
        return TestResponse(status: response.status, headers: response.headers, body: page.bytes.withLock { $0 })
    }

    /// The same, for the answer itself.
    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await execute(uri: uri, method: method, headers: headers, body: body) { $0 }
    }
}

/// What a router answered.
struct TestResponse: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer
}

/// How an application is asked.
enum TestingSetup {
    /// By its router alone: no server, and none of its services.
    case router
}

extension ApplicationProtocol {
    func test<Value>(
        _ setup: TestingSetup, _ test: (RouterClient<Responder>) async throws -> Value
    ) async throws -> Value {
        try await test(RouterClient(responder: responder, logger: logger))
    }
}

/// The bytes of an answer, as they come.
private final class Page: Sendable {
    let bytes = Mutex(ByteBuffer())
}

private struct Writer: ResponseBodyWriter {
    let page: Page

    func write(_ buffer: ByteBuffer) async throws {
        page.bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
