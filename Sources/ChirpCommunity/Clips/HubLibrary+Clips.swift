package import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// The room left: the least of the configured limit and the disk, less the reserve and what uploads have announced.
    package func room() async throws(LibraryError) -> HubRoom {
        let (used, announced) = try await read { (ByteCount(try Self.usedBytes($0)), try Self.announced($0)) }
        let disk = try await offPool { [media] () throws(LibraryError) in try media.freeBytes() }
        let onDisk = max(disk - reserve - announced, ByteCount(0))
        let free = limit.map { min(max($0 - used - announced, ByteCount(0)), onDisk) } ?? onDisk
        return HubRoom(limit: limit, used: used, free: free)
    }

    /// A clip whatever its state, or nil: for what is done with clips, never for what is shown of them. Whatever answers a request asks a
    /// ``HubReader``.
    package func unfilteredClip(_ id: HubID) async throws(LibraryError) -> HubClip? {
        try await read { database in try Self.clip(id, in: database) }
    }

    /// Makes a clip visible to those who have its link.
    ///
    /// - Returns: false when there is no such clip.
    package func share(_ id: HubID) async throws(LibraryError) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE clips SET shared = 1 WHERE id = ?").execute(arguments: [id.text])
            return database.changesCount > 0
        }
    }

    /// Removes a clip, its posts and its file. There may be none.
    package func remove(_ id: HubID) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        // The row first: a page that is asked for in between says "gone", and a file left behind is swept.
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM clips WHERE id = ?").execute(arguments: [id.text])
            guard database.changesCount > 0 else { return }
            try database.cachedStatement(sql: "INSERT INTO gone (id, removed) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .execute(arguments: [id.text, now])
        }
        try await offPool { [media] () throws(LibraryError) in try media.remove(id) }
    }

    /// Writes the row that makes a file count.
    ///
    /// - Returns: the bytes that are free when the clip would exceed the limit; then nothing was written.
    package func insert(_ clip: HubClip) async throws(LibraryError) -> ByteCount? {
        try await write { [limit] database in
            if let limit {
                let free = limit - ByteCount(try Self.usedBytes(database)) - (try Self.announced(database))
                if ByteCount(clip.bytes) > free { return max(free, ByteCount(0)) }
            }
            try Self.insert(clip, database)
            return nil
        }
    }

    static func insert(_ clip: HubClip, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM gone WHERE id = ?").execute(arguments: [clip.id.text])
        try database.cachedStatement(
            sql: """
                INSERT INTO clips
                    (id, title, fileName, contentType, bytes, sha256, seconds, peaks, created, expires, shared, owner)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            clip.id.text, clip.title, clip.fileName, clip.contentType, clip.bytes, clip.sha256,
            clip.sound?.seconds, clip.sound.map { Data($0.peaks) }, Self.milliseconds(clip.created),
            clip.expires.map(Self.milliseconds), clip.shared, clip.owner,
        ])
    }

    static func usedBytes(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COALESCE((SELECT SUM(bytes) FROM clips), 0) + COALESCE((SELECT SUM(bytes) FROM pictures), 0)
                        + COALESCE((SELECT SUM(bytes) FROM films), 0)
                    """)) ?? 0
    }

    static func clip(_ id: HubID, in database: Database) throws -> HubClip? {
        let columns = clipColumns(of: "clips")
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM clips WHERE id = ?"), arguments: [id.text]
        )
        .flatMap(HubClip.init)
    }

    /// The columns that ``HubClip/init(row:)`` wants, of a table or its alias.
    static func clipColumns(of table: String) -> String {
        [
            "id", "title", "fileName", "contentType", "bytes", "sha256", "seconds", "peaks", "created", "expires",
            "shared", "owner",
        ].map { "\(table).\($0) AS clip_\($0)" }.joined(separator: ", ")
    }
}

extension HubClip {
    /// Nil when the row has no clip (an outer join).
    init?(row: Row) {
        guard let text: String = row["clip_id"], let id = HubID(text) else { return nil }
        let seconds: Double? = row["clip_seconds"]
        let peaks: Data? = row["clip_peaks"]
        let expires: Int64? = row["clip_expires"]
        self.init(
            id: id, title: row["clip_title"], fileName: row["clip_fileName"], contentType: row["clip_contentType"],
            bytes: row["clip_bytes"], sha256: row["clip_sha256"],
            sound: seconds.map { HubSound(seconds: $0, peaks: Array(peaks ?? Data())) },
            created: HubLibrary.date(row["clip_created"]), expires: expires.map(HubLibrary.date),
            shared: row["clip_shared"])
        owner = row["clip_owner"]
    }
}

/// The room of a library.
package struct HubRoom: Hashable, Sendable {
    /// The most that all clips together may take; nil when only the disk is a limit.
    package var limit: ByteCount?
    /// What the clips take.
    package var used: ByteCount
    /// What more they may take.
    package var free: ByteCount
}
