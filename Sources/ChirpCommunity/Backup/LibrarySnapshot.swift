internal import ChirpDatabase
internal import FoundationEssentials
internal import GRDB

/// A copy of a library's database as it was at one moment, in one file, while others go on writing to the library.
///
/// It is copied page by page (sqlite.org/backup.html) and not by VACUUM INTO, which may number rows anew; the owner of an older
/// library is its first row.
struct LibrarySnapshot: Sendable {
    /// A clip that the copy has.
    struct Clip: Sendable {
        /// As the row has it.
        let id: String
        let bytes: Int64
        let sha256: String

        /// All of a library's, by id. A row that makes no sense is an error: the database may be damaged.
        static func all(in database: Database) throws -> [Clip] {
            try Row.fetchAll(database.cachedStatement(sql: "SELECT id, bytes, sha256 FROM clips ORDER BY id")).map {
                row in
                let values: [DatabaseValue] = [row["id"], row["bytes"], row["sha256"]]
                guard let id = String.fromDatabaseValue(values[0]), let bytes = Int64.fromDatabaseValue(values[1]),
                    let sha256 = String.fromDatabaseValue(values[2])
                else { throw DatabaseFailure(.damaged, reason: "a row of a clip makes no sense") }
                return Clip(id: id, bytes: bytes, sha256: sha256)
            }
        }
    }

    /// A file of a picture that the copy has.
    struct PictureFile: Sendable {
        let id: HubID
        let size: HubPicture.Size
        let bytes: Int64
        let sha256: String

        /// All of a library's. One of an earlier release has none.
        static func all(in database: Database) throws -> [PictureFile] {
            guard try database.tableExists("pictureFiles") else { return [] }
            return try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT picture, name, bytes, sha256 FROM pictureFiles ORDER BY picture, name")
            ).map { row in
                let values: [DatabaseValue] = [row["picture"], row["name"], row["bytes"], row["sha256"]]
                guard let id = String.fromDatabaseValue(values[0]).flatMap({ HubID($0) }),
                    let size = String.fromDatabaseValue(values[1]).flatMap(HubPicture.Size.init),
                    let bytes = Int64.fromDatabaseValue(values[2]), let sha256 = String.fromDatabaseValue(values[3])
                else { throw DatabaseFailure(.damaged, reason: "a row of a picture makes no sense") }
                return PictureFile(id: id, size: size, bytes: bytes, sha256: sha256)
            }
        }
    }

    /// A file of a film that the copy has.
    struct FilmFile: Sendable {
        let id: HubID
        let name: HubFilm.File
        let bytes: Int64
        let sha256: String

        /// All of a library's. One of an earlier release has none.
        static func all(in database: Database) throws -> [FilmFile] {
            guard try database.tableExists("filmFiles") else { return [] }
            return try Row.fetchAll(
                database.cachedStatement(sql: "SELECT film, name, bytes, sha256 FROM filmFiles ORDER BY film, name")
            ).map { row in
                let values: [DatabaseValue] = [row["film"], row["name"], row["bytes"], row["sha256"]]
                guard let id = String.fromDatabaseValue(values[0]).flatMap({ HubID($0) }),
                    let name = String.fromDatabaseValue(values[1]).flatMap(HubFilm.File.init),
                    let bytes = Int64.fromDatabaseValue(values[2]), let sha256 = String.fromDatabaseValue(values[3])
                else { throw DatabaseFailure(.damaged, reason: "a row of a film makes no sense") }
                return FilmFile(id: id, name: name, bytes: bytes, sha256: sha256)
            }
        }
    }

    private let source: DatabaseQueue
    private let copy: DatabaseQueue

    /// Copies it, and looks whether the copy is sound. Blocks.
    ///
    /// - Parameters:
    ///   - file: the library's database, which is there.
    ///   - path: where nothing is yet.
    /// - Throws: ``DatabaseFailure/Kind/damaged`` for what could not be restored.
    init(of file: DatabaseFile, at path: String) throws(DatabaseFailure) {
        source = try file.reader()
        do {
            copy = try DatabaseQueue(path: path)
            try source.backup(to: copy)
            // The copy says of itself that it is in write-ahead mode, which takes more than one file.
            let verdict = try copy.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                // Uploads in progress: their bytes stay behind, and so do they. A library of an earlier release has none.
                if try database.tableExists("media") {
                    try database.cachedStatement(sql: "DELETE FROM media WHERE state <> 'ready'").execute()
                }
                return try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? ""
            }
            guard verdict == "ok" else { throw DatabaseFailure(.damaged, reason: verdict) }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    func clips() throws(DatabaseFailure) -> [Clip] {
        do {
            return try copy.read(Clip.all)
        } catch {
            throw DatabaseFailure(error)
        }
    }

    func pictureFiles() throws(DatabaseFailure) -> [PictureFile] {
        do { return try copy.read(PictureFile.all) } catch { throw DatabaseFailure(error) }
    }

    func filmFiles() throws(DatabaseFailure) -> [FilmFile] {
        do { return try copy.read(FilmFile.all) } catch { throw DatabaseFailure(error) }
    }

    /// What boards keep by what it holds.
    func keptFiles(_ boards: [BoardTables]) throws(DatabaseFailure) -> [KeptFile] {
        do { return try copy.read(boards.files) } catch { throw DatabaseFailure(error) }
    }

    /// Of those, the ones that the library keeps now.
    func isStillKept(_ boards: [BoardTables]) throws(DatabaseFailure) -> Set<KeptFile> {
        do { return Set(try source.read(boards.files)) } catch { throw DatabaseFailure(error) }
    }

    /// Removes films from the copy whose files have gone. What they were of stays.
    func leaveOut(films: Set<HubID>) throws(DatabaseFailure) {
        do {
            try copy.write { database in
                for id in films {
                    try database.cachedStatement(sql: "DELETE FROM films WHERE id = ?").execute(arguments: [id.text])
                }
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Removes pictures from the copy whose files have gone. What they were of stays.
    func leaveOut(pictures: Set<HubID>) throws(DatabaseFailure) {
        guard !pictures.isEmpty else { return }
        do {
            try copy.write { database in
                for id in pictures {
                    try database.cachedStatement(sql: "DELETE FROM itemPictures WHERE picture = ?").execute(arguments: [
                        id.text
                    ])
                    try database.cachedStatement(sql: "DELETE FROM pictureFiles WHERE picture = ?").execute(arguments: [
                        id.text
                    ])
                    try database.cachedStatement(sql: "DELETE FROM pictures WHERE id = ?").execute(arguments: [id.text])
                }
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Whether the library has a clip now.
    func isStillThere(_ id: String) throws(DatabaseFailure) -> Bool {
        do {
            return try source.read {
                try Bool.fetchOne($0.cachedStatement(sql: "SELECT 1 FROM clips WHERE id = ?"), arguments: [id]) ?? false
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Writes into the copy where a clip is kept whose file is not here, as the library has it now: it may have been stored since.
    ///
    /// - Returns: nil for one that is in no store. A library of an earlier release has none in one.
    func takeOver(storedClip id: String) throws(DatabaseFailure) -> BackupManifest.Entry? {
        do {
            let found = try source.read { database in
                guard try database.tableExists("storedClips") else { return nil as StoredClip? }
                return try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT * FROM storedClips WHERE clip = ? AND state = 'there'"),
                    arguments: [id]
                ).flatMap(StoredClip.init)
            }
            guard let clip = found else { return nil }
            try copy.write { database in
                try database.cachedStatement(
                    sql: """
                        INSERT INTO storedClips (object, clip, place, bytes, sha256, state) VALUES (?, ?, ?, ?, ?, 'there')
                        ON CONFLICT (object) DO UPDATE SET state = 'there', session = NULL
                        """
                ).execute(arguments: [clip.object, clip.clip.text, clip.place, clip.bytes, clip.sha256])
            }
            return BackupManifest.Entry(
                name: BackupMember.clip(clip.clip).name, bytes: clip.bytes, sha256: clip.sha256, stored: true)
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Removes clips from the copy, as the library does it: with their posts, and so that their links say "gone".
    func leaveOut(_ ids: [String], at instant: Date) throws(DatabaseFailure) {
        guard !ids.isEmpty else { return }
        let now = HubLibrary.milliseconds(instant)
        do {
            try copy.write { database in
                for id in ids {
                    try database.cachedStatement(sql: "DELETE FROM clips WHERE id = ?").execute(arguments: [id])
                    try database.cachedStatement(
                        sql: "INSERT INTO gone (id, removed) VALUES (?, ?) ON CONFLICT DO NOTHING"
                    ).execute(arguments: [id, now])
                }
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Makes the copy's file whole. It is not used afterwards.
    func close() throws(DatabaseFailure) {
        do {
            try copy.close()
            try source.close()
        } catch {
            throw DatabaseFailure(error)
        }
    }
}
