package import ChirpAccounts
package import ChirpCore
internal import ChirpDatabase
internal import GRDB

/// How much more may be sent, and why not more.
package enum UploadRefusal: Error, Hashable {
    /// The account's share is used up; `free` of it is left.
    case overQuota(limit: ByteCount, free: ByteCount)
    /// All clips together may not take more, or the disk is nearly full.
    case noRoom
    /// There is no such upload of this account, or it is past that.
    case nothing
    /// It is somewhere else than the sender thinks.
    case elsewhere(at: Int64)
    /// It would become larger than was announced, or its size was announced differently before.
    case notAsAnnounced
    /// Another clip has or had the id that is wanted.
    case taken
    /// The account has that many uploads that were begun and not ended, or refused and not removed.
    case tooMany(most: Int)
    case library(LibraryError)
}

extension HubLibrary {
    /// Runs a transaction that may refuse; then nothing of it has happened.
    func deciding<T: Sendable>(
        _ body: @Sendable (Database) throws -> T
    ) async throws(UploadRefusal) -> T {
        do { return try await database.write(body) } catch {
            if let refusal = error as? UploadRefusal { throw refusal }
            throw .library(LibraryError(DatabaseFailure(error), path: file.path))
        }
    }

    /// What an account's clips, pictures and films take and its uploads have announced.
    static func used(by account: AccountID, _ database: Database) throws -> ByteCount {
        let clips = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT COALESCE(SUM(bytes), 0) FROM clips WHERE owner = ?"),
            arguments: [account])
        let uploads = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT COALESCE(SUM(reserved), 0) FROM media WHERE owner = ? AND reserved > 0"),
            arguments: [account])
        let pictures = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT COALESCE(SUM(bytes), 0) FROM pictures WHERE owner = ?"),
            arguments: [account])
        let films = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT COALESCE(SUM(bytes), 0) FROM films WHERE owner = ?"),
            arguments: [account])
        return ByteCount(clips ?? 0) + ByteCount(uploads ?? 0) + ByteCount(pictures ?? 0) + ByteCount(films ?? 0)
    }

    /// What of its share an account has used, uploads that were announced included, and how much more it may send: as much as share,
    /// library and disk leave.
    package func room(of account: AccountID, quota: ByteCount) async throws(UploadRefusal) -> HubRoom {
        let disk = try await diskRoom()
        return try await deciding { database in
            let used = try Self.used(by: account, database)
            let announced = try Self.announced(database)
            var free = min(quota - used, disk - announced)
            if let limit { free = min(free, limit - ByteCount(try Self.usedBytes(database)) - announced) }
            return HubRoom(limit: quota, used: used, free: max(free, ByteCount(0)))
        }
    }

    /// What all uploads together have announced.
    static func announced(_ database: Database) throws -> ByteCount {
        // By `mediaReserved`: this is asked in the transaction of every upload that begins.
        let sum = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT COALESCE(SUM(reserved), 0) FROM media WHERE reserved > 0"))
        return ByteCount(sum ?? 0)
    }

    /// Looks whether an account may have that much more; to be asked in the transaction that writes it down.
    ///
    /// - Parameter disk: what was free on the disk, less the reserve.
    func checkRoom(
        for more: Int64, of account: AccountID, quota: ByteCount, disk: ByteCount?, _ database: Database
    ) throws {
        let left = max(quota - (try Self.used(by: account, database)), ByteCount(0))
        guard ByteCount(more) <= left else { throw UploadRefusal.overQuota(limit: quota, free: left) }
        let announced = try Self.announced(database)
        if let limit, ByteCount(more) > limit - ByteCount(try Self.usedBytes(database)) - announced {
            throw UploadRefusal.noRoom
        }
        // Announced bytes that are on the disk already are counted twice here, which errs to the safe side.
        if let disk, ByteCount(more) > disk - announced { throw UploadRefusal.noRoom }
    }

    /// An account has so many uploads at a time that were begun and not ended. One without a length reserves no bytes, so that the quota
    /// alone stops nobody.
    package static let mostUnfinished = 30
    /// And so many refused ones, which stay for their sender to read why.
    package static let mostRefused = 100

    /// Looks whether an account may begin another upload; to be asked in the transaction that writes it down.
    static func checkUnfinished(of account: AccountID, _ database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COALESCE(SUM(state = 'receiving' OR state = 'checking' AND reserved = 0), 0) AS unfinished,
                        COALESCE(SUM(state = 'refused'), 0) AS refused
                    FROM media WHERE owner = ? AND state <> 'ready'
                    """), arguments: [account])
        guard let row else { return }
        if row["unfinished"] as Int >= mostUnfinished { throw UploadRefusal.tooMany(most: mostUnfinished) }
        if row["refused"] as Int >= mostRefused { throw UploadRefusal.tooMany(most: mostRefused) }
    }

    /// What is free on the disk, less the reserve.
    func diskRoom() async throws(UploadRefusal) -> ByteCount {
        do throws(LibraryError) {
            let free = try await offPool { [media] () throws(LibraryError) in try media.freeBytes() }
            return free - reserve
        } catch {
            throw .library(error)
        }
    }
}
