internal import ChirpCore
internal import ChirpFiles
package import FoundationEssentials
internal import GRDB
internal import Glibc

/// What is kept of clips in a store: first written down, then done. Every function may be repeated.
extension HubLibrary {
    /// A file of a clip in the hub's folder.
    package struct LocalClip: Hashable, Sendable {
        package let id: HubID
        package let bytes: Int64
        /// When it was made, or fetched.
        package let written: Date
    }

    /// The files of clips that are here, the oldest first.
    package func localClips() async throws(LibraryError) -> [LocalClip] {
        try await offPool { [media] () throws(LibraryError) in
            let names: [String]
            do throws(FileError) { names = try FolderListing(media.path).names } catch {
                throw .inputOutput(path: media.path, reason: error.reason)
            }
            return names.compactMap { name -> LocalClip? in
                guard name.hasSuffix(".mp3"), let id = HubID(name.dropLast(4)), let facts = media.facts(of: id) else {
                    return nil
                }
                return LocalClip(id: id, bytes: facts.bytes, written: facts.written)
            }.sorted { ($0.written, $0.id.text) < ($1.written, $1.id.text) }
        }
    }

    /// What is written down of a clip's sound in a store; nil when it is in none.
    package func storedClip(_ id: HubID) async throws(LibraryError) -> StoredClip? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM storedClips WHERE clip = ? AND state <> 'leaving'"),
                arguments: [id.text]
            ).flatMap(StoredClip.init)
        }
    }

    /// Those of some clips that may be kept in a store: what posts alone refer to. Whoever else does may want the file itself, as boards do.
    ///
    /// - Parameter ids: some hundreds at most.
    package func movable(among ids: [HubID]) async throws(LibraryError) -> Set<HubID> {
        let list = "[" + ids.map { "\"\($0.text)\"" }.joined(separator: ",") + "]"
        return try await read { database in
            let condition = try Self.isMovable(database)
            return Set(
                try String.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT id FROM clips WHERE id IN (SELECT value FROM json_each(?)) AND \(condition)"),
                    arguments: [list]
                ).compactMap { HubID($0) })
        }
    }

    /// Writes down that the sound of a clip is about to be stored, or finds what was written down before.
    ///
    /// - Parameters:
    ///   - object: the store's name for it, which nothing else has.
    ///   - place: which store, and where in it.
    /// - Returns: nil for what stays here, see ``movable(among:)``.
    package func beginStoring(
        _ id: HubID, as object: String, in place: String
    ) async throws(LibraryError) -> StoredClip? {
        try await write { database in
            let condition = try Self.isMovable(database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO storedClips (object, clip, place, bytes, sha256, state)
                    SELECT ?, id, ?, bytes, sha256, 'uploading' FROM clips
                    WHERE id = ? AND \(condition)
                        AND NOT EXISTS (SELECT 1 FROM storedClips WHERE clip = clips.id AND state <> 'leaving')
                    """
            ).execute(arguments: [object, place, id.text])
            return try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM storedClips WHERE clip = ? AND state <> 'leaving'"),
                arguments: [id.text]
            ).flatMap(StoredClip.init)
        }
    }

    /// A condition on `clips`.
    private static func isMovable(_ database: Database) throws -> String {
        let others = try ClipUses.all(but: ClipUses.mentions.union(["posts"]), in: database)
        return
            (["EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)"] + others.map { "NOT \($0)" })
            .joined(separator: " AND ")
    }

    /// Writes down by what an upload goes on.
    package func note(session: String?, of object: String) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE storedClips SET session = ? WHERE object = ? AND state = 'uploading'"
            ).execute(arguments: [session, object])
        }
    }

    /// The store has it, whole. Does nothing when its clip has been deleted meanwhile.
    package func endStoring(_ object: String) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE storedClips SET state = 'there', session = NULL, failed = 0
                    WHERE object = ? AND state = 'uploading'
                    """
            ).execute(arguments: [object])
        }
    }

    /// Removes the file of a clip that a store has, unless it was written or fetched lately.
    ///
    /// - Returns: whether there is none now.
    package func letGo(_ id: HubID, writtenBefore limit: Date) async throws(LibraryError) -> Bool {
        guard try await storedClip(id)?.state == .there else { return false }
        return try await offPool { [media] () throws(LibraryError) in
            guard let facts = media.facts(of: id) else { return true }
            guard facts.written < limit else { return false }
            try media.remove(id)
            return true
        }
    }

    // MARK: what is to be removed

    /// Objects of clips that were deleted, those first with which nothing has failed.
    package func leavingObjects(in place: String, limit: Int) async throws(LibraryError) -> [String] {
        try await read { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT object FROM storedClips WHERE state = 'leaving' AND place = ?
                        ORDER BY failed, object LIMIT ?
                        """), arguments: [place, limit])
        }
    }

    /// The store has nothing of it any more.
    package func forget(object: String) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM storedClips WHERE object = ? AND state = 'leaving'")
                .execute(arguments: [object])
        }
    }

    /// It could not be removed now: others come first.
    package func postpone(object: String) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(sql: "UPDATE storedClips SET failed = ? WHERE object = ?").execute(arguments: [
                now, object,
            ])
        }
    }
}

extension MediaFolder {
    /// Size of a clip's file and when it was written; nil when there is none.
    func facts(of id: HubID) -> (bytes: Int64, written: Date)? {
        var facts = stat()
        guard lstat(file(id), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(facts.st_size), Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec)))
    }
}
