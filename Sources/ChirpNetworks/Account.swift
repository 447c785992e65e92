/// Somebody on a network.
public struct Account: Hashable, Sendable {
    /// The network's own name for it: opaque and lasting, unlike the handle.
    public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public let id: ID
    /// Without the leading `@`; may change over time.
    public let handle: String
    /// As the person wants to be called; plain text.
    public let displayName: String

    public init(id: ID, handle: String, displayName: String) {
        self.id = id
        self.handle = handle
        self.displayName = displayName
    }

    /// Not somebody, but what one watches at a hub: boards tell of it by posts of whoever did something there, such as who breaks a record.
    public static let watched = Account(id: ID("watched"), handle: "watched", displayName: "What you watch")
}
