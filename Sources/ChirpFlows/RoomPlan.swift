public import ChirpCore
public import ChirpJournal

/// Which published clips have to go so that a new one fits: the oldest first, and no more than needed.
public struct RoomPlan: Hashable, Sendable {
    /// In the order of removal.
    public let removals: [PublicationRecord.ID]
    /// What their removal frees.
    public let frees: ByteCount
    /// Whether that is enough. When it is not, nothing should be removed.
    public let suffices: Bool

    /// - Parameters:
    ///   - missing: the bytes that are needed beyond what is free.
    ///   - published: finished publications of one store, in any order.
    public init(missing: ByteCount, published: [PublicationRecord]) {
        var removals: [PublicationRecord.ID] = []
        var freed = ByteCount(Int64(0))
        let oldestFirst = published.filter { $0.state == .done }.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        for record in oldestFirst {
            guard freed < missing else { break }
            guard let bytes = record.clipBytes, bytes > 0 else { continue }
            removals.append(record.id)
            freed += ByteCount(bytes)
        }
        self.removals = removals
        frees = freed
        suffices = freed >= missing
    }
}
