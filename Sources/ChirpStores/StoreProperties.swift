/// Facts about a store that callers may ask for before they try.
public struct StoreProperties: Hashable, Sendable {
    /// As in `--store NAME`.
    public var name: String
    /// How many transfers at once are sensible, 1 or more.
    public var connections: Int
    /// Whether ``Store/share(_:)`` can give a link that others can open.
    public var canShare: Bool

    public init(name: String, connections: Int = 1, canShare: Bool) {
        self.name = name
        self.connections = connections
        self.canShare = canShare
    }
}
