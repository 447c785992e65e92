import ChirpCore
import ChirpHub
import ChirpTestKit
import Glibc
import Hummingbird
import ServiceLifecycle

/// A hub on a port of its own, as `chirp serve` runs it, for the time of a closure.
func withLiveHub<T: Sendable>(
    _ house: HubHousehold, clock: any Clock<Duration> = ContinuousClock(),
    _ body: @Sendable (_ port: Int) async throws -> T
) async throws -> T {
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    var settings = try HubSettings(port: 0, publicURL: HubHousehold.publicURL)
    // A busy machine may need longer than a service's users would wait.
    settings.grace = .seconds(600)
    let application = HubApplication(
        settings: settings, library: house.library,
        logger: HubHousehold.logger, clock: clock, onRunning: { continuation.yield($0) })
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
    try await offPool { try ExternalProgram("curl").run(["--silent", "--max-time", "20"] + arguments) }
}

/// A connection to a hub on which an answer is read line by line as it arrives.
final class OpenAnswer: Sendable {
    private let socket: Int32

    init?(port: Int, path: String, headers: [String] = []) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // No test waits for ever for a line that does not come.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers + ["", ""]
        let request = Array(lines.joined(separator: "\r\n").utf8)
        guard connected == 0, send(socket, request, request.count, 0) == request.count else { return nil }
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
