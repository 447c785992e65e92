internal import Glibc

/// What the system says of a file besides its bytes, at one moment. As long as it says the same, nobody has written to the file
/// since, and a checksum taken then still holds without reading the file again.
///
/// Writing, replacing, cutting and setting times all change the time of status change (stat(2), `st_ctim`), which no program can
/// set. Only a change within the same tick of the kernel's clock (10 ms at most) would go unnoticed.
package struct FileSeal: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let bytes: Int64
    private let changed: [Int]

    /// - Returns: nil when there is no regular file.
    package init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Of a file that is open.
    package init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
        bytes = Int64(facts.st_size)
        changed = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec]
    }
}
