public import ChirpCore

/// An input as a regular file, and the digest of all its bytes.
public struct SpooledInput: Hashable, Sendable {
    public let path: String
    /// Lower-case hexadecimal SHA-256 of the whole file.
    public let sha256: String
    public let size: ByteCount
    /// It was made for this input; whoever asked for it removes it.
    public let isTemporary: Bool

    public init(path: String, sha256: String, size: ByteCount, isTemporary: Bool) {
        self.path = path
        self.sha256 = sha256
        self.size = size
        self.isTemporary = isTemporary
    }
}
