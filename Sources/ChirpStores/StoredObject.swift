/// A clip that a store holds.
public struct StoredObject: Hashable, Sendable {
    /// The store's own name for it; opaque, unique within the store, safe to keep for ever.
    public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public let id: ID
    public let bytes: Int64

    public init(id: ID, bytes: Int64) {
        self.id = id
        self.bytes = bytes
    }
}
