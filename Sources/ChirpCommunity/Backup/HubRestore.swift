internal import ChirpCore
internal import ChirpDatabase
internal import ChirpFiles
internal import Glibc
internal import GRDB

/// Puts a hub back from its backup, into a folder where no hub is. Whatever is in the file, it appears there whole and sound or not at all.
public struct HubRestore: Sendable {
    /// What was put back.
    public struct Report: Hashable, Sendable {
        /// When the backup was made, as ISO 8601 has it.
        public var created: String
        /// The release that made it.
        public var program: String
        public var clips = 0
        /// Of these, the ones that are kept in a store, and fetched from there when somebody wants to hear them.
        public var stored = 0
        /// Of all members.
        public var bytes: Int64 = 0
    }

    /// What may be in the folder of a hub that is none yet.
    static let locks = [".lock", ServingLock.name, DutyLock.name]

    private let file: String
    private let folder: String
    private let boards: [BoardTables]

    /// - Parameters:
    ///   - file: the backup.
    ///   - folder: where the hub is to be; it is empty, or does not exist.
    public init(file: String, folder: String) { self.init(file: file, folder: folder, boards: []) }

    /// - Parameter boards: the tables of all boards; a backup that has others is of a newer release.
    package init(file: String, folder: String, boards: [BoardTables]) {
        self.file = file
        self.boards = boards
        // A link to a folder on another disk stays one.
        if let found = realpath(folder, nil) {
            self.folder = String(cString: found)
            free(found)
        } else {
            self.folder = folder
        }
    }

    /// Restores it.
    ///
    /// - Parameter progress: told how much is unpacked, 0...1.
    public func run(progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws(BackupError) -> Report {
        try await offPool { () throws(BackupError) in try restore(progress) }
    }

    /// Refuses a folder in which a hub cannot appear: before a backup is fetched that may be large.
    package func checkGoal() throws(BackupError) {
        guard !ServingLock.isHeld(in: folder) else { throw .served(path: folder) }
        try checkEmpty()
    }

    /// Makes the folder above the hub's, and returns its path.
    package func makeParent() throws(BackupError) -> String {
        let parent = AtomicFile.split(folder).folder
        do throws(LibraryError) { try MediaFolder.make(parent) } catch { throw .library(error) }
        return parent
    }

    private func restore(_ progress: @escaping (Double) -> Void) throws(BackupError) -> Report {
        try checkGoal()
        var tape = try TapeReader(file)
        let manifest = try manifest(&tape)
        let members = try manifest.checkedMembers(path: file)
        let total = members.reduce(ByteCount(0)) {
            $1.entry.same == nil && $1.entry.stored == nil ? $0 + ByteCount($1.entry.bytes) : $0
        }
        let parent = AtomicFile.split(folder).folder
        do throws(LibraryError) {
            try MediaFolder.make(parent)
            guard try MediaFolder(path: parent).freeBytes() >= total else { throw .noSpace(path: folder) }
        } catch {
            if case .noSpace(let path) = error { throw .noSpace(path: path) }
            throw .library(error)
        }

        let staging = try RestoringFolder(for: folder)
        defer { staging.remove() }
        var meter = BackupMeter(total: total.bytes, report: progress)
        for (member, entry) in members {
            if let same = entry.same {
                try Self.link("\(staging.path)/\(same)", to: "\(staging.path)/\(member.name)")
            } else if entry.stored == nil {
                try unpack(member, entry, &tape, to: staging.path, &meter)
            }
        }
        guard try tape.next() == nil else { throw tape.failure("it holds more than its list names") }
        let clips = Set(members.compactMap { if case .clip(let id) = $0.member { id.text } else { nil } })
        let pictures = members.compactMap { member, _ in
            if case .picture(let id, let size) = member { PictureFolder.name(id, size) } else { nil }
        }
        let films = members.compactMap { member, _ in
            if case .film(let id, let name) = member { FilmFolder.name(id, name) } else { nil }
        }
        let stored = Set(
            members.compactMap { member, entry in
                if case .clip(let id) = member, entry.stored != nil { id.text } else { nil }
            })
        try check(
            "\(staging.path)/\(BackupMember.database.name)", clips: clips, stored: stored, pictures: Set(pictures),
            films: Set(films))
        guard !Task.isCancelled else { throw .cancelled }
        try staging.place()
        return Report(
            created: manifest.created, program: manifest.program, clips: clips.count, stored: stored.count,
            bytes: total.bytes)
    }

    private func checkEmpty() throws(BackupError) {
        do throws(FileError) {
            guard try FolderListing(folder).names.allSatisfy(Self.locks.contains) else {
                throw FileError(path: folder, number: ENOTEMPTY)
            }
        } catch {
            switch error.number {
            case ENOENT: return
            case ENOTEMPTY, ENOTDIR: throw .occupied(path: folder)
            default: throw BackupError(error)
            }
        }
    }

    private func manifest(_ tape: inout TapeReader) throws(BackupError) -> BackupManifest {
        guard let header = try tape.next(), header.name == BackupManifest.name else {
            throw tape.failure("it does not begin with a list of its contents")
        }
        guard header.bytes <= Int64(BackupManifest.mostBytes) else {
            throw tape.failure("its list of contents is too long")
        }
        var json: [UInt8] = []
        try tape.content(of: header) { (piece) throws(BackupError) in json.append(contentsOf: piece) }
        return try BackupManifest(json: json, path: file)
    }

    /// Unpacks the next member, which must be this one.
    private func unpack(
        _ member: BackupMember, _ entry: BackupManifest.Entry, _ tape: inout TapeReader, to folder: String,
        _ meter: inout BackupMeter
    ) throws(BackupError) {
        guard let header = try tape.next() else { throw tape.failure("'\(member.name)' is not in it") }
        guard header.name == member.name, header.bytes == entry.bytes else {
            throw tape.failure("where '\(member.name)' should be it holds something else")
        }
        let path = "\(folder)/\(member.name)"
        var running = FileDigest.Running()
        let output = try Self.create(path)
        try tape.content(of: header) { (piece) throws(BackupError) in
            running.add(piece)
            meter.add(piece.count)
            try Self.write(piece, to: output, path)
        }
        guard fsync(output.raw) == 0 else { throw BackupError(FileError(path: path)) }
        guard running.digest.sha256 == entry.sha256 else { throw tape.failure("'\(member.name)' is damaged") }
    }

    /// Two names for one file, as before.
    private static func link(_ path: String, to goal: String) throws(BackupError) {
        guard Glibc.link(path, goal) == 0 else { throw BackupError(FileError(path: goal)) }
    }

    private static func create(_ path: String) throws(BackupError) -> OpenFile {
        do throws(FileError) { return try OpenFile(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) } catch {
            throw BackupError(error)
        }
    }

    private static func write(
        _ piece: UnsafeRawBufferPointer, to file: borrowing OpenFile, _ path: String
    ) throws(BackupError) {
        do throws(FileError) { try file.write(piece, name: path) } catch { throw BackupError(error) }
    }

    /// Looks whether the database is sound and its clips are those that came along, and brings its tables up to date.
    private func check(
        _ path: String, clips: Set<String>, stored: Set<String>, pictures: Set<String>, films: Set<String>
    ) throws(BackupError) {
        let failure: DatabaseFailure
        do {
            let database = try DatabaseFile(path: path, label: "chirp.restore").queue()
            let (verdict, rows, files, parts, there) = try database.writeWithoutTransaction { database in
                // What the tables of a stranger's file call is not trusted (sqlite.org/pragma.html#pragma_trusted_schema).
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
                let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
                let files = try LibrarySnapshot.PictureFile.all(in: database).map { PictureFolder.name($0.id, $0.size) }
                let parts = try LibrarySnapshot.FilmFile.all(in: database).map { FilmFolder.name($0.id, $0.name) }
                return (
                    verdict, try String.fetchAll(database.cachedStatement(sql: "SELECT id FROM clips")), files, parts,
                    try StoredClip.idsThere(in: database)
                )
            }
            guard verdict == "ok" else { throw DatabaseFailure(.damaged) }
            guard Set(rows) == clips else {
                throw BackupError.noBackup(path: file, reason: "its database has other clips")
            }
            guard there.isSuperset(of: stored) else {
                throw BackupError.noBackup(path: file, reason: "its database does not say where some clips are kept")
            }
            // Of a picture that went while the backup was written there may be more files: they are swept.
            guard pictures.isSuperset(of: files) else {
                throw BackupError.noBackup(path: file, reason: "its database has other pictures")
            }
            guard films.isSuperset(of: parts) else {
                throw BackupError.noBackup(path: file, reason: "its database has other films")
            }
            try CommunitySchema.bringUpToDate(database, boards: boards)
            let shape = try database.read(TableShape.init)
            guard try shape == TableShape.ofLibrary(boards: boards) else {
                throw BackupError.noBackup(path: file, reason: "its database has other tables")
            }
            try database.close()
            return
        } catch let error as BackupError {
            throw error
        } catch {
            failure = DatabaseFailure(error)
        }
        switch failure.kind {
        case .full, .cancelled: throw BackupError(failure, path: folder)
        case .superseded: throw .newerBackup(path: file)
        default: throw .noBackup(path: file, reason: "its database is damaged")
        }
    }
}
