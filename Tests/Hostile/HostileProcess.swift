import Foundation

/// This program again, as a child whose lines are read with patience.
final class HostileProcess {
    private var process: pid_t = 0
    private let output: Int32
    private var buffer: [UInt8] = []

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        let words = [CommandLine.arguments[0]] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // The runtime's own handler would take seconds over each death.
        var environment = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
        defer { free(environment[0]) }
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &pointers, &environment)
        Glibc.close(ends[1])
        output = ends[0]
        guard code == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    /// The next line; empty at the end, nil when none comes in time.
    func line(within milliseconds: Int32) -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, milliseconds)
            if events < 0 && errno == EINTR { continue }
            guard events > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &piece, piece.count)
            guard count > 0 else { return "" }
            buffer += piece.prefix(count)
        }
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    /// Waits for it.
    ///
    /// - Returns: how it ended in words, and the most memory it had in kilobytes.
    func end() -> (status: String, peak: Int) {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        Glibc.close(output)
        let signal = status & 0x7F
        return (signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)", usage.ru_maxrss)
    }
}
