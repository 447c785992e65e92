internal import ChirpCore
package import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The clips of people elsewhere whose sound is to be fetched: of each person the first, so that hers are heard in their order.
    ///
    /// - Parameter busy: of whom one is being fetched.
    package func dueRemoteClips(
        beside busy: Set<Int64> = [], limit: Int
    ) async throws(LibraryError) -> [RemoteClip] {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM remoteClips WHERE sequence IN (
                            SELECT MIN(sequence) FROM remoteClips WHERE state = 'waiting' GROUP BY actor) AND next <= ?
                            AND actor NOT IN (SELECT value FROM json_each(?))
                        ORDER BY sequence LIMIT ?
                        """), arguments: [now, try Array(busy).statementList(), limit]
            ).compactMap(RemoteClip.init)
        }
    }

    /// When the next one is to be fetched; nil when none waits.
    package func nextRemoteClip() async throws(LibraryError) -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT MIN(next) FROM remoteClips WHERE state = 'waiting'"))
        }.map(Self.date)
    }

    /// Its sound is here: it becomes a clip and a post of its author's, for those who follow her, at the end of the feed; once, however
    /// often this is asked for.
    ///
    /// - Parameter made: the clip; its file is in its place already.
    /// - Returns: nil when nobody wants it any more, and nothing was written; otherwise the clips that went because there is no room for all.
    package func receive(_ remote: RemoteClip, as made: HubClip) async throws(LibraryError) -> [HubID]? {
        let now = Self.milliseconds(now())
        return try await write { [limit] database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT remoteClips.*, accounts.id AS account FROM remoteClips
                        JOIN accounts ON accounts.remote = remoteClips.actor
                        WHERE remoteClips.sequence = ? AND remoteClips.state = 'waiting'
                        """), arguments: [remote.id])
            guard let row, try RemoteClip.isFollowed(remote.actor, in: database) else { return nil }
            if let limit, made.bytes > limit.bytes - (try Self.usedBytes(database)) { return nil }
            let gone = try Self.makeRoom(for: made.bytes, in: database)
            var clip = made
            clip.owner = row["account"]
            clip.shared = true
            try Self.insert(clip, database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO posts (id, key, account, text, link, clip, created, visibility, state, spoiler, language)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 'followers', 'shown', ?, ?)
                    """
            ).execute(arguments: [
                HubID().text, "remote:\(row["address"] as String)", clip.owner, row["text"], row["page"], clip.id.text,
                min(row["published"], now), row["spoiler"], row["language"],
            ])
            try database.cachedStatement(sql: "UPDATE remoteClips SET state = 'kept', post = ? WHERE sequence = ?")
                .execute(arguments: [database.lastInsertedRowID, remote.id])
            return gone
        }
    }

    /// Removes the oldest clips of people elsewhere until one more fits.
    private static func makeRoom(for bytes: Int64, in database: Database) throws -> [HubID] {
        let ofOthers = "owner IN (SELECT id FROM accounts WHERE remote IS NOT NULL)"
        var used =
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT COALESCE(SUM(bytes), 0) FROM clips WHERE \(ofOthers)")) ?? 0
        var gone: [HubID] = []
        while used > RemoteClip.mostBytes - bytes {
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM clips WHERE id = (
                            SELECT id FROM clips WHERE \(ofOthers) ORDER BY created, id LIMIT 1) RETURNING id, bytes
                        """))
            guard let row, let id = HubID(row["id"] as String) else { break }
            used -= row["bytes"] as Int64
            gone.append(id)
        }
        return gone
    }

    /// Its sound could not be had.
    ///
    /// - Parameters:
    ///   - next: when it is tried again; nil: never.
    ///   - why: plain text.
    package func failed(_ remote: RemoteClip, why: String, next: Date?) async throws(LibraryError) {
        let next = next.map(Self.milliseconds)
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE remoteClips SET tries = tries + 1, why = ?, next = COALESCE(?, next),
                        state = CASE WHEN ? IS NULL THEN 'failed' ELSE state END
                    WHERE sequence = ? AND state = 'waiting'
                    """
            ).execute(arguments: [why, next, next, remote.id])
        }
    }

    /// Tells of every transaction of this process that has changed what waits.
    ///
    /// - Returns: ends it.
    package func remoteClipsChanged(_ tell: @escaping @Sendable () -> Void) -> () -> Void {
        let watching = DatabaseRegionObservation(tracking: Table("remoteClips"))
            .start(in: database, onError: { _ in }, onChange: { _ in tell() })
        return { watching.cancel() }
    }
}
