/// How far a feed has been read: opaque, made and understood by its network, kept in the journal.
public struct Cursor: Hashable, Sendable, Codable {
    public let text: String
    public init(_ text: String) { self.text = text }
}
