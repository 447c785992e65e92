internal import Glibc

/// What the file system says about a file: enough to see that it is another one, or another content.
public struct FileFacts: Hashable, Sendable {
    public var bytes: Int64
    /// Nanoseconds since 1970.
    public var modified: Int64
    /// The last change of content, name or rights, in nanoseconds since 1970; nobody can set it.
    public var changed: Int64
    public var identity: Identity

    /// Which file of which file system.
    public struct Identity: Hashable, Sendable {
        public var device: UInt64
        public var number: UInt64

        public init(device: UInt64, number: UInt64) {
            self.device = device
            self.number = number
        }
    }

    public init(bytes: Int64, modified: Int64, changed: Int64 = 0, identity: Identity) {
        self.bytes = bytes
        self.modified = modified
        self.changed = changed
        self.identity = identity
    }

    init(_ facts: stat) {
        bytes = Int64(facts.st_size)
        modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
        changed = Int64(facts.st_ctim.tv_sec) * 1_000_000_000 + Int64(facts.st_ctim.tv_nsec)
        identity = Identity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }
}
