public import Foundation

/// A recording on disk.
public struct Take: Hashable, Sendable {
    /// Its name in the folder without `.wav`, made from the time: `2026-11-21-140503`.
    public let id: String
    public let path: String
    public let seconds: Double
    public let bytes: Int64
    public let recorded: Date
    /// The link under which it was published; nil while it was not.
    public let link: String?
}
