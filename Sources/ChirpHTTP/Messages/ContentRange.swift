/// `Content-Range: bytes 0-99/1234` of a partial answer (RFC 9110 section 14.4).
public struct ContentRange: Hashable, Sendable {
    public let first: Int64
    public let last: Int64
    /// The size of the whole; nil when the server does not say.
    public let total: Int64?

    /// Nil when the text is not such a range of bytes.
    public init?(_ text: String) {
        guard text.utf8.count <= 200 else { return nil }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "-" || $0 == "/" }
        guard parts.count == 4, parts[0].lowercased() == "bytes", let first = Int64(parts[1]),
            let last = Int64(parts[2]),
            first >= 0, last >= first
        else { return nil }
        if parts[3] == "*" {
            total = nil
        } else {
            guard let whole = Int64(parts[3]), whole > last else { return nil }
            total = whole
        }
        self.first = first
        self.last = last
    }
}
