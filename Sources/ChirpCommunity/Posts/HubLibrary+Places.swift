internal import GRDB

/// Places in the feed. Whoever reads along knows the place up to which she has everything, so what appears must appear at the end.
extension HubLibrary {
    /// Puts a post that only its author has seen to the end of the feed, with all that refers to it, and its notices behind those that
    /// were read. The place it had leads to it still.
    ///
    /// - Returns: its new place.
    static func placeAnew(_ post: Int64, in database: Database) throws -> Int64 {
        let place = try next(of: "posts", in: database)
        // Rows point at a place that is not there between two of these statements; the commit looks.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for statement in [
            "UPDATE posts SET sequence = :new WHERE sequence = :old",
            "UPDATE posts SET replyTo = :new WHERE replyTo = :old",
            "UPDATE postTags SET post = :new WHERE post = :old",
            "UPDATE recipients SET post = :new WHERE post = :old",
            "UPDATE marks SET post = :new WHERE post = :old",
            "UPDATE notices SET post = :new WHERE post = :old",
            // These name it by text, since it may be gone.
            "UPDATE cases SET about = CAST(:new AS TEXT) WHERE kind = 'post' AND about = CAST(:old AS TEXT)",
            "UPDATE reports SET about = CAST(:new AS TEXT) WHERE kind = 'post' AND about = CAST(:old AS TEXT)",
            "INSERT INTO formerPlaces (place, post) VALUES (:old, :new)",
        ] {
            try database.cachedStatement(sql: statement).execute(arguments: ["new": place, "old": post])
        }
        let notices = try Int64.fetchAll(
            database.cachedStatement(sql: "SELECT sequence FROM notices WHERE post = ? ORDER BY sequence"),
            arguments: [place])
        for notice in notices {
            try database.cachedStatement(sql: "UPDATE notices SET sequence = ? WHERE sequence = ?").execute(arguments: [
                try next(of: "notices", in: database), notice,
            ])
        }
        return place
    }

    /// A number behind all that a table has ever given. Only inserting raises it by itself (sqlite.org/autoinc.html).
    private static func next(of table: String, in database: Database) throws -> Int64 {
        try database.cachedStatement(sql: "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ?").execute(
            arguments: [table])
        let found = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = ?"), arguments: [table])
        guard let found else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(table) has no numbers") }
        return found
    }
}
