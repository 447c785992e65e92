package import Glibc

/// What the file system says about a file: enough to see that it is another one, or another content.
public struct FileFacts: Hashable, Sendable {
    public var bytes: Int64
    /// The time that the owner may set, to be compared for equality only: nanoseconds since 1970, modulo 2^64. Exact from 1677
    /// to 2262; beyond, two different times are equal only when they lie a multiple of 584 years apart.
    public var modified: Int64
    /// The last change of content, name or rights, by the system's clock: nanoseconds since 1970; nobody can set it. Before 1677
    /// and after 2262 it stays at the nearest value that fits.
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

    /// - Parameter facts: what the system says; `touch` gives a file any time of 64 bits (`utimensat(2)`).
    package init(_ facts: stat) {
        bytes = Int64(facts.st_size)
        modified = Int64(facts.st_mtim.tv_sec) &* Self.second &+ Int64(facts.st_mtim.tv_nsec)
        changed = Self.nanoseconds(facts.st_ctim)
        identity = Identity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
    }

    private static let second: Int64 = 1_000_000_000

    /// Nanoseconds since 1970, or the nearest that fit into 64 bits.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: second)
        let (sum, isStillTooLarge) = whole.addingReportingOverflow(Int64(time.tv_nsec))
        guard isTooLarge || isStillTooLarge else { return sum }
        return time.tv_sec < 0 ? .min : .max
    }
}
