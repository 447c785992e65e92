internal import GRDB

extension HubLibrary {
    /// So often a clip is begun before it is given up: what listens to it may end the whole server.
    package static let mostHearings = 5

    /// The newest clip that was published, that nobody has written the words of, and that no program has listened to; nil when none waits.
    package func nextUnheard() async throws(LibraryError) -> HubClip? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.clipColumns(of: "clips")) FROM clips
                        WHERE heard IS NULL AND hearings < ?
                            AND (shared = 1 OR EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id))
                            AND NOT EXISTS (SELECT 1 FROM transcripts WHERE transcripts.clip = clips.id)
                        ORDER BY created DESC LIMIT 1
                        """), arguments: [Self.mostHearings]
            ).flatMap(HubClip.init)
        }
    }

    /// Marks that somebody begins to listen.
    ///
    /// - Returns: false when it waits no more.
    package func beginHearing(_ clip: HubID) async throws(LibraryError) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE clips SET hearings = hearings + 1 WHERE id = ? AND heard IS NULL")
                .execute(arguments: [clip.text])
            return database.changesCount > 0
        }
    }

    /// Writes down that it was listened to, whatever came of it.
    package func endHearing(_ clip: HubID) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(sql: "UPDATE clips SET heard = ? WHERE id = ?").execute(arguments: [
                now, clip.text,
            ])
        }
    }

    /// It could not be listened to, for no fault of its own: it waits on, and nothing is counted.
    package func postponeHearing(_ clip: HubID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE clips SET hearings = 0 WHERE id = ?").execute(arguments: [
                clip.text
            ])
        }
    }
}
