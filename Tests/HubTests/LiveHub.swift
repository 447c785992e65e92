import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpPlaces
import ChirpTestKit
import ChirpWeb
import Glibc
import HubHousehold
import Hummingbird
import ServiceLifecycle

/// A hub on a port of its own, as `chirp serve` runs it, for the time of a closure.
func withLiveHub<T: Sendable>(
    _ house: HubHousehold, clock: any Clock<Duration> = ContinuousClock(),
    publicURL: String = HubHousehold.publicURL, connections: ConnectionLimits = ConnectionLimits(),
    tls: TLSFiles? = nil,
    trustedProxies: TrustedProxies = .none, gazetteer: Gazetteer? = nil,
    _ body: @Sendable (_ port: Int) async throws -> T
) async throws -> T {
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    var settings = try HubSettings(HubAddress(port: 0, publicURL: publicURL))
    settings.connections = connections
    settings.tls = tls
    settings.trustedProxies = trustedProxies
    // A busy machine may need longer than a service's users would wait.
    settings.grace = .seconds(600)
    var application = HubApplication(
        settings: settings, library: house.library,
        logger: HubHousehold.logger, clock: clock, onRunning: { continuation.yield($0) })
    application.gazetteer = gazetteer
    let group = ServiceGroup(services: [application], logger: HubHousehold.logger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { continuation.finish() }
            try await group.run()
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            try await tasks.waitForAll()
            throw CancellationError()
        }
        do {
            let result = try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        } catch {
            await group.triggerGracefulShutdown()
            throw error
        }
    }
}

/// Runs curl off the pool.
func curl(_ arguments: [String]) async throws -> ExternalProgram.Result {
    try await offPool { try ExternalProgram("curl").run(["--silent", "--max-time", "120"] + arguments) }
}

/// A connection to a hub on which an answer is read line by line as it arrives.
final class OpenAnswer: Sendable {
    private let socket: Int32

    /// - Parameters:
    ///   - local: the address of this machine that the hub sees.
    ///   - rest: what is sent behind the head; nil leaves out the head's end too.
    convenience init?(
        port: Int, path: String, method: String = "GET", headers: [String] = [], rest: String? = "",
        from local: String = "127.0.0.1"
    ) {
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers + (rest.map { ["", $0] } ?? [])
        self.init(port: port, request: lines.joined(separator: "\r\n"), from: local)
    }

    /// - Parameter request: what is sent, byte for byte.
    init?(port: Int, request: String, from local: String = "127.0.0.1") {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // No test waits for ever for a line that does not come.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = inet_addr(local)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected =
            withUnsafePointer(to: &own) { own in
                own.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
            } == 0
            && withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
            } == 0
        let request = Array(request.utf8)
        guard connected, send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
    }

    /// Everything from here on until the hub hangs up; nil when it does not.
    func rest() async -> [UInt8]? {
        await offPool { [self] in
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(socket, &piece, piece.count, 0)
                if count == 0 || count < 0 && errno == ECONNRESET { return all }
                guard count > 0 else { return nil }
                all += piece[..<count]
            }
        }
    }

    deinit { close(socket) }

    /// Lines from here on until one satisfies the condition, that one included; nil when the answer ends before.
    func lines(until isLast: @Sendable @escaping (String) -> Bool) async -> [String]? {
        await offPool { [self] in
            var lines: [String] = []
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) == 1 {
                guard byte == UInt8(ascii: "\n") else {
                    if byte != UInt8(ascii: "\r") { line.append(byte) }
                    continue
                }
                lines.append(String(decoding: line, as: UTF8.self))
                line = []
                if isLast(lines[lines.count - 1]) { return lines }
            }
            return nil
        }
    }
}
