internal import GRDB

/// A feed that has changed since the WebSub hub was told.
package struct ChangedFeed: Hashable, Sendable, Identifiable {
    package let id: Int64
    /// Whose feed; nil: everybody's.
    package let person: PostAuthor?
    package let format: Format
    /// How often it has changed: what changes while the hub is told is told again.
    package let changes: Int64
    /// How often telling failed.
    package let tries: Int

    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// RSS 2.0.
        case xml
        /// JSON Feed 1.1.
        case json
    }

    /// Where it lies: the topic that the hub is told.
    package func address(_ links: HubLinks) -> String {
        switch format {
        case .xml: person.map(links.rss(of:)) ?? links.rss
        case .json: person.map(links.feed(of:)) ?? links.feed
        }
    }

    init?(_ row: Row) {
        guard let format = Format(rawValue: row["format"]) else { return nil }
        id = row["sequence"]
        person = (row["id"] as String?) == nil ? nil : PostAuthor(row)
        self.format = format
        changes = row["changes"]
        tries = row["tries"]
    }
}
