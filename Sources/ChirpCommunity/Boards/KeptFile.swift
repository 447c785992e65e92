/// A file that a board keeps for as long as what it has promised with it lasts, whatever becomes of what it was made of. It lies in
/// ``folder`` under its own SHA-256, so that the same file is there once, and whoever reads it knows whether it is the right one.
package struct KeptFile: Hashable, Sendable {
    /// Lower-case hexadecimal.
    package let sha256: String
    package let bytes: Int64

    /// Below the library's.
    package static let folder = "sold"

    /// Nil for what is no SHA-256, which would be another path.
    package init?(sha256: String, bytes: Int64) {
        guard Self.isDigest(sha256), bytes >= 0 else { return nil }
        self.sha256 = sha256
        self.bytes = bytes
    }

    /// Below the library's folder.
    package var path: String { "\(Self.folder)/\(sha256)" }

    /// Whether a text is a SHA-256 in lower-case hexadecimal.
    package static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
