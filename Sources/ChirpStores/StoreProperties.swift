/// Facts about a store that callers may ask for before they try.
public struct StoreProperties: Hashable, Sendable {
    /// As in `--store NAME`.
    public var name: String
    /// Which one of that name: the folder's path, the server's address, the account. Empty when there is only one.
    /// Written into the journal, so that a publication is resumed and removed where it was begun.
    public var place: String
    /// How many transfers at once are sensible, 1 or more.
    public var connections: Int
    /// Whether ``Store/share(_:)`` can give a link that others can open.
    public var canShare: Bool

    public init(name: String, place: String = "", connections: Int = 1, canShare: Bool) {
        self.name = name
        self.place = place
        self.connections = connections
        self.canShare = canShare
    }
}
