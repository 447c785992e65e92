import FoundationEssentials
import Glibc

/// Another program, started beside this one with its environment and the descriptors that are named, and with signals as they are by
/// default: what this program ignores or blocks (SIGPIPE; INT and TERM while it waits) the other would inherit.
struct ProgramStart {
    /// A path, or a name that is looked for in PATH.
    let program: String
    /// What it is told, its own name first.
    let words: [String]
    /// What it reads; nil is nothing.
    var input: Int32?
    /// Where its output goes; nil is nowhere, so that it does not write into the answers of this program.
    var output: Int32?
    /// It leads a group of its own, so that it can be ended with whatever it has started.
    var leadsGroup = false

    /// - Returns: nil when the system refuses.
    func start() -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, nil)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, place)
            } else {
                posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        return posix_spawnp(&process, program, &actions, &attributes, arguments, variables) == 0 ? process : nil
    }
}
