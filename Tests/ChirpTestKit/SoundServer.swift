import Foundation

/// A private PulseAudio daemon with one null sink called `out` (48 kHz, stereo, Float), whose monitor `out.monitor` serves
/// as a microphone. Its socket, state and home lie in a folder of its own.
///
/// It is started and stopped by the test; were the test killed, it would end by itself when nobody uses it.
public final class SoundServer: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// What `PULSE_SERVER` would be.
    public let address: String
    private let folder: URL

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chirp-sound-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:\(folder.path)/native"
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the daemon; returns when it answers.
    public func start() throws {
        try run(
            "/usr/bin/pulseaudio",
            [
                "-n", "-F", "/dev/null", "--daemonize=yes", "--use-pid-file=yes", "--exit-idle-time=300",
                "--high-priority=no", "--log-level=error", "--log-target=newfile:\(folder.path)/log",
                "-L", "module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1",
                "-L", Self.sinkModule,
            ])
    }

    /// Ends it as a crash would: signal 9. Returns when the process is gone.
    public func kill() {
        let path = folder.appendingPathComponent("run/pid").path
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        Glibc.kill(process, SIGKILL)
        while Self.isAlive(process) { sched_yield() }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Whether a process still runs; one that waits to be reaped by its parent does not.
    private static func isAlive(_ process: Int32) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = line.split(separator: ")").last?.split(separator: " ").first
        else { return false }
        return state != "Z" && state != "X"
    }

    /// Runs `pactl` against this server and returns what it prints.
    @discardableResult
    public func control(_ arguments: String...) throws -> String {
        try run("/usr/bin/pactl", ["-s", address] + arguments)
    }

    /// Takes the sink away, as pulling a plug does.
    public func unplug() throws { try control("unload-module", "module-null-sink") }

    /// Brings the sink back.
    public func plug() throws {
        try control(["load-module"] + Self.sinkModule.split(separator: " ").map(String.init))
    }

    private func control(_ arguments: [String]) throws {
        try run("/usr/bin/pactl", ["-s", address] + arguments)
    }

    private static let sinkModule =
        "module-null-sink sink_name=out norewinds=1 format=float32le rate=48000 channels=2"

    @discardableResult
    private func run(_ path: String, _ arguments: [String]) throws -> String {
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            "PULSE_RUNTIME_PATH": folder.path + "/run", "PULSE_STATE_PATH": folder.path + "/state",
        ]
        let output = folder.appendingPathComponent("output-\(UUID().uuidString)").path
        let status = try StartedProgram([path] + arguments, environment: environment, output: output, errors: output)
            .wait()
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard status == 0 else { throw Failure(description: "\(path) \(arguments) ended with \(status): \(text)") }
        return text
    }
}
