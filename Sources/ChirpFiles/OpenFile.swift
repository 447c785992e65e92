internal import Glibc

/// A file descriptor that is closed once.
package struct OpenFile: ~Copyable, Sendable {
    package let raw: Int32

    /// - Parameter flags: as for open(2); `O_CLOEXEC` is added.
    package init(_ path: String, flags: Int32, mode: UInt32 = 0o600) throws(FileError) {
        let raw = open(path, flags | O_CLOEXEC, mode)
        guard raw >= 0 else { throw FileError(path: path) }
        self.raw = raw
    }

    deinit { close(raw) }
}
