internal import GRDB

/// Somebody who can post here.
package struct HubAccount: Hashable, Sendable {
    /// Lasting, unlike the handle.
    package let id: String
    /// Without the leading `@`.
    package let handle: String
    /// As the person wants to be called; plain text.
    package let name: String

    package init(id: String, handle: String, name: String) {
        self.id = id
        self.handle = handle
        self.name = name
    }

    init(_ row: Row) { self.init(id: row["id"], handle: row["handle"], name: row["name"]) }
}
