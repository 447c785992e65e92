internal import Glibc

/// How many files this process may have open; a connection is one.
package enum OpenFiles {
    /// Raises the limit as far as an ordinary process may (setrlimit(2)): to what the system's administrator allows.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return usual }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }

    /// What most systems begin with.
    private static let usual = 1024
    /// What databases, clips that are read, and the program itself need beside connections: a quarter, and at least 200.
    private static let leastOthers = 200
    /// More listeners than that are not measured, and need some hundred megabytes.
    private static let mostConnections = 16_384

    /// How many connections fit into a limit.
    package static func connections(of limit: Int) -> Int {
        max(64, min(limit - max(leastOthers, limit / 4), mostConnections))
    }
}
