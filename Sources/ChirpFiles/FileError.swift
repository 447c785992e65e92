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

/// What a system call failed with. The number is kept, since texts are for people: a full disk is told by ``isFull``.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An `errno`, such as 28 for ENOSPC.
    public let code: Int32

    public init(code: Int32) { self.code = code }

    /// Of the call that has just failed on this thread.
    public static var current: SystemError { SystemError(code: errno) }

    /// The disk, or the user's share of it, is full.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT }

    /// The system's words, for example "No space left on device". Of this thread alone since glibc 2.32.
    public var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
