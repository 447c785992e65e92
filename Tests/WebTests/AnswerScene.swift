import ChirpCore
import ChirpWeb
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization

/// Requests to a server whose handlers end when the test says so, each on a channel of its own as in HTTP/2.
struct AnswerScene: Sendable {
    let shares: AddressShares
    let handlers = Handlers()

    private final class Answered: Sendable { let code = Mutex(0) }

    /// How many have begun, and whether they may end.
    final class Handlers: Sendable {
        private let state = Mutex((begun: 0, isOpen: false))
        var begun: Int { state.withLock(\.begun) }

        func open() { state.withLock { $0.isOpen = true } }

        func work() async {
            state.withLock { $0.begun += 1 }
            while !state.withLock(\.isOpen) { await Task.yield() }
        }
    }

    init(_ limits: ConnectionLimits, proxies: TrustedProxies = .none) {
        shares = AddressShares(limits, proxyIsLocal: false, proxies: proxies)
    }

    /// A stream of HTTP/2 from an address.
    ///
    /// - Parameter window: through which its answer goes.
    func stream(_ address: String, window: ShutWindow? = nil) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        channel.testingEventLoop.execute {
            let handlers = channel.pipeline.syncOperations
            if let window { try? handlers.addHandler(window) }
            try? handlers.addHandler(AnswerWatch(stall: .seconds(60)))
        }
        await channel.testingEventLoop.run()
        let address = try SocketAddress(ipAddress: address, port: 50_000)
        try await channel.connect(to: address)
        channel.remoteAddress = address
        return channel
    }

    /// Asks, and returns the status when the handler has ended and written the answer into the channel.
    ///
    /// - Parameter form: the body of what is sent to `/form`, which the handler reads first.
    @concurrent @discardableResult
    func ask(
        on channel: NIOAsyncTestingChannel, path: String = "/", form: Hummingbird.RequestBody? = nil
    ) async throws -> Int {
        let answered = Answered()
        let acts = Acts([.post("/form", .everybody) { _, _, _ in Response(status: .ok) }])
        let guards = SharesRequests(shares, acts: acts)
        let answer = shares.requests.counting { [handlers] request, _, channel in
            let context = WebContext(
                source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "requests")))
            let response = try await guards.handle(request, context: context) { request, _ in
                for try await _ in request.body {}
                await handlers.work()
                return Response(status: .ok)
            }
            answered.code.withLock { $0 = response.status.code }
        }
        let (outbound, _) = NIOAsyncChannelOutboundWriter<HTTPResponsePart>.makeTestingWriter()
        defer { outbound.finish() }
        let request = Request(
            head: HTTPRequest(
                method: form == nil ? .get : .post, scheme: "http", authority: "localhost",
                path: form == nil ? path : "/form"),
            body: form ?? RequestBody(buffer: ByteBuffer()))
        try await answer(request, ResponseWriter(outbound: outbound), channel)
        let code = answered.code.withLock { $0 }
        // As the server writes it.
        channel.testingEventLoop.execute { channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil) }
        await channel.testingEventLoop.run()
        return code
    }
}

/// A window that is shut: nothing is taken until the test takes it.
final class ShutWindow: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let held = Mutex<[EventLoopPromise<Void>]>([])
    var count: Int { held.withLock(\.count) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { held.withLock { $0.append(promise) } }
    }

    /// Takes the first part that waits.
    func take() { held.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.succeed(()) }

    func handlerRemoved(context: ChannelHandlerContext) {
        let held = held.withLock { held in
            defer { held = [] }
            return held
        }
        for promise in held { promise.fail(ChannelError.alreadyClosed) }
    }
}
