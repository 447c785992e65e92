import ChirpCore
import Foundation
import Glibc

/// A started program. Its output goes to files, so that no side waits for the other.
struct Running: Sendable {
    let pid: pid_t
    /// Its folders must outlive it.
    private let owner: Household
    private let outputPath: String
    private let errorPath: String

    /// - Parameters:
    ///   - words: the program's path and its arguments.
    ///   - folder: the current folder of the program.
    ///   - input: a file for standard input; `/dev/null` for none.
    ///   - scratch: where the outputs go.
    init(
        _ words: [String], environment: [String: String], folder: String, input: String = "/dev/null", scratch: String,
        output: String? = nil, owner: Household
    ) throws {
        self.owner = owner
        let name = UUID().uuidString
        outputPath = output ?? "\(scratch)/\(name).out"
        errorPath = "\(scratch)/\(name).err"

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT, 0o600)

        // What the test process ignores must not be ignored by the program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // `env` becomes the program, so the process is the same one.
        let arguments = (["/usr/bin/env", "--chdir=\(folder)"] + words).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var pid = pid_t()
        let result = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, arguments, variables)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
        self.pid = pid
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Whether the system says that a signal has stopped it (`proc(5)`, the state behind the name).
    var isStopped: Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        return status.split(separator: ")").last?.hasPrefix(" T") == true
    }

    /// What has been written to standard error so far.
    var errorsSoFar: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    var outputSoFar: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

    /// Waits for its end.
    func outcome() async throws -> Outcome {
        let pid = pid
        let status = await offPool { () -> Int32 in
            var status = Int32()
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            return status
        }
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
            output: FileManager.default.contents(atPath: outputPath) ?? Data(), errors: errorsSoFar)
    }
}
