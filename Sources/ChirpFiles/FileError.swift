internal import Glibc

/// A system call on a file that failed: which file, and the error number.
package struct FileError: Error, Hashable {
    package let path: String
    package let number: Int32

    package init(path: String, number: Int32 = errno) {
        self.path = path
        self.number = number
    }

    /// The system's own wording, for example `No space left on device`.
    package var reason: String { String(cString: strerror(number)) }
    /// The disk, or the user's share of it, is full.
    package var isFull: Bool { number == ENOSPC || number == EDQUOT }
    package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    package var isExisting: Bool { number == EEXIST }
}
