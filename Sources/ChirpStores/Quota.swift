public import ChirpCore

/// The room of a store as far as it tells. What is unknown is nil, never zero; an unlimited store has no `free` and says so.
public struct Quota: Hashable, Sendable {
    public var limit: ByteCount?
    public var used: ByteCount?
    /// Bytes that can still be stored. Nil: unknown or unlimited.
    public var free: ByteCount?
    /// The store has stated that there is no limit.
    public var unlimited: Bool

    public init(limit: ByteCount? = nil, used: ByteCount? = nil, free: ByteCount? = nil, unlimited: Bool = false) {
        self.limit = limit
        self.used = used
        self.free = free
        self.unlimited = unlimited
    }
}
