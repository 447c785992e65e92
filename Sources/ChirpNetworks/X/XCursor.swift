/// How far X has been read: the newest id, and what of the last minute has been seen, because late ones may still come.
struct XCursor: Hashable, Sendable {
    let newest: Snowflake
    let seen: Set<Snowflake>

    init(newest: Snowflake, seen: Set<Snowflake>) {
        self.newest = newest
        self.seen = seen
    }

    /// From ``text``; nil when it is something else.
    init?(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1)
        guard let first = parts.first, let newest = Snowflake(String(first)) else { return nil }
        let seen = parts.dropFirst().first?.split(separator: ",").compactMap { Snowflake(String($0)) } ?? []
        self.init(newest: newest, seen: Set(seen))
    }

    var text: String { newest.text + ";" + seen.sorted().map(\.text).joined(separator: ",") }
}
