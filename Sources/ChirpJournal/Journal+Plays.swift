internal import ChirpCore
public import FoundationEssentials
internal import GRDB

extension Journal {
    /// Writes the clips found in a piece of a feed, and how far the feed was read, in one transaction: what is behind the
    /// cursor is in the table, however the process ends.
    ///
    /// - Parameter cursor: the network's own; nil leaves the former one.
    /// - Returns: the ids of the new rows, in order. A clip that is known already has none.
    public func detect(
        _ plays: [DetectedPlay], on network: String, cursor: String?, now: Date
    ) async throws(JournalError) -> [PlayID] {
        let now = now.bounded
        return try await write { database in
            var ids: [PlayID] = []
            for play in plays {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO play (networkName, postID, part, address, authorID, handle, authorName, words, posted,
                            arrived, state, plays)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING
                        """
                ).execute(arguments: [
                    network, play.postID, play.part, play.address, play.authorID, play.handle, play.authorName,
                    play.words, play.posted.bounded, now, PlayState.queued,
                ])
                if database.changesCount > 0 { ids.append(PlayID(rawValue: database.lastInsertedRowID)) }
            }
            if let cursor {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO feed (networkName, cursor, updated) VALUES (?, ?, ?)
                        ON CONFLICT DO UPDATE SET cursor = excluded.cursor, updated = excluded.updated
                        """
                ).execute(arguments: [network, cursor, now])
            }
            return ids
        }
    }

    /// How far a network's feed was read; nil when it never was.
    public func cursor(of network: String) async throws(JournalError) -> String? {
        try await read {
            try String.fetchOne(
                $0.cachedStatement(sql: "SELECT cursor FROM feed WHERE networkName = ?"), arguments: [network])
        }
    }

    public func play(_ id: PlayID) async throws(JournalError) -> PlayRecord {
        try await read { database in
            guard let record = try PlayRecord.fetchOne(database, key: id) else { throw JournalError.unknownPlay(id) }
            return record
        }
    }

    /// Changes a row in one transaction.
    ///
    /// - Returns: the row as it is now.
    @discardableResult
    public func update(
        play id: PlayID, _ change: @Sendable (inout PlayRecord) -> Void
    ) async throws(JournalError) -> PlayRecord {
        try await write { database in
            guard var record = try PlayRecord.fetchOne(database, key: id) else { throw JournalError.unknownPlay(id) }
            change(&record)
            try record.update(database)
            return record
        }
    }

    /// The clips that are still to be heard, in the order they arrived.
    public func openPlays() async throws(JournalError) -> [PlayID] {
        try await read {
            try PlayID.fetchAll(
                $0.cachedStatement(sql: "SELECT id FROM play WHERE state IN (?, ?) ORDER BY id"),
                arguments: [PlayState.queued, PlayState.playing])
        }
    }

    /// The clips that arrived last, newest first; skipped ones that were never fetched are left out, those set aside are not.
    public func recentPlays(limit: Int) async throws(JournalError) -> [PlayRecord] {
        try await read {
            try PlayRecord
                .filter(
                    Column("file") != nil || Column("plays") > 0
                        || Column("state") == PlayState.setAside.rawValue
                )
                .order(Column("id").desc).limit(limit).fetchAll($0)
        }
    }

    /// The clips whose files are in the cache.
    public func heldPlays() async throws(JournalError) -> [HeldPlay] {
        try await read {
            try HeldPlay.fetchAll(
                $0.cachedStatement(
                    sql: "SELECT id, file, bytes, fetched, state FROM play WHERE file IS NOT NULL ORDER BY id"))
        }
    }

    /// Notes that files are gone, and forgets rows that arrived before a time and have none.
    public func forget(files ids: [PlayID], playsBefore limit: Date) async throws(JournalError) {
        try await write { database in
            for id in ids {
                try database.cachedStatement(sql: "UPDATE play SET file = NULL WHERE id = ?").execute(arguments: [id])
            }
            try database.cachedStatement(
                sql: "DELETE FROM play WHERE file IS NULL AND arrived < ? AND state IN (?, ?, ?)"
            ).execute(arguments: [limit.bounded, PlayState.played, PlayState.skipped, PlayState.setAside])
        }
    }

    /// Begins a listening session.
    ///
    /// - Parameter since: a session that was cut off, but began before then, is not gone on with: what it had not played is
    ///   marked as skipped.
    /// - Returns: the new session, and whether it goes on with one that was cut off.
    public func beginListening(
        now: Date, since limit: Date
    ) async throws(JournalError) -> (id: Int64, goesOn: Bool) {
        let (now, limit) = (now.bounded, limit.bounded)
        return try await write { database in
            let last = try ListeningRecord.fetchOne(
                database.cachedStatement(sql: "SELECT id, begun, ended FROM listening ORDER BY id DESC LIMIT 1"))
            let goesOn = last.map { $0.ended == nil && $0.begun >= limit } ?? false
            if !goesOn {
                try database.cachedStatement(sql: "UPDATE play SET state = ?, reason = ? WHERE state IN (?, ?)")
                    .execute(arguments: [PlayState.skipped, "listening had ended", PlayState.queued, PlayState.playing])
            }
            try database.cachedStatement(sql: "UPDATE listening SET ended = ? WHERE ended IS NULL").execute(arguments: [
                now
            ])
            try database.cachedStatement(sql: "INSERT INTO listening (begun) VALUES (?)").execute(arguments: [now])
            return (database.lastInsertedRowID, goesOn)
        }
    }

    /// Notes that a listening session ended in good order.
    public func endListening(_ id: Int64, now: Date) async throws(JournalError) {
        try await write {
            try $0.cachedStatement(sql: "UPDATE listening SET ended = ? WHERE id = ?").execute(arguments: [
                now.bounded, id,
            ])
        }
    }
}
