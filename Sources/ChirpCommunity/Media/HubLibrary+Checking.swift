package import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Checking: from the last byte to a clip, or to the reason why there is none. Every function may be repeated.
extension HubLibrary {
    /// What waits to be checked, oldest first; also what an earlier process had in hand when it ended.
    package func waitingMedia() async throws(LibraryError) -> [MediaItem] {
        try await read { database in
            // A draft is there for days; it waits for nothing while its clip and its picture are made.
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM media WHERE state = 'checking' AND NOT EXISTS (SELECT 1 FROM drafts
                            WHERE drafts.id = media.id AND length IS NOT NULL AND (drafts.sha256 IS NOT NULL OR drafts.why IS NOT NULL))
                        ORDER BY created, id
                        """)
            ).compactMap(MediaItem.init)
        }
    }

    /// One of them; nil when it is not wanted any more.
    package func waitingMedia(_ id: HubID) async throws(LibraryError) -> MediaItem? {
        try await read { try Self.item(id, $0) }.flatMap { $0.state == .checking ? $0 : nil }
    }

    /// Writes down what the received bytes hash to.
    package func note(sha256: String, of id: HubID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE media SET sha256 = ? WHERE id = ?").execute(arguments: [
                sha256, id.text,
            ])
        }
    }

    /// Counts a child that has died over it.
    ///
    /// - Returns: how many there were; nil when it is not wanted any more.
    package func countDeath(over id: HubID) async throws(LibraryError) -> Int? {
        try await write { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "UPDATE media SET tries = tries + 1 WHERE id = ? AND state = 'checking' RETURNING tries"),
                arguments: [id.text])
        }
    }

    /// Writes the clip's row, which makes its file count, and what was sent is that clip from now on.
    ///
    /// - Parameters:
    ///   - clip: what was made, with its owner; its file is in its place.
    ///   - receipt: what was found and done, as JSON.
    /// - Returns: false when it is not wanted any more: then nobody accounts for the clip's file.
    /// - Throws: ``UploadRefusal`` when the clip is more than the account may have, or another has its id.
    package func finish(
        _ item: MediaItem, as clip: HubClip, receipt: String?, quota: ByteCount
    ) async throws(UploadRefusal) -> Bool {
        let isDone = try await deciding { database in
            guard let now = try Self.item(item.id, database), now.state == .checking else { return false }
            // What the upload itself has reserved is free for its clip.
            try database.cachedStatement(sql: "UPDATE media SET reserved = 0 WHERE id = ?").execute(arguments: [
                item.id.text
            ])
            if let existing = try Self.clip(clip.id, in: database) {
                guard existing.sha256 == clip.sha256, existing.bytes == clip.bytes, existing.owner == item.owner else {
                    throw UploadRefusal.taken
                }
            } else {
                try self.checkRoom(for: clip.bytes, of: item.owner, quota: quota, disk: nil, database)
                try Self.insert(clip, database)
            }
            try database.cachedStatement(
                sql: """
                    UPDATE media SET state = 'ready', clip = ?, receipt = ?, why = NULL, expires = NULL
                    WHERE id = ?
                    """
            ).execute(arguments: [clip.id.text, receipt, item.id.text])
            return true
        }
        if isDone { await offPool { [uploads] in uploads.remove(item.id) } }
        return isDone
    }

    /// Writes down why there will be no clip.
    ///
    /// - Parameter why: plain text for its sender.
    package func refuse(_ id: HubID, because why: String) async throws(LibraryError) {
        let expires = Self.milliseconds(now().addingTimeInterval(Self.uploadPatience))
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE media SET state = 'refused', why = ?, reserved = 0, expires = ?
                    WHERE id = ? AND state = 'checking'
                    """
            ).execute(arguments: [why, expires, id.text])
        }
        await offPool { [uploads] in uploads.remove(id) }
    }

    /// What was found and done when something was made, as JSON; nil when nothing was.
    package func receipt(of id: HubID) async throws(LibraryError) -> String? {
        try await read {
            try String.fetchOne($0.cachedStatement(sql: "SELECT receipt FROM media WHERE id = ?"), arguments: [id.text])
        }
    }

    /// Whether a clip is there, or was, for whoever wants its id.
    package func isFree(_ id: HubID) async throws(LibraryError) -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM clips WHERE id = ?1 UNION SELECT 1 FROM gone WHERE id = ?1"),
                arguments: [id.text]) == nil
        }
    }
}
