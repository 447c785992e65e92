internal import ChirpCore
internal import GRDB

/// The uses of a clip: posts, items, comments, answers to one person, whatever boards have. The end of one use leaves the clip to the others.
enum ClipUses {
    /// Tables that say something of a clip and keep none. Who may hear one hears it as the answer that another table has.
    static let mentions: Set<String> = ["media", "transcripts", "clipHearers"]

    /// Conditions on `clips`, one for each column by which a table refers to them: it has the clip. The keys of the tables say which these are, so
    /// that a use which a board adds is among them.
    static func all(but left: Set<String>, in database: Database) throws -> [String] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT tables.name AS name, keys."from" AS place FROM sqlite_schema AS tables
                    JOIN pragma_foreign_key_list(tables.name) AS keys
                    WHERE tables.type = 'table' AND keys."table" = 'clips' ORDER BY name, place
                    """)
        ).compactMap { row -> String? in
            let (table, column): (String, String) = (row["name"], row["place"])
            guard !left.contains(table) else { return nil }
            return "EXISTS (SELECT 1 FROM \"\(table)\" WHERE \"\(table)\".\"\(column)\" = clips.id)"
        }
    }
}

extension HubLibrary {
    /// A condition on `clips`: nothing uses it any more.
    func isUnused(_ database: Database) throws -> String {
        let left = boards.reduce(ClipUses.mentions) { $0.union($1.clipMentions) }
        return "NOT (\(try ClipUses.all(but: left, in: database).joined(separator: " OR ")))"
    }

    /// Ends a use of a clip that is written down no more: the clip goes with it, unless something else uses it or it is heard by its link. May be
    /// repeated; there may be none.
    package func release(_ id: HubID) async throws(LibraryError) {
        let isRemoved = try await write { try self.release(id, in: $0) }
        // The row first, as with every clip: a file that is left behind is swept.
        if isRemoved { try await offPool { [media] () throws(LibraryError) in try media.remove(id) } }
    }

    /// The same for a clip whose use has let others hear it: who has nothing else that shows it hears it no more, also where it stays.
    ///
    /// - Returns: whether its row has gone, so that its file is to be removed.
    func withdraw(_ id: HubID, in database: Database) throws -> Bool {
        try database.cachedStatement(
            sql: """
                UPDATE clips SET shared = 0 WHERE id = ?
                    AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id)
                    AND NOT EXISTS (SELECT 1 FROM itemMedia WHERE itemMedia.clip = clips.id)
                """
        ).execute(arguments: [id.text])
        // The last comment with it ends what is heard.
        try database.cachedStatement(sql: "UPDATE comments SET opens = 1 WHERE clip = ?").execute(arguments: [id.text])
        return try release(id, in: database)
    }

    private func release(_ id: HubID, in database: Database) throws -> Bool {
        let isUnused = try isUnused(database)
        try database.cachedStatement(sql: "DELETE FROM clips WHERE id = ? AND shared = 0 AND \(isUnused)").execute(
            arguments: [id.text])
        return database.changesCount > 0
    }
}
