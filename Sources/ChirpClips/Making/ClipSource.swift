/// A recording as a file on this machine; what came through a pipe has been spooled into one first.
public struct ClipSource: Hashable, Sendable, Codable {
    public var path: String
    /// What the user calls it: the file name, or `standard input`.
    public var name: String
    /// Lower-case hexadecimal SHA-256 of the whole file; empty when nobody needed it yet.
    public var sha256: String

    public init(path: String, name: String, sha256: String) {
        self.path = path
        self.name = name
        self.sha256 = sha256
    }
}
