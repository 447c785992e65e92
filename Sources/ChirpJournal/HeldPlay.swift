public import FoundationEssentials
public import GRDB

/// A clip whose file is in the cache: what retention needs to know of it.
public struct HeldPlay: Codable, Hashable, Sendable, FetchableRecord {
    public let id: Int64
    public let file: String
    public let bytes: Int64
    public let fetched: Date
    public let state: PlayState
}
