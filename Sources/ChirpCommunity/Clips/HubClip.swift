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

    package init(
        id: String, title: String, fileName: String, contentType: String, bytes: Int64, sha256: String,
        sound: HubSound?,
        created: Date, expires: Date?, shared: Bool
    ) {
        self.id = id
        self.title = title
        self.fileName = fileName
        self.contentType = contentType
        self.bytes = bytes
        self.sha256 = sha256
        self.sound = sound
        self.created = created
        self.expires = expires
        self.shared = shared
    }
}
