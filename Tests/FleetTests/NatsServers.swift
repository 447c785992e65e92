import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

/// Real servers on loopback, alone or as a cluster, with JetStream in a folder that goes with them. They can be killed and
/// started again.
final class NatsServers: Sendable {
    /// Reserved for as long as this lives, so that a server that was killed comes back at its address.
    private let clients: [ReservedPort]
    private let routes: [ReservedPort]
    private let folder: String
    private let extra: [String]
    private let processes: Mutex<[Int: StartedProgram]> = Mutex([:])

    /// - Parameters:
    ///   - count: 1, or 3 for a cluster.
    ///   - extra: more arguments for each.
    init(_ count: Int = 1, extra: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "chirp-nats-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        clients = try (0..<count).map { _ in try ReservedPort() }
        routes = try (0..<count).map { _ in try ReservedPort() }
        self.extra = extra
        for index in 0..<count { try start(index) }
    }

    deinit {
        for process in processes.withLock({ $0.values.map(\.self) }) where process.isRunning {
            process.send(SIGKILL)
            process.wait()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var ports: [Int] { clients.map { Int($0.number) } }

    /// As `--fleet` wants it.
    var addresses: String { ports.map { "nats://127.0.0.1:\($0)" }.joined(separator: ",") }

    func start(_ index: Int) throws {
        var words = [
            "/usr/sbin/nats-server",
            "-a", "127.0.0.1", "-p", "\(ports[index])", "-js", "-sd", "\(folder)/store-\(index)",
            "--server_name", "server-\(index)", "-l", "\(folder)/log-\(index)", "-P", "\(folder)/pid-\(index)",
        ]
        if routes.count > 1 {
            words += [
                "--cluster_name", "test", "--cluster", "nats://127.0.0.1:\(routes[index].number)", "--routes",
                routes.map { "nats://127.0.0.1:\($0.number)" }.joined(separator: ","),
            ]
        }
        let process = try StartedProgram(words + extra)
        processes.withLock { $0[index] = process }
    }

    /// As a power cut does.
    func kill(_ index: Int) {
        guard let process = processes.withLock({ $0.removeValue(forKey: index) }) else { return }
        process.send(SIGKILL)
        process.wait()
    }

    /// What it has written into its log.
    func log(_ index: Int) -> String { (try? String(contentsOfFile: "\(folder)/log-\(index)", encoding: .utf8)) ?? "" }
}
