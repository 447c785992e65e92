internal import ChirpCore
internal import ChirpHTTP
internal import Foundation
import Glibc
internal import Synchronization

/// Stands between a client and a real HTTP server on this machine, and disturbs what a test wants disturbed: for services that have
/// no faults of their own. What it passes on it does not change, but that every exchange has a connection of its own.
public final class FaultyRelay: Sendable {
    public enum Fault: Hashable, Sendable {
        /// Answered so, and nothing passed on.
        case refusal(Int, body: String = "")
        /// Passed on and carried out, and answered so.
        case untrue(Int, body: String = "")
        /// Passed on and carried out, and the answer names another tag (`ETag`) than the server's, if it has one.
        case retagged
        /// Passed on and carried out, and the answer lost.
        case lost
        /// The same, and so many thousandths of the answer arrive.
        case broken(Int)
        /// So many thousandths of the content are taken and passed on, then both connections are reset.
        case cut(Int)
    }

    /// What is to become of a request; nil to leave it alone.
    public typealias Plan = @Sendable (_ method: String, _ target: String) -> Fault?

    private struct State {
        var isClosed = false
        var requests = 0
        var faults = 0
        var contentBytes: Int64 = 0
        var act: (@Sendable () -> Void)?
    }

    public let port: UInt16
    private let server: UInt16
    private let plan: Plan
    private let state = Mutex(State())

    /// - Parameter server: the port of 127.0.0.1 at which the server listens.
    public init(to server: UInt16, plan: @escaping Plan) throws {
        let socket = try ListeningSocket(port: 0)
        port = socket.port
        self.server = server
        self.plan = plan
        let door = Door(socket)
        Thread.detachNewThread { [weak self] in
            while self?.state.withLock({ $0.isClosed }) == false {
                guard let raw = door.accept() else { continue }
                Thread.detachNewThread { [weak self] in
                    var client = LoopbackConnection(raw)
                    self?.exchange(&client)
                    client.close()
                }
            }
        }
    }

    /// Accepts nobody any more.
    public func close() { state.withLock { $0.isClosed = true } }

    public var base: String { "http://127.0.0.1:\(port)" }
    public var requestCount: Int { state.withLock { $0.requests } }
    public var faultCount: Int { state.withLock { $0.faults } }
    /// The content of all requests that was passed on, in bytes.
    public var contentBytes: Int64 { state.withLock { $0.contentBytes } }

    /// Has something done at each fault but refusals: what is passed on has been, and the client hears nothing of it yet.
    public func whenDisturbed(_ act: @escaping @Sendable () -> Void) { state.withLock { $0.act = act } }

    private func exchange(_ client: inout LoopbackConnection) {
        guard let head = client.head() else { return }
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers.append(String(line.dropFirst(name.count + 1).drop { $0 == " " }), for: String(name))
        }
        let fault = plan(String(words[0]), String(words[1]))
        let announced = headers["Content-Length"].flatMap { Int($0) } ?? 0
        var most: Int?
        if case .cut(let share) = fault { most = announced * share / 1000 }
        guard let content = client.content(headers, limit: most) else { return }
        state.withLock { state in
            state.requests += 1
            if fault != nil { state.faults += 1 }
        }
        if case .refusal(let status, let body) = fault { return answer(&client, status, body, words[0] == "HEAD") }
        state.withLock { $0.contentBytes += Int64(content.bytes.count) }
        let whole = Array("\(head)\r\nConnection: close\r\n\r\n".utf8) + content.bytes
        let answer = ask(whole, isCut: most.map { $0 < announced } ?? false)
        if fault != nil { state.withLock { $0.act }?() }
        guard let answer else { return client.reset() }
        switch fault {
        case .untrue(let status, let body): self.answer(&client, status, body, words[0] == "HEAD")
        case .lost, .cut: client.reset()
        case .broken(let share):
            _ = client.send(Array(answer.prefix(answer.count * share / 1000)))
            client.reset()
        case .retagged: _ = client.send(Self.retagged(answer))
        case .refusal, nil: _ = client.send(answer)
        }
    }

    /// An answer whose tag has another first digit.
    private static func retagged(_ answer: [UInt8]) -> [UInt8] {
        let head = answer.prefix { $0 != 0 }.prefix(8192).map { ($0 | 0x20) }
        guard let field = head.firstRange(of: Array("\r\netag: \"".utf8.map { $0 | 0x20 })) else { return answer }
        var changed = answer
        changed[field.upperBound] = changed[field.upperBound] == 0x30 ? 0x31 : 0x30
        return changed
    }

    /// The server's answer, whole as it comes; nil without one.
    private func ask(_ request: [UInt8], isCut: Bool) -> [UInt8]? {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { return nil }
        let connection = LoopbackConnection(raw)
        defer { connection.close() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, connection.send(request) else { return nil }
        if isCut {
            connection.reset()
            return nil
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(raw, &piece, piece.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return answer.isEmpty ? nil : answer }
            answer += piece[..<count]
        }
    }

    private func answer(_ client: inout LoopbackConnection, _ status: Int, _ body: String, _ isHead: Bool) {
        let headers = [("Connection", "close"), ("Content-Type", "application/xml")]
        _ = client.send(LoopbackServer.Reply(status, headers: headers, body: Array(body.utf8)), isHead: isHead)
    }
}

/// Carries the listening socket into the thread that accepts.
private final class Door: Sendable {
    private let socket: ListeningSocket

    init(_ socket: consuming ListeningSocket) { self.socket = socket }

    func accept() -> Int32? { socket.acceptRaw(milliseconds: 100) }
}
