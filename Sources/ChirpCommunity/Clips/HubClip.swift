package import FoundationEssentials

/// A clip in the library. The text in it came from outside; it is plain, but not yet escaped for any format.
package struct HubClip: Hashable, Sendable {
    package var id: String
    package var title: String
    /// A readable name with its extension. Never used as a path.
    package var fileName: String
    package var contentType: String
    package var bytes: Int64
    /// Lower-case hexadecimal.
    package var sha256: String
    /// Nil when nobody has measured it.
    package var sound: HubSound?
    package var created: Date
    package var expires: Date?
    /// Whether those who have the link may listen.
    package var shared: Bool

    /// What stands where a title is needed.
    package var displayTitle: String { title.isEmpty ? "Untitled clip" : title }

    package func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}
