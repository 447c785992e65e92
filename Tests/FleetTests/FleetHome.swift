import ChirpAudio
import ChirpTestKit
import Foundation
import Glibc
import Synchronization

/// The built program with folders of its own: batches and workers of one test.
final class FleetHome: Sendable {
    let folder: TemporaryFolder
    private let started = Mutex<[StartedProgram]>([])

    init() throws {
        folder = try TemporaryFolder()
        for name in ["in", "tmp"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
    }

    deinit {
        for process in started.withLock({ $0 }) where process.isRunning {
            process.send(SIGKILL)
            process.wait()
        }
    }

    /// A program that was started.
    struct Running: Sendable {
        let process: StartedProgram
        let output: String
        let errors: String

        var pid: pid_t { process.pid }
        var errorsSoFar: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }
        var lines: [[String: Any]] {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }

        /// Cheap to watch.
        var lineCount: Int {
            (FileManager.default.contents(atPath: output) ?? Data()).count { $0 == UInt8(ascii: "\n") }
        }

        func send(_ signal: Int32) { process.send(signal) }

        /// Waits for its end.
        ///
        /// - Returns: its exit code; the signal as a negative number.
        func end() async -> Int32 { await process.end() }
    }

    private static let program: String = {
        if let named = ProcessInfo.processInfo.environment["CHIRP_PROGRAM"] { return named }
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().appending(path: "chirp").path
    }()

    /// - Parameter state: programs that share a journal have the same.
    func start(
        _ arguments: [String], state: String = "state", environment extra: [String: String] = [:]
    ) throws -> Running {
        let environment = [
            "HOME": folder.path("home"), "TMPDIR": folder.path("tmp"), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
            "XDG_STATE_HOME": folder.path(state), "SWIFT_BACKTRACE": "enable=no",
        ].merging(extra) { $1 }
        let name = UUID().uuidString
        let (output, errors) = (folder.path("tmp/\(name).out"), folder.path("tmp/\(name).err"))
        let process = try StartedProgram(
            [Self.program] + arguments, environment: environment, folder: folder.path("."), output: output,
            errors: errors)
        started.withLock { $0.append(process) }
        return Running(process: process, output: output, errors: errors)
    }

    /// A worker that has begun to work.
    func worker(_ servers: NatsServers, _ extra: String...) async throws -> Running {
        let worker = try start(["worker", "--fleet", servers.addresses, "--jobs", "1", "--json"] + extra)
        await until { worker.lines.contains { $0["event"] as? String == "ready" } || !worker.process.isRunning }
        return worker
    }

    /// Writes short recordings, each of another sound.
    func record(_ count: Int, seconds: Double = 0.3) throws {
        for number in 0..<count {
            try Signal.sine(
                AudioFormat(sampleRate: 16000, channels: 1), frequency: 200 + Double(number % 700), level: -12,
                seconds: seconds + Double(number / 700) * 0.01
            ).writeWav(to: folder.path("in/take-\(number).wav"))
        }
    }

    /// The clips below a folder, by name.
    func clips(_ name: String) -> [String: Data] { Self.clips(at: folder.path(name)) }

    static func clips(at top: String) -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: top)?.compactMap { $0 as? String } ?? []
        var clips: [String: Data] = [:]
        for name in names {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(top)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            clips[name] = FileManager.default.contents(atPath: "\(top)/\(name)")
        }
        return clips
    }
}
