public import ChirpCore

/// Whether a clip may be sent, decided from its exact size and the room of the store before a byte leaves (W-4, CH-5).
public enum Admission: Hashable, Sendable {
    /// It fits. `free` is nil for a store without a limit.
    case admitted(free: ByteCount?)
    /// It does not fit; both numbers belong into the message.
    case refused(needed: ByteCount, free: ByteCount)
    /// The store does not tell; only trying will show.
    case unknown

    /// - Parameters:
    ///   - needed: the size of the clip, exact or an upper bound.
    ///   - quota: what the store has just said.
    public init(needed: ByteCount, quota: Quota) {
        if let free = quota.free ?? Self.difference(quota) {
            self = needed <= free ? .admitted(free: free) : .refused(needed: needed, free: free)
        } else {
            self = quota.unlimited ? .admitted(free: nil) : .unknown
        }
    }

    /// What is free where a store tells limit and use only. A store that is over its limit has nothing free.
    private static func difference(_ quota: Quota) -> ByteCount? {
        guard let limit = quota.limit, let used = quota.used else { return nil }
        return max(limit - used, ByteCount(Int64(0)))
    }

    /// The error for a clip that is not admitted.
    public func check() throws(StoreError) {
        if case .refused(let needed, let free) = self { throw .full(needed: needed, free: free) }
    }
}
