package import ChirpFiles
public import FoundationEssentials

/// A finished file on its way into a store. It is a path rather than bytes, so that it can be sent again from any offset.
public struct Payload: Hashable, Sendable {
    public var path: String
    /// The exact size of the file.
    public var bytes: Int64
    /// Lower-case hexadecimal SHA-256 of the file.
    public var sha256: String
    /// The media type, `audio/mpeg` for clips.
    public var contentType: String
    /// A readable file name with its extension; not unique, not trusted to be a path.
    public var name: String
    /// What people see: plain text, may be empty.
    public var title: String
    /// When the store may remove it; nil means never.
    public var expires: Date?
    /// What the file was like when its SHA-256 was taken by whoever sends it; nil when that was not in this run. Spares reading a
    /// file that has not been touched since.
    package var seal: FileSeal?

    public init(
        path: String, bytes: Int64, sha256: String, contentType: String = "audio/mpeg", name: String,
        title: String = "",
        expires: Date? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.contentType = contentType
        self.name = name
        self.title = title
        self.expires = expires
    }
}
