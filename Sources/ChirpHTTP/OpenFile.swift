import Glibc

/// A file descriptor that is closed once.
struct OpenFile: ~Copyable {
    let raw: Int32

    /// - Parameter flags: as for open(2); `O_CLOEXEC` is added.
    init(_ path: String, flags: Int32, mode: mode_t = 0o600) throws(HTTPError) {
        let raw = open(path, flags | O_CLOEXEC, mode)
        guard raw >= 0 else { throw Self.failure(path) }
        self.raw = raw
    }

    deinit { close(raw) }

    static func failure(_ path: String) -> HTTPError {
        .inputOutput(path: path, reason: String(cString: strerror(errno)))
    }
}
