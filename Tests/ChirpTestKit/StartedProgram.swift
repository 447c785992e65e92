internal import ChirpCore
internal import Foundation
public import Glibc
internal import Synchronization

/// A program that tests have started. What it writes goes to files or nowhere, so that no side waits for the other.
///
/// Not by Foundation's `Process`: before each start that copies every name of an open file with the 256 bytes that it could have at most, also the
/// last one of a list, and now and then beyond the memory there is, which ends all tests.
public final class StartedProgram: Sendable {
    /// The system refused.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let pid: pid_t
    /// How it ended, once somebody has been told.
    private let ended = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - words: the program, by its path or as the path of programs has it, and what it is told.
    ///   - environment: nothing beside it; nil for that of the tests.
    ///   - folder: its current folder; nil for that of the tests.
    ///   - input: the file it reads.
    ///   - output: the file it writes to; it is made when there is none.
    ///   - errors: the same for its errors; may be the same file.
    public init(
        _ words: [String], environment: [String: String]? = nil, folder: String? = nil, input: String = "/dev/null",
        output: String = "/dev/null", errors: String = "/dev/null"
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        if errors == output {
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }

        // What the tests ignore or block must not be so in the program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // `env` becomes the program, so the process is the same one.
        let before = folder.map { ["/usr/bin/env", "--chdir=\($0)"] } ?? []
        let arguments: [UnsafeMutablePointer<CChar>?] = (before + words).map { strdup($0) } + [nil]
        let surroundings = environment ?? ProcessInfo.processInfo.environment
        let variables: [UnsafeMutablePointer<CChar>?] = surroundings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var pid = pid_t()
        let result = posix_spawnp(&pid, (before + words)[0], &actions, &attributes, arguments, variables)
        guard result == 0 else {
            throw Failure(description: "\(words[0]) does not start: \(String(cString: strerror(result)))")
        }
        self.pid = pid
    }

    /// Whether it has not ended.
    public var isRunning: Bool { ended.withLock { look(&$0, WNOHANG) } == nil }

    /// Asks it for something, if it has not ended.
    public func send(_ signal: Int32) {
        ended.withLock { ended in
            // Of one that nobody was told of the number belongs to no other.
            if look(&ended, WNOHANG) == nil { kill(pid, signal) }
        }
    }

    /// Waits for its end, on this thread.
    ///
    /// - Returns: its exit status, or the number of the signal that ended it below zero.
    @discardableResult
    public func wait() -> Int32 {
        // It stays to be told, so that whoever looks meanwhile need not wait.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return ended.withLock { look(&$0, 0) } ?? -1
    }

    /// The same without a thread of the tests' own.
    @discardableResult
    public func end() async -> Int32 { await offPool { self.wait() } }

    private func look(_ ended: inout Int32?, _ options: Int32) -> Int32? {
        guard ended == nil else { return ended }
        var status = Int32()
        var result: pid_t
        repeat { result = waitpid(pid, &status, options) } while result < 0 && errno == EINTR
        if result == pid { ended = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F) }
        return ended
    }
}
