internal import ChirpCore
package import ChirpStores
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// What an id leads to.
    package enum Found: Hashable, Sendable {
        case clip(HubClip)
        /// There was one; it was removed or has expired.
        case gone
        /// There never was one, or nobody may see it yet.
        case nothing
    }

    /// The room left: the least of the configured limit and the disk, less the reserve.
    package func quota() async throws(HubError) -> Quota {
        let used = ByteCount(try await read(Self.usedBytes))
        let disk = try await offPool { [media] () throws(HubError) in try media.freeBytes() }
        let onDisk = max(disk - reserve, ByteCount(0))
        let free = limit.map { min(max($0 - used, ByteCount(0)), onDisk) } ?? onDisk
        return Quota(limit: limit, used: used, free: free)
    }

    /// A clip whatever its state, or nil.
    package func clip(_ id: String) async throws(HubError) -> HubClip? {
        try await read { database in try Self.clip(id, in: database) }
    }

    /// What somebody with a link may see.
    package func find(_ id: String) async throws(HubError) -> Found {
        let now = now()
        return try await read { database in
            if let clip = try Self.clip(id, in: database) {
                return clip.isExpired(at: now) ? .gone : clip.shared ? .clip(clip) : .nothing
            }
            return try Bool.fetchOne(database, sql: "SELECT 1 FROM gone WHERE id = ?", arguments: [id]) == true
                ? .gone : .nothing
        }
    }

    /// Makes a clip visible to those who have its link.
    ///
    /// - Returns: false when there is no such clip.
    package func share(_ id: String) async throws(HubError) -> Bool {
        try await write { database in
            try database.execute(sql: "UPDATE clips SET shared = 1 WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    /// Removes a clip, its posts and its file. There may be none.
    func remove(_ id: HubID) async throws(HubError) {
        let now = Self.milliseconds(now())
        // The row first: a page that is asked for in between says "gone", and a file left behind is swept.
        try await write { database in
            try database.execute(sql: "DELETE FROM clips WHERE id = ?", arguments: [id.text])
            guard database.changesCount > 0 else { return }
            try database.execute(
                sql: "INSERT INTO gone (id, removed) VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [id.text, now])
        }
        try await offPool { [media] () throws(HubError) in try media.remove(id) }
    }

    /// Writes the row that makes a file count.
    ///
    /// - Returns: the bytes that are free when the clip would exceed the limit; then nothing was written.
    func insert(_ clip: HubClip) async throws(HubError) -> ByteCount? {
        try await write { [limit] database in
            if let limit {
                let free = limit - ByteCount(try Self.usedBytes(database))
                if ByteCount(clip.bytes) > free { return max(free, ByteCount(0)) }
            }
            try database.execute(sql: "DELETE FROM gone WHERE id = ?", arguments: [clip.id])
            try database.execute(
                sql: """
                    INSERT INTO clips
                        (id, title, fileName, contentType, bytes, sha256, seconds, peaks, created, expires, shared)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    clip.id, clip.title, clip.fileName, clip.contentType, clip.bytes, clip.sha256,
                    clip.sound?.seconds, clip.sound.map { Data($0.peaks) }, Self.milliseconds(clip.created),
                    clip.expires.map(Self.milliseconds), clip.shared,
                ])
            return nil
        }
    }

    private static func usedBytes(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT COALESCE(SUM(bytes), 0) FROM clips") ?? 0
    }

    private static func clip(_ id: String, in database: Database) throws -> HubClip? {
        let columns = clipColumns(of: "clips")
        return try Row.fetchOne(database, sql: "SELECT \(columns) FROM clips WHERE id = ?", arguments: [id])
            .flatMap(HubClip.init)
    }

    /// The columns that ``HubClip/init(row:)`` wants, of a table or its alias.
    static func clipColumns(of table: String) -> String {
        [
            "id", "title", "fileName", "contentType", "bytes", "sha256", "seconds", "peaks", "created", "expires",
            "shared",
        ].map { "\(table).\($0) AS clip_\($0)" }.joined(separator: ", ")
    }
}

extension HubClip {
    /// Nil when the row has no clip (an outer join).
    init?(row: Row) {
        guard let id: String = row["clip_id"] else { return nil }
        let seconds: Double? = row["clip_seconds"]
        let peaks: Data? = row["clip_peaks"]
        let expires: Int64? = row["clip_expires"]
        self.init(
            id: id, title: row["clip_title"], fileName: row["clip_fileName"], contentType: row["clip_contentType"],
            bytes: row["clip_bytes"], sha256: row["clip_sha256"],
            sound: seconds.map { HubSound(seconds: $0, peaks: Array(peaks ?? Data())) },
            created: HubLibrary.date(row["clip_created"]), expires: expires.map(HubLibrary.date),
            shared: row["clip_shared"])
    }
}
