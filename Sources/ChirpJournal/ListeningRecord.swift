public import FoundationEssentials
public import GRDB

/// A listening session. One that has no end was cut off, and the next one goes on with what it had not played.
public struct ListeningRecord: Codable, Hashable, Sendable, FetchableRecord {
    public let id: Int64
    public let begun: Date
    public let ended: Date?
}
