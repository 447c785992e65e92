internal import ChirpCore
internal import ChirpDatabase
internal import ChirpFiles
public import FoundationEssentials
internal import Glibc
internal import GRDB

/// Looks at a hub's folder without changing anything, also while it is served: whether the database is sound, whether every clip has
/// its file, and everything that was sold, whether secrets are kept from others.
public struct LibraryCheck: Sendable {
    /// What was found.
    public struct Report: Hashable, Sendable {
        /// How the tables stand to this release.
        public enum Tables: Hashable, Sendable {
            case current
            /// This release changes them when it opens the library next.
            case older
            /// This release leaves them alone.
            case newer
        }

        /// What SQLite has to complain of, in its own words made plain; empty for a sound database. Of an unsound one nothing more
        /// is known.
        public var complaints: [String] = []
        public var tables = Tables.current
        public var clips = 0
        /// What the clips take by their rows.
        public var bytes: Int64 = 0
        /// Clips that are kept in a store alone, by their rows; the store is not asked.
        public var stored = 0
        /// The ids of clips that have no file.
        public var missing: [String] = []
        /// The ids of clips whose file is not what was published.
        public var damaged: [String] = []
        /// Files of what was sold.
        public var kept = 0
        /// Of those, the names of the ones that are not there.
        public var missingKept: [String] = []
        /// And of those that are not what was sold.
        public var damagedKept: [String] = []
        /// Files that no clip accounts for, and that no publication in progress can have made.
        public var strays = 0
        /// Secrets that others on this machine may read or write.
        public var exposed: [String] = []

        public init() {}
    }

    private let folder: String
    private let now: @Sendable () -> Date
    private let boards: [BoardTables]

    /// - Parameters:
    ///   - folder: the hub's.
    ///   - now: the clock on the wall.
    public init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(folder: folder, boards: [], now: now)
    }

    /// - Parameter boards: the tables of all boards.
    package init(folder: String, boards: [BoardTables], now: @escaping @Sendable () -> Date = { Date() }) {
        self.folder = folder
        self.boards = boards
        self.now = now
    }

    /// Looks.
    ///
    /// - Parameters:
    ///   - readsClips: whether each clip is read and compared with the checksum of its row; otherwise its size must do.
    ///   - progress: told how many of the clips are done, 0...1.
    /// - Throws: ``BackupError/noHub(path:)``; what cannot be opened at all.
    public func run(
        readsClips: Bool, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(BackupError) -> Report {
        try await offPool { () throws(BackupError) in try look(readsClips: readsClips, progress) }
    }

    private func look(readsClips: Bool, _ progress: (Double) -> Void) throws(BackupError) -> Report {
        let file = DatabaseFile(path: "\(folder)/hub.sqlite", label: "chirp.check")
        guard access(file.path, F_OK) == 0 else { throw .noHub(path: folder) }
        var report = Report()
        report.exposed = exposed()
        do throws(DatabaseFailure) {
            let database = try file.reader()
            try look(at: database, &report)
            if report.complaints.isEmpty { try compare(database, readsClips: readsClips, &report, progress) }
        } catch {
            switch error.kind {
            case .damaged, .notADatabase, .inputOutput:
                report.complaints.append(PlainText(error.reason, limit: 200).value)
            default: throw BackupError(error, path: file.path)
            }
        }
        return report
    }

    /// The database in itself.
    private func look(at database: DatabaseQueue, _ report: inout Report) throws(DatabaseFailure) {
        do {
            try database.read { database in
                let verdicts = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
                report.complaints = verdicts.filter { $0 != "ok" }.map { PlainText($0, limit: 200).value }
                guard report.complaints.isEmpty else { return }
                report.tables = try CommunitySchema.state(of: database, boards: boards)
                if try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") != nil {
                    report.complaints.append("rows refer to others that are not there")
                }
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Clips and their files.
    private func compare(
        _ database: DatabaseQueue, readsClips: Bool, _ report: inout Report, _ progress: (Double) -> Void
    ) throws(DatabaseFailure) {
        let media = MediaFolder(path: "\(folder)/media")
        let clips = try rows(of: database)
        for (number, clip) in clips.enumerated() {
            if Task.isCancelled { throw DatabaseFailure(.cancelled) }
            progress(Double(number) / Double(clips.count))
            report.clips += 1
            report.bytes = (ByteCount(report.bytes) + ByteCount(clip.bytes)).bytes
            guard let id = HubID(clip.id), let size = media.size(of: id) else {
                // It may have been removed since, or stored.
                if try isStored(clip.id, database) {
                    report.stored += 1
                } else if try has(clip.id, database) {
                    report.missing.append(clip.id)
                } else {
                    report.clips -= 1
                }
                continue
            }
            let isWhole = size == clip.bytes && (!readsClips || content(of: media.file(id)) == clip.sha256)
            if !isWhole, try has(clip.id, database) { report.damaged.append(clip.id) }
        }
        let kept = try compareKept(database, readsFiles: readsClips, &report)
        guard let old = try? media.files(writtenBefore: now().addingTimeInterval(-HubLibrary.strayAge)) else { return }
        report.strays = old.temporary.count + keptStrays(kept)
        for id in old.clips where try !has(id.text, database) {
            if try !isTake(id.text, database) { report.strays += 1 }
        }
        try comparePictures(database, readsFiles: readsClips, &report)
        try compareFilms(database, readsFiles: readsClips, &report)
    }

    /// What boards keep, and those files.
    ///
    /// - Returns: the names that are accounted for.
    private func compareKept(
        _ database: DatabaseQueue, readsFiles: Bool, _ report: inout Report
    ) throws(DatabaseFailure) -> Set<String> {
        let files = try keptFiles(database)
        var now: Set<KeptFile>?
        for file in files {
            if Task.isCancelled { throw DatabaseFailure(.cancelled) }
            report.kept += 1
            let path = "\(folder)/\(file.path)"
            let size = MediaFile(path)?.size
            if size == file.bytes, !readsFiles || content(of: path) == file.sha256 { continue }
            // What it was sold with may have ended since.
            let still: Set<KeptFile>
            if let now { still = now } else { still = Set(try keptFiles(database)) }
            now = still
            guard still.contains(file) else { continue }
            if size == nil { report.missingKept.append(file.sha256) } else { report.damagedKept.append(file.sha256) }
        }
        return Set(files.map(\.sha256))
    }

    private func keptStrays(_ known: Set<String>) -> Int {
        let place = "\(folder)/\(KeptFile.folder)"
        return ((try? FolderListing(place).names) ?? []).count {
            !known.contains($0)
                && HubLibrary.isOld("\(place)/\($0)", at: now().addingTimeInterval(-HubLibrary.strayAge))
        }
    }

    private func keptFiles(_ database: DatabaseQueue) throws(DatabaseFailure) -> [KeptFile] {
        do { return try database.read(boards.files) } catch { throw DatabaseFailure(error) }
    }

    /// Films and their files, as pictures are.
    private func compareFilms(
        _ database: DatabaseQueue, readsFiles: Bool, _ report: inout Report
    ) throws(DatabaseFailure) {
        let folder = FilmFolder(path: "\(folder)/films")
        let rows: [LibrarySnapshot.FilmFile]
        do { rows = try database.read(LibrarySnapshot.FilmFile.all) } catch { throw DatabaseFailure(error) }
        for row in rows {
            let path = folder.file(row.id, row.name)
            guard let size = MediaFile(path)?.size else {
                report.missing.append(FilmFolder.name(row.id, row.name))
                continue
            }
            if size != row.bytes || readsFiles && content(of: path) != row.sha256 {
                report.damaged.append(FilmFolder.name(row.id, row.name))
            }
        }
        let known = Set(rows.map(\.id))
        guard let old = try? folder.files(writtenBefore: now().addingTimeInterval(-HubLibrary.strayAge)) else { return }
        report.strays += old.temporary.count + old.films.subtracting(known).count
    }

    /// Pictures and their files. Which one it is stands in the report by the name of the file.
    private func comparePictures(
        _ database: DatabaseQueue, readsFiles: Bool, _ report: inout Report
    ) throws(DatabaseFailure) {
        let folder = PictureFolder(path: "\(folder)/pictures")
        let rows: [LibrarySnapshot.PictureFile]
        do { rows = try database.read(LibrarySnapshot.PictureFile.all) } catch { throw DatabaseFailure(error) }
        for row in rows {
            let path = folder.file(row.id, row.size)
            guard let size = MediaFile(path)?.size else {
                report.missing.append(PictureFolder.name(row.id, row.size))
                continue
            }
            if size != row.bytes || readsFiles && content(of: path) != row.sha256 {
                report.damaged.append(PictureFolder.name(row.id, row.size))
            }
        }
        let known = Set(rows.map(\.id))
        guard let old = try? folder.files(writtenBefore: now().addingTimeInterval(-HubLibrary.strayAge)) else { return }
        report.strays += old.temporary.count + old.pictures.subtracting(known).count
    }

    private func content(of path: String) -> String? { try? FileDigest.reading(path).sha256 }

    private func rows(of database: DatabaseQueue) throws(DatabaseFailure) -> [LibrarySnapshot.Clip] {
        do { return try database.read(LibrarySnapshot.Clip.all) } catch { throw DatabaseFailure(error) }
    }

    private func has(_ id: String, _ database: DatabaseQueue) throws(DatabaseFailure) -> Bool {
        do {
            return try database.read {
                try Bool.fetchOne($0.cachedStatement(sql: "SELECT 1 FROM clips WHERE id = ?"), arguments: [id]) ?? false
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Whether a store has a clip. A library of an earlier release has none in one.
    private func isStored(_ id: String, _ database: DatabaseQueue) throws(DatabaseFailure) -> Bool {
        do {
            return try database.read { database in
                guard try database.tableExists("storedClips") else { return false }
                return try Bool.fetchOne(
                    database.cachedStatement(sql: "SELECT 1 FROM storedClips WHERE clip = ? AND state = 'there'"),
                    arguments: [id]) ?? false
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Whether it is the clip of a draft. A library of an earlier release has none.
    private func isTake(_ id: String, _ database: DatabaseQueue) throws(DatabaseFailure) -> Bool {
        do {
            return try database.read { database in
                guard try database.tableExists("drafts") else { return false }
                return try Bool.fetchOne(
                    database.cachedStatement(sql: "SELECT 1 FROM drafts WHERE take = ?"), arguments: [id]) ?? false
            }
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// Files with secrets in them that others than their owner have rights on.
    private func exposed() -> [String] {
        let own = ((try? FolderListing(folder).names) ?? []).filter {
            $0 == BackupMember.key.name || $0 == BackupMember.licenceKey.name || $0.hasPrefix("hub.sqlite")
                || $0.hasPrefix("limits.sqlite")
                || $0.hasPrefix("usage.sqlite") || $0 == "metrics.token"
        }
        let letters = ((try? FolderListing("\(folder)/mail").names) ?? []).filter { $0.hasSuffix(".eml") }
        return (own + letters.map { "mail/\($0)" }).map { "\(folder)/\($0)" }.filter { path in
            var facts = stat()
            return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & 0o077 != 0
        }
    }
}
