public import GRDB

/// The name of a job in a fleet's queue, which its batch and its worker know it by. In columns, in JSON and in subjects it is the
/// text alone. One that came from the network may be any text until it is checked.
public struct JobID: RawRepresentable, Codable, Hashable, Comparable, Sendable, CustomStringConvertible,
    DatabaseValueConvertible
{
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static func < (a: JobID, b: JobID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { rawValue }
}

/// A clip that a batch has asked its fleet for and has no result of yet: what was promised.
public struct FleetJobRecord: Hashable, Sendable {
    /// The folder of the clips, without links. Together with ``path`` it names the row.
    public var target: String
    /// Of the recording, below the folder of the recordings; bytes, as the file system has them.
    public var path: [UInt8]
    public var id: JobID
    /// The recording when it was asked for: bytes, nanoseconds since 1970, lower-case hexadecimal SHA-256.
    public var sourceBytes: Int64
    public var sourceModified: Int64
    public var sourceSHA256: String

    public init(
        target: String, path: [UInt8], id: JobID, sourceBytes: Int64, sourceModified: Int64, sourceSHA256: String
    ) {
        self.target = target
        self.path = path
        self.id = id
        self.sourceBytes = sourceBytes
        self.sourceModified = sourceModified
        self.sourceSHA256 = sourceSHA256
    }
}
