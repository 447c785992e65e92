import ChirpCore
public import ChirpHTTP
internal import Crypto
internal import Foundation
import Glibc
internal import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 that can also misbehave: one thread per connection, keep-alive, and replies that break
/// off where a test wants them to.
public final class LoopbackServer: Sendable {
    public struct Request: Sendable {
        public let method: String
        /// Percent-encoded, without the query.
        public let path: String
        public let query: [String: String]
        public let headers: HTTPHeaders
        /// The content; of one larger than 64 MiB only its beginning.
        public let body: [UInt8]
        public let bodyCount: Int64
        /// Lower-case hexadecimal MD5 of the whole content.
        public let bodyMD5: String
        /// Which connection it came over, from 0.
        public let connection: Int

        public var form: [String: String] {
            Dictionary(
                PercentEncoding.fields(of: String(decoding: body, as: UTF8.self)).map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    public struct Reply: Sendable {
        public var status: Int
        public var headers: [(String, String)]
        public var body: [UInt8]
        /// How many bytes of the whole answer, head included, are sent before the connection is reset. Nil: all, and it stays.
        public var cutAfter: Int?
        /// Sent after the body, piece by piece, until it is closed; then the connection ends with it.
        public var stream: LoopbackStream?

        public init(_ status: Int, headers: [(String, String)] = [], body: [UInt8] = [], cutAfter: Int? = nil) {
            self.status = status
            self.headers = headers
            self.body = body
            self.cutAfter = cutAfter
        }

        public static func json(_ status: Int, _ text: String, headers: [(String, String)] = []) -> Reply {
            Reply(
                status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers, body: Array(text.utf8)
            )
        }

        /// An event stream (`text/event-stream`).
        public static func events(_ stream: LoopbackStream) -> Reply {
            var reply = Reply(200, headers: [("Content-Type", "text/event-stream")])
            reply.stream = stream
            return reply
        }

        /// The work is done and its answer lost.
        public var lost: Reply {
            var copy = self
            copy.cutAfter = 0
            return copy
        }
    }

    /// Decided when the head of a request is there, before its content is read.
    public enum Gate: Sendable {
        case read
        /// Reset the connection after so many bytes of content; the handler gets those if it is told so.
        case reset(afterBytes: Int, handOver: Bool)
        /// Neither read nor answer until the client goes away.
        case stall
    }

    public typealias Handler = @Sendable (Request) -> Reply
    public typealias GateKeeper = @Sendable (_ method: String, _ path: String, _ headers: HTTPHeaders) -> Gate

    private struct State {
        var requests: [Request] = []
        var connections: [Int32] = []
        var count = 0
        var isClosed = false
    }

    public let port: UInt16
    private let handler: Handler
    private let gate: GateKeeper
    private let recordsContent: Bool
    private let state = Mutex(State())

    /// Listens from now on.
    ///
    /// - Parameter recordsContent: false to keep and hash no more than 1 MiB of what comes, for measuring.
    public init(
        port: UInt16 = 0, recordsContent: Bool = true, gate: @escaping GateKeeper = { _, _, _ in .read },
        handler: @escaping Handler
    ) throws {
        self.recordsContent = recordsContent
        let socket = try ListeningSocket(port: port)
        self.port = socket.port
        self.handler = handler
        self.gate = gate
        let listener = Listener(socket)
        // Threads and not queues: Dispatch has some hundred threads for everybody, and these only wait.
        Thread.detachNewThread { [weak self] in
            while self?.isClosed == false {
                guard let raw = listener.accept() else { continue }
                self?.serve(raw)
            }
        }
    }

    /// Closes every connection and listens no more.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            for raw in state.connections { shutdown(raw, Int32(SHUT_RDWR)) }
        }
    }

    /// The address of the server's root, without a slash at its end.
    public var base: String { "http://127.0.0.1:\(port)" }

    /// Everything asked so far, in order of arrival.
    public var requests: [Request] { state.withLock { $0.requests } }
    public var connectionCount: Int { state.withLock { $0.count } }
    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func serve(_ raw: Int32) {
        let number = state.withLock { state in
            state.connections.append(raw)
            state.count += 1
            return state.count - 1
        }
        Thread.detachNewThread { [weak self] in
            var connection = LoopbackConnection(raw)
            while let self, !self.isClosed, self.exchange(&connection, number: number) {}
            self?.state.withLock { state in state.connections.removeAll { $0 == raw } }
            connection.close()
        }
    }

    /// One request and its reply; false when the connection is over.
    private func exchange(_ connection: inout LoopbackConnection, number: Int) -> Bool {
        guard let head = connection.head() else { return false }
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return false }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers.append(String(line.dropFirst(name.count + 1).drop { $0 == " " }), for: String(name))
        }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(target.first ?? "")
        var limit: Int?
        var handsOver = true
        switch gate(String(words[0]), path, headers) {
        case .read: break
        case .reset(let bytes, let handOver): (limit, handsOver) = (bytes, handOver)
        case .stall:
            connection.waitForEnd()
            return false
        }
        if headers["Expect"] != nil { _ = connection.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        guard let content = connection.content(headers, limit: limit, isMeasured: !recordsContent) else { return false }
        let fields = target.count == 2 ? PercentEncoding.fields(of: target[1]) : []
        let request = Request(
            method: String(words[0]), path: path,
            query: Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            headers: headers, body: content.bytes, bodyCount: content.count, bodyMD5: content.md5, connection: number)
        state.withLock { $0.requests.append(request) }
        if limit != nil {
            if handsOver { _ = handler(request) }
            connection.reset()
            return false
        }
        let reply = handler(request)
        return connection.send(reply, isHead: words[0] == "HEAD") && headers["Connection"]?.lowercased() != "close"
    }
}

/// Carries the listening socket into the queue that accepts.
private final class Listener: Sendable {
    private let socket: ListeningSocket

    init(_ socket: consuming ListeningSocket) {
        self.socket = socket
    }

    func accept() -> Int32? { socket.acceptRaw(milliseconds: 100) }
}
