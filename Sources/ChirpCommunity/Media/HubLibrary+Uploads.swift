package import ChirpAccounts
package import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Receiving: from what is announced to the last byte.
extension HubLibrary {
    /// An upload stays for so many seconds after it was begun or its last bytes came.
    package static let uploadPatience = 24 * 3600.0

    /// Begins an upload. The same again (account, id of the clip, digest and size) is the one from before, however far that is: its
    /// sender has lost the answer. Another one for the same id ends an earlier one that was not completed.
    ///
    /// - Parameters:
    ///   - bytes: its size; nil while nobody knows.
    ///   - quota: the most that the account's clips and uploads may take together.
    /// - Throws: ``UploadRefusal/tooMany(most:)`` when the account has ``mostUnfinished`` uploads already.
    package func beginUpload(
        _ wishes: MediaItem.Wishes, bytes: Int64?, of owner: AccountID, quota: ByteCount
    ) async throws(UploadRefusal) -> MediaItem {
        let disk = try await diskRoom()
        let (id, now) = (HubID(), now())
        // The file comes first: a row without one would be an upload that nobody can continue.
        do throws(LibraryError) {
            try await offPool { [uploads] () throws(LibraryError) in try uploads.make(id) }
        } catch {
            throw .library(error)
        }
        do throws(UploadRefusal) {
            let (item, replaced) = try await deciding { database in
                if let before = try Self.before(wishes, bytes: bytes, of: owner, database) { return (before, [id]) }
                let replaced = try self.free(wishes, of: owner, database)
                try Self.checkUnfinished(of: owner, database)
                try self.checkRoom(for: bytes ?? 0, of: owner, quota: quota, disk: disk, database)
                try database.cachedStatement(
                    sql: """
                        INSERT INTO media (id, owner, kind, state, bytes, reserved, metadata, title, fileName, type,
                            description, wish, promised, lasting, created, expires)
                        VALUES (?, ?, ?, 'receiving', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    id.text, owner, wishes.kind.rawValue, bytes, bytes ?? 0, wishes.metadata, wishes.title,
                    wishes.fileName, wishes.type, wishes.description, wishes.clip?.text, wishes.sha256,
                    wishes.lasting.map(Self.milliseconds), Self.milliseconds(now),
                    Self.milliseconds(now.addingTimeInterval(Self.uploadPatience)),
                ])
                if wishes.isDraft {
                    try self.beginDraft(id, title: wishes.title, at: Self.milliseconds(now), in: database)
                }
                if let film = wishes.film {
                    try Films.begin(
                        id, of: owner, timer: film.timer, isTrack: film.isTrack, at: Self.milliseconds(now),
                        in: database)
                }
                guard let item = try Self.item(id, database) else { throw UploadRefusal.nothing }
                return (item, replaced)
            }
            for old in replaced { await offPool { [uploads] in uploads.remove(old) } }
            return item
        } catch {
            await offPool { [uploads] in uploads.remove(id) }
            throw error
        }
    }

    /// The upload from before when the same is begun again; nil when it is another, or its sender does not say what it is.
    private static func before(
        _ wishes: MediaItem.Wishes, bytes: Int64?, of owner: AccountID, _ database: Database
    ) throws -> MediaItem? {
        guard let wish = wishes.clip, let promised = wishes.sha256, let bytes else { return nil }
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT * FROM media WHERE wish = ? AND owner = ? AND promised = ? AND bytes = ? AND state <> 'refused'
                    ORDER BY created DESC LIMIT 1
                    """), arguments: [wish.text, owner, promised, bytes]
        ).flatMap(MediaItem.init)
    }

    /// Sees to it that nobody else has or is sending a clip of that id.
    ///
    /// - Returns: uploads that were removed for it.
    private func free(_ wishes: MediaItem.Wishes, of owner: AccountID, _ database: Database) throws -> [HubID] {
        guard let wish = wishes.clip else { return [] }
        // A link that leads or once led to another clip never leads to this one.
        let isTaken = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT 1 FROM gone WHERE id = ?1 UNION SELECT 1 FROM clips WHERE id = ?1 AND (owner IS NOT ?2 OR sha256 <> ?3)
                    UNION SELECT 1 FROM media WHERE wish = ?1 AND state = 'checking'
                    UNION SELECT 1 FROM media WHERE wish = ?1 AND state = 'receiving' AND owner <> ?2
                    """), arguments: [wish.text, owner, wishes.sha256 ?? ""])
        guard isTaken != true else { throw UploadRefusal.taken }
        let old = try String.fetchAll(
            database.cachedStatement(sql: "DELETE FROM media WHERE wish = ? AND state = 'receiving' RETURNING id"),
            arguments: [wish.text])
        return old.compactMap { HubID($0) }
    }

    /// What somebody has sent, whatever became of it; nil for what others have sent.
    package func mediaItem(_ id: HubID, of owner: AccountID) async throws(LibraryError) -> MediaItem? {
        try await read { try Self.item(id, $0) }.flatMap { $0.owner == owner ? $0 : nil }
    }

    static func item(_ id: HubID, _ database: Database) throws -> MediaItem? {
        try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM media WHERE id = ?"), arguments: [id.text])
            .flatMap(MediaItem.init)
    }

    /// How many bytes of it are here and count; nil when its file is gone.
    package func received(_ item: MediaItem) async -> Int64? {
        guard item.state == .receiving else { return item.bytes }
        return await offPool { [uploads] in uploads.size(of: item.id) }.map { min($0, item.solid ?? .max) }
    }

    /// Writes down the size of an upload that began without one.
    ///
    /// - Parameter received: what is there of it.
    package func announce(
        _ bytes: Int64, received: Int64, of item: MediaItem, quota: ByteCount
    ) async throws(UploadRefusal) -> MediaItem {
        try await change(item, quota: quota) { now, _ in
            guard now.bytes == nil || now.bytes == bytes, bytes >= received else { return nil }
            return (bytes, bytes)
        }
    }

    /// Makes sure of the room for an upload whose size nobody knows.
    ///
    /// - Parameter bytes: all that it may take by then.
    package func secure(_ bytes: Int64, of item: MediaItem, quota: ByteCount) async throws(UploadRefusal) {
        _ = try await change(item, quota: quota) { now, reserved in (now.bytes, now.bytes ?? max(bytes, reserved)) }
    }

    /// - Parameter decide: told what is reserved now; gives the size as announced, and what is to be reserved in all. Nil: these do not
    ///   agree.
    private func change(
        _ item: MediaItem, quota: ByteCount,
        _ decide: @Sendable (MediaItem, _ reserved: Int64) -> (bytes: Int64?, reserved: Int64)?
    ) async throws(UploadRefusal) -> MediaItem {
        let disk = try await diskRoom()
        return try await deciding { database in
            guard let now = try Self.item(item.id, database), now.state == .receiving else {
                throw UploadRefusal.nothing
            }
            let before =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT reserved FROM media WHERE id = ?"), arguments: [item.id.text])
                ?? 0
            guard let (bytes, reserved) = decide(now, before) else { throw UploadRefusal.notAsAnnounced }
            if reserved > before {
                try self.checkRoom(for: reserved - before, of: item.owner, quota: quota, disk: disk, database)
            }
            try database.cachedStatement(sql: "UPDATE media SET bytes = ?, reserved = ? WHERE id = ?").execute(
                arguments: [bytes, reserved, item.id.text])
            guard let after = try Self.item(item.id, database) else { throw UploadRefusal.nothing }
            return after
        }
    }

    /// Opens an upload to write on. The caller sees to it that nobody else does.
    ///
    /// - Parameters:
    ///   - offset: how much the sender thinks is here.
    ///   - isToBeChecked: what is written counts only once ``endUpload(_:of:isChecked:keepsAll:)`` says so, even if the process is killed meanwhile.
    package func openUpload(
        _ item: MediaItem, at offset: Int64, isToBeChecked: Bool
    ) async throws(UploadRefusal) -> UploadFile {
        guard item.state == .receiving, let received = await received(item) else { throw .nothing }
        guard received == offset else { throw .elsewhere(at: received) }
        let file: UploadFile
        do throws(LibraryError) {
            file = try await offPool { [uploads] () throws(LibraryError) in try uploads.open(item.id, at: offset) }
        } catch {
            throw .library(error)
        }
        let solid = isToBeChecked ? offset : nil
        let expires = now().addingTimeInterval(Self.uploadPatience)
        // An hour more or less is not worth a commit.
        let isOld = (item.expires ?? expires).addingTimeInterval(3600) < expires
        if solid != item.solid || isOld {
            try await deciding { database in
                try database.cachedStatement(
                    sql: "UPDATE media SET solid = ?, expires = ? WHERE id = ? AND state = 'receiving'"
                ).execute(arguments: [solid, Self.milliseconds(expires), item.id.text])
            }
        }
        return file
    }

    /// Ends writing: afterwards what was written is on the disk and counts, or is gone.
    ///
    /// - Parameter keepsAll: false drops what was written since the upload was opened.
    package func endUpload(
        _ file: UploadFile, of item: MediaItem, isChecked: Bool, keepsAll: Bool
    ) async throws(UploadRefusal) {
        defer { file.end() }
        do throws(LibraryError) {
            try await offPool { () throws(LibraryError) in try keepsAll ? file.flush() : file.drop() }
        } catch {
            throw .library(error)
        }
        guard isChecked else { return }
        try await deciding { database in
            try database.cachedStatement(sql: "UPDATE media SET solid = NULL WHERE id = ?").execute(arguments: [
                item.id.text
            ])
        }
    }

    /// Hands an upload on to be checked, if its last byte is here.
    ///
    /// - Returns: whether it was handed on now.
    package func completeUpload(_ id: HubID) async throws(UploadRefusal) -> Bool {
        let size = await offPool { [uploads] in uploads.size(of: id) }
        let now = Self.milliseconds(now())
        return try await deciding { database in
            try database.cachedStatement(
                sql: """
                    UPDATE media SET state = 'checking', expires = NULL
                    WHERE id = ? AND state = 'receiving' AND bytes = ? AND solid IS NULL
                    """
            ).execute(arguments: [id.text, size])
            guard database.changesCount > 0 else { return false }
            for sql in [
                "UPDATE drafts SET touched = ? WHERE id = ?", "UPDATE films SET received = ? WHERE id = ?",
            ] { try database.cachedStatement(sql: sql).execute(arguments: [now, id.text]) }
            return true
        }
    }

    /// Ends an upload and what was to become of it; a clip that it has become stays.
    ///
    /// - Returns: false when there is none of this account, or it is a clip already.
    package func removeUpload(_ id: HubID, of owner: AccountID) async throws(UploadRefusal) -> Bool {
        let isRemoved = try await deciding { database in
            try database.cachedStatement(sql: "DELETE FROM media WHERE id = ? AND owner = ? AND state <> 'ready'")
                .execute(arguments: [id.text, owner])
            return database.changesCount > 0
        }
        if isRemoved { await offPool { [uploads] in uploads.remove(id) } }
        return isRemoved
    }

    /// Changes what is said of something for those who cannot hear it.
    ///
    /// - Parameter description: plain text.
    package func describe(
        _ id: HubID, of owner: AccountID, as description: String
    ) async throws(UploadRefusal) -> MediaItem? {
        try await deciding { database in
            try database.cachedStatement(sql: "UPDATE media SET description = ? WHERE id = ? AND owner = ?").execute(
                arguments: [description, id.text, owner])
            guard database.changesCount > 0 else { return nil }
            return try Self.item(id, database)
        }
    }

    /// Removes uploads whose time is over.
    func sweepUploads(at instant: Date) async throws(LibraryError) -> Int {
        let limit = Self.milliseconds(instant)
        let ids = try await write { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: "DELETE FROM media WHERE expires <= ? AND state IN ('receiving', 'refused') RETURNING id"),
                arguments: [limit])
        }
        for id in ids.compactMap({ HubID($0) }) { await offPool { [uploads] in uploads.remove(id) } }
        return ids.count
    }

    /// Removes files that no upload accounts for.
    func sweepUploadFiles(writtenBefore limit: Date) async throws(LibraryError) -> Int {
        let old = try await offPool { [uploads] () throws(LibraryError) in try uploads.files(writtenBefore: limit) }
        var count = 0
        for id in old where try await read({ try Self.needsFile(id, $0) }) == false {
            await offPool { [uploads] in uploads.remove(id) }
            count += 1
        }
        return count
    }

    /// Forgets what became of uploads that ended long ago. Their clips stay.
    func forgetUploads(at instant: Date) async throws(LibraryError) -> Int {
        let limit = Self.milliseconds(instant.addingTimeInterval(-Self.uploadMemory))
        return try await write { database in
            try database.cachedStatement(sql: "DELETE FROM media WHERE state IN ('ready', 'refused') AND created <= ?")
                .execute(arguments: [limit])
            return database.changesCount
        }
    }

    private static func needsFile(_ id: HubID, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM media WHERE id = ? AND state IN ('receiving', 'checking')"),
            arguments: [id.text]) ?? false
    }
}
