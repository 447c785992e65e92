public import FoundationEssentials
public import GRDB

/// The number of a clip that arrived while listening, 1 or more. Numbers count arrivals, so their order is that in which clips are
/// heard. In columns and in JSON it is the number alone.
public struct PlayID: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible,
    DatabaseValueConvertible
{
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: PlayID, b: PlayID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { String(rawValue) }
}

/// A clip that arrived while listening.
public struct PlayRecord: Codable, Hashable, Sendable, Identifiable {
    public let id: PlayID
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

    /// What a process is doing with it that it may die of; nil while none is.
    public var inHand: Work?
    /// How often a process has died while it had it in hand.
    public var deaths = 0

    /// The work that a stranger's clip may end a process by.
    public enum Work: String, Codable, Hashable, Sendable {
        /// Fetching, and decoding it for the first time.
        case fetch
        case play
    }
}

extension PlayRecord: FetchableRecord, PersistableRecord {
    public static var databaseTableName: String { "play" }
    public static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .boundedDates
    }
}

/// How far a clip that arrived while listening has come.
public enum PlayState: String, Codable, Hashable, Sendable, CaseIterable, DatabaseValueConvertible {
    /// Detected; fetched or not, but not heard yet.
    case queued
    /// It was being heard when the journal was written last.
    case playing
    case played
    /// It was not heard; ``PlayRecord/reason`` says why.
    case skipped
    /// The process died twice while it had it in hand: only a person tries it again (`chirp replay ID`).
    case setAside = "set-aside"

    /// What a listening session that died goes on with.
    public static let open: [PlayState] = [.queued, .playing]
}

/// A clip whose file is in the cache: what retention needs to know of it.
public struct HeldPlay: Codable, Hashable, Sendable, FetchableRecord {
    public let id: PlayID
    public let file: String
    public let bytes: Int64
    public let fetched: Date
    public let state: PlayState
}

/// A listening session. One that has no end was cut off, and the next one goes on with what it had not played.
public struct ListeningRecord: Codable, Hashable, Sendable, FetchableRecord {
    public let id: Int64
    public let begun: Date
    public let ended: Date?
}
