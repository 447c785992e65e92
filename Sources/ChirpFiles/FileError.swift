internal import Glibc

/// A system call on a file that failed: which file, and what the system said.
package struct FileError: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let error: SystemError

    package init(path: String, number: Int32 = errno) {
        self.path = path
        error = SystemError(code: number)
    }

    /// An `errno`.
    package var number: Int32 { error.code }
    /// The system's own wording, for example `No space left on device`.
    package var reason: String { error.description }
    /// The disk, or the user's share of it, is full.
    package var isFull: Bool { error.isFull }
    package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// Nobody wanted it any more.
    package var isCancellation: Bool { number == ECANCELED }

    package var description: String { "\(path): \(reason)" }
}
