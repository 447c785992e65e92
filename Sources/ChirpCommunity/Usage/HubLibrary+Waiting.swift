internal import GRDB

/// What a hub has to do, in figures.
package struct HubBacklog: Hashable, Sendable {
    /// Each state is there.
    package var uploads: [MediaItem.State: Int]
    /// Letters that wait to be sent.
    package var letters: Int
}

extension HubLibrary {
    /// How many uploads are how far, and how many letters wait.
    package func backlog() async throws(LibraryError) -> HubBacklog {
        try await read { database in
            var uploads = Dictionary(uniqueKeysWithValues: MediaItem.State.allCases.map { ($0, 0) })
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT state, COUNT(*) AS count FROM media GROUP BY state"))
            for row in rows {
                if let state = MediaItem.State(rawValue: row["state"]) { uploads[state] = row["count"] }
            }
            let letters = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM letters WHERE state = 'waiting'"))
            return HubBacklog(uploads: uploads, letters: letters ?? 0)
        }
    }
}
