internal import GRDB

/// The sound of a clip in a store, as the library has written it down.
package struct StoredClip: Hashable, Sendable {
    package enum State: String, Sendable {
        case uploading, there, leaving
    }

    package let clip: HubID
    /// The store's name for it.
    package let object: String
    /// Which store, and where in it.
    package let place: String
    package let bytes: Int64
    /// Lower-case hexadecimal.
    package let sha256: String
    package let state: State
    /// By which an upload that was broken off goes on; a secret at some stores.
    package let session: String?

    /// Nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let clip = HubID(row["clip"] as String), let state = State(rawValue: row["state"]) else { return nil }
        self.clip = clip
        self.state = state
        (object, place, bytes, sha256, session) = (
            row["object"], row["place"], row["bytes"], row["sha256"], row["session"]
        )
    }

    /// The ids of all clips that are there, in no order. A library of an earlier release has none.
    static func idsThere(in database: Database) throws -> Set<String> {
        guard try database.tableExists("storedClips") else { return [] }
        return Set(
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT clip FROM storedClips WHERE state = 'there'")))
    }
}
