import Foundation
import Glibc
import Synchronization
import Testing

/// Real servers on loopback, alone or as a cluster, with JetStream in a folder that goes with them. They can be killed and
/// started again.
final class NatsServers: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let ports: [Int]
    private let routes: [Int]
    private let folder: String
    private let extra: [String]
    private let processes: Mutex<[Int: Process]> = Mutex([:])

    /// - Parameters:
    ///   - count: 1, or 3 for a cluster.
    ///   - extra: more arguments for each.
    init(_ count: Int = 1, extra: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "chirp-nats-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let free = try Self.freePorts(2 * count)
        ports = Array(free.prefix(count))
        routes = Array(free.suffix(count))
        self.extra = extra
        for index in 0..<count { try start(index) }
    }

    deinit {
        for process in processes.withLock({ $0.values.map(\.self) }) where process.isRunning {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// As `--fleet` wants it.
    var addresses: String { ports.map { "nats://127.0.0.1:\($0)" }.joined(separator: ",") }

    func start(_ index: Int) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/nats-server")
        var words = [
            "-a", "127.0.0.1", "-p", "\(ports[index])", "-js", "-sd", "\(folder)/store-\(index)",
            "--server_name", "server-\(index)", "-l", "\(folder)/log-\(index)", "-P", "\(folder)/pid-\(index)",
        ]
        if ports.count > 1 {
            words += [
                "--cluster_name", "test", "--cluster", "nats://127.0.0.1:\(routes[index])", "--routes",
                routes.map { "nats://127.0.0.1:\($0)" }.joined(separator: ","),
            ]
        }
        process.arguments = words + extra
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        processes.withLock { $0[index] = process }
    }

    /// As a power cut does.
    func kill(_ index: Int) {
        guard let process = processes.withLock({ $0.removeValue(forKey: index) }) else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What it has written into its log.
    func log(_ index: Int) -> String { (try? String(contentsOfFile: "\(folder)/log-\(index)", encoding: .utf8)) ?? "" }

    /// Ports of this machine that nobody listens on at the moment.
    private static func freePorts(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        defer { sockets.forEach { close($0) } }
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            sockets.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
                }
            }
            guard result == 0 else { throw Failure(description: String(cString: strerror(errno))) }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
}
