public import FoundationEssentials
public import GRDB

/// A clip that arrived while listening. Its id counts arrivals, so ids are the order in which clips are heard.
public struct PlayRecord: Codable, Hashable, Sendable, Identifiable {
    public let id: Int64
    public let networkName: String
    public let postID: String
    public let part: Int
    /// Where the sound lies, as JSON.
    public let address: String
    public let authorID: String
    public let handle: String
    public let authorName: String
    public let words: String
    public let posted: Date
    /// When it was detected here.
    public let arrived: Date

    public var state: PlayState
    /// Why it was skipped.
    public var reason: String?
    /// The name of its file in the cache; nil before it was fetched and after it was removed.
    public var file: String?
    public var bytes: Int64?
    public var seconds: Double?
    /// What brings it to the loudness of the others.
    public var gainDB: Double?
    public var fetched: Date?
    /// When it was heard last.
    public var heard: Date?
    /// How often it was heard to its end or skipped by the listener.
    public var plays: Int
}

extension PlayRecord: FetchableRecord, PersistableRecord {
    public static var databaseTableName: String { "play" }
}
