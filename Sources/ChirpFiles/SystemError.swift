internal import Glibc

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
