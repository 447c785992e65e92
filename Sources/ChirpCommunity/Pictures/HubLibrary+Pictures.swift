package import ChirpAccounts
package import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Keeps a picture as somebody's. It counts against the same share as her clips. The files come first and the row makes them
    /// count, as with clips.
    ///
    /// - Parameter quota: the most that all of hers may take.
    package func addPicture(
        _ picture: NewPicture, of account: AccountID, quota: ByteCount
    ) async throws(UploadRefusal) -> HubPicture {
        let files = HubPicture.Size.allCases.map { size in
            let file = picture.file(size)
            return (name: size.rawValue, bytes: Int64(file.jpeg.count), sha256: FileDigest.sha256(of: file.jpeg), file)
        }
        let bytes = files.reduce(0) { $0 + $1.bytes }
        let disk = try await diskRoom()
        try await deciding { try checkRoom(for: bytes, of: account, quota: quota, disk: disk, $0) }
        let (id, large, now) = (HubID(), picture.large, now())
        do throws(LibraryError) {
            try await offPool { [pictures] () throws(LibraryError) in try pictures.write(picture, as: id) }
        } catch {
            await offPool { [pictures] in pictures.remove(id) }
            throw .library(error)
        }
        do throws(UploadRefusal) {
            try await deciding { database in
                try checkRoom(for: bytes, of: account, quota: quota, disk: disk, database)
                try database.cachedStatement(
                    sql: """
                        INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
                        VALUES (?, ?, 'ready', ?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    id.text, account, bytes, files.last?.sha256, large.width, large.height, picture.print.digits,
                    picture.print.quality, Self.milliseconds(now),
                ])
                for (name, bytes, sha256, file) in files {
                    try database.cachedStatement(
                        sql: """
                            INSERT INTO pictureFiles (picture, name, bytes, sha256, width, height)
                            VALUES (?, ?, ?, ?, ?, ?)
                            """
                    ).execute(arguments: [id.text, name, bytes, sha256, file.width, file.height])
                }
            }
        } catch {
            await offPool { [pictures] in pictures.remove(id) }
            throw error
        }
        return HubPicture(
            id: id, owner: account, width: large.width, height: large.height, bytes: bytes, print: picture.print,
            created: Self.date(Self.milliseconds(now)))
    }

    /// A picture whoever may see it; nil when there is none, or it was refused.
    package func picture(_ id: HubID) async throws(LibraryError) -> HubPicture? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM pictures WHERE id = ? AND state = 'ready'"),
                arguments: [id.text]
            ).flatMap(HubPicture.init)
        }
    }

    /// Takes a picture of somebody's away that nothing uses.
    ///
    /// - Returns: false when there is none, it is another's, or something uses it.
    package func removePicture(_ id: HubID, of account: AccountID) async throws(LibraryError) -> Bool {
        let isRemoved = try await write { database in
            try database.cachedStatement(
                sql: "DELETE FROM pictures WHERE id = ? AND owner = ? AND \(try Self.isUnused(in: database))"
            ).execute(arguments: [id.text, account])
            return database.changesCount == 1
        }
        if isRemoved { await offPool { [pictures] in pictures.remove(id) } }
        return isRemoved
    }

    /// For so many seconds a picture waits for something to use it.
    package static let unusedPicturePatience = 24 * 3600.0

    /// Removes pictures that nothing uses any more, and files without a row, such as those of an account that was erased.
    ///
    /// - Returns: how many pictures, and how many files of none.
    func sweepPictures(at instant: Date) async throws(LibraryError) -> (pictures: Int, strays: Int) {
        let limit = Self.milliseconds(instant.addingTimeInterval(-Self.unusedPicturePatience))
        // Whether something uses it is asked by the statement that removes it: what begins to meanwhile keeps its picture.
        let removed = try await write { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: "DELETE FROM pictures WHERE created <= ? AND \(try Self.isUnused(in: database)) RETURNING id"),
                arguments: [limit])
        }
        for id in removed.compactMap({ HubID($0) }) { await offPool { [pictures] in pictures.remove(id) } }
        let old = try await offPool { [pictures] () throws(LibraryError) in
            try pictures.files(writtenBefore: instant.addingTimeInterval(-Self.strayAge))
        }
        for path in old.temporary { await offPool { [pictures] in pictures.removeTemporary(path) } }
        var strays = old.temporary.count
        for id in old.pictures where !(try await hasPicture(id)) {
            await offPool { [pictures] in pictures.remove(id) }
            strays += 1
        }
        return (removed.count, strays)
    }

    private func hasPicture(_ id: HubID) async throws(LibraryError) -> Bool {
        try await read {
            try Bool.fetchOne($0.cachedStatement(sql: "SELECT 1 FROM pictures WHERE id = ?"), arguments: [id.text])
                ?? false
        }
    }

    /// Where pictures are used, by table and column. A part of the library that keeps none yet has no such column.
    private static let uses = [("itemPictures", "picture"), ("reports", "picture"), ("itemMedia", "picture")]

    /// A condition on `pictures`: nothing uses it.
    private static func isUnused(in database: Database) throws -> String {
        let conditions = try uses.compactMap { table, column -> String? in
            guard try database.columns(in: table).contains(where: { $0.name == column }) else { return nil }
            return "NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).\(column) = pictures.id)"
        }
        return (["1"] + conditions).joined(separator: " AND ")
    }
}
