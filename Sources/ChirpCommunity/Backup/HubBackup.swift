internal import ChirpCore
internal import ChirpDatabase
internal import ChirpFiles
public import FoundationEssentials
internal import Glibc

/// Puts a whole hub into one file, while it is served and people publish: a tar archive with a manifest, the secret of its forms,
/// the clips, what was sold, and the database as it was at one moment.
///
/// Left out is what is made anew or grows old within minutes: how often somebody tried to sign in (`limits.sqlite`), how much
/// the hub was used (`usage.sqlite`), names of places (`places.sqlite`), and letters.
public struct HubBackup: Sendable {
    /// What was put into the file.
    public struct Report: Hashable, Sendable {
        public var created: Date
        public var clips = 0
        /// Clips that are kept in a store alone; they are not in the file.
        public var stored = 0
        /// Files of pictures, three each.
        public var pictureFiles = 0
        /// Files of films, up to six each.
        public var filmFiles = 0
        /// Files of what was sold.
        public var keptFiles = 0
        /// Of all members.
        public var bytes: Int64 = 0
        /// Clips that were removed while the backup was written; they are not in it.
        public var removed = 0
        /// The ids of clips whose files were not there, and `sold/` with a SHA-256 for such files of what was sold; they are not in it.
        public var missing: [String] = []
        /// The ids of clips whose files are not what was published, and files of what was sold that are others. They are in it as they are.
        public var damaged: [String] = []
    }

    package let folder: String
    private let program: String
    private let boards: [BoardTables]
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - folder: the hub's.
    ///   - program: the release that writes it.
    ///   - now: the clock on the wall.
    public init(folder: String, program: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(folder: folder, program: program, boards: [], now: now)
    }

    /// - Parameter boards: the tables of all boards, which say what was sold.
    package init(
        folder: String, program: String, boards: [BoardTables], now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.folder = folder
        self.program = program
        self.boards = boards
        self.now = now
    }

    /// Writes it. A file of that name is replaced, and stays as it is when this fails.
    ///
    /// - Parameter progress: told how much is done, 0...1.
    public func write(
        to path: String, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(BackupError) -> Report {
        try await offPool { () throws(BackupError) in try archive(path, progress) }
    }

    private func archive(_ path: String, _ progress: @escaping (Double) -> Void) throws(BackupError) -> Report {
        let file = DatabaseFile(path: "\(folder)/hub.sqlite", label: "chirp.backup")
        guard access(file.path, F_OK) == 0 else { throw .noHub(path: folder) }
        try check(target: path)
        let place = AtomicFile.split(path).folder
        ScratchFolder.removeStrays(in: place)
        _ = AtomicFile.removeStrays(in: place)
        let scratch = try ScratchFolder(beside: path)
        defer { scratch.remove() }
        var report = Report(created: now())
        let (snapshot, clips) = try snapshot(of: file, in: scratch, for: path)
        let pictures = try pictures(of: snapshot, path: file.path)
        let films = try films(of: snapshot, path: file.path)
        let kept = try kept(in: snapshot, path: file.path)
        let members =
            [.key, .licenceKey] + clips.compactMap { HubID($0.id).map(BackupMember.clip) }
            + pictures.map { BackupMember.picture($0.id, $0.size) } + films.map { BackupMember.film($0.id, $0.name) }
            + kept.map { BackupMember.kept($0.sha256) } + [.database]
        var manifest = BackupManifest(
            created: report.created.formatted(.iso8601), program: program,
            members: members.map(BackupManifest.room))
        let room = manifest.json().count
        if !pictures.isEmpty { manifest.v = 2 }
        if !films.isEmpty { manifest.v = 3 }
        if !kept.isEmpty || access("\(folder)/\(BackupMember.licenceKey.name)", F_OK) == 0 { manifest.v = 4 }
        guard room <= BackupManifest.mostBytes else { throw .tooManyClips }
        manifest.members = []

        var (lost, lostPictures, lostFilms, lostKept) = ([String](), Set<HubID>(), Set<HubID>(), [KeptFile]())
        // By what they hold: where something is in the archive already.
        var sent: [String: BackupManifest.Entry] = [:]
        let tape = try begin(path, at: report.created, room: room)
        var meter = BackupMeter(
            total: (clips.map(\.bytes) + pictures.map(\.bytes) + films.map(\.bytes) + kept.map(\.bytes)).reduce(0) {
                (ByteCount($0) + ByteCount($1)).bytes
            },
            report: progress)
        do throws(FileError) {
            for key in [BackupMember.key, .licenceKey] {
                if let entry = try add(key, from: "\(folder)/\(key.name)", to: tape, &meter) {
                    manifest.members.append(entry)
                }
            }
            for clip in clips {
                guard let id = HubID(clip.id),
                    let entry = try add(.clip(id), from: "\(folder)/media/\(id.text).mp3", to: tape, &meter)
                else {
                    lost.append(clip.id)
                    meter.add(Int(clamping: clip.bytes))
                    continue
                }
                manifest.members.append(entry)
                report.clips += 1
                if entry.bytes != clip.bytes || entry.sha256 != clip.sha256 { report.damaged.append(clip.id) }
            }
            for picture in pictures where !lostPictures.contains(picture.id) {
                let member = BackupMember.picture(picture.id, picture.size)
                guard let entry = try add(member, from: "\(folder)/\(member.name)", to: tape, &meter) else {
                    lostPictures.insert(picture.id)
                    continue
                }
                manifest.members.append(entry)
                report.pictureFiles += 1
            }
            for film in films where !lostFilms.contains(film.id) {
                let member = BackupMember.film(film.id, film.name)
                guard let entry = try add(member, from: "\(folder)/\(member.name)", to: tape, &meter) else {
                    lostFilms.insert(film.id)
                    continue
                }
                manifest.members.append(entry)
                report.filmFiles += 1
                if film.name == .original { sent[entry.sha256] = entry }
            }
            for file in kept {
                guard let entry = try add(file, sent: sent[file.sha256], to: tape, &meter) else {
                    lostKept.append(file)
                    continue
                }
                manifest.members.append(entry)
                report.keptFiles += 1
                if entry.sha256 != file.sha256 { report.damaged.append(file.path) }
            }
        } catch {
            throw BackupError(error)
        }
        do throws(DatabaseFailure) {
            var gone: [String] = []
            for id in lost {
                if let entry = try snapshot.takeOver(storedClip: id) {
                    manifest.members.append(entry)
                    manifest.v = 5
                    report.stored += 1
                    continue
                }
                gone.append(id)
                if try snapshot.isStillThere(id) { report.missing.append(id) } else { report.removed += 1 }
            }
            if !lostKept.isEmpty {
                let still = try snapshot.isStillKept(boards)
                report.missing += lostKept.filter(still.contains).map(\.path)
            }
            try snapshot.leaveOut(gone, at: report.created)
            try snapshot.leaveOut(pictures: lostPictures)
            try snapshot.leaveOut(films: lostFilms)
            try snapshot.close()
        } catch {
            throw BackupError(error, path: path)
        }
        do throws(FileError) {
            guard let database = try add(.database, from: scratch.database, to: tape, &meter) else {
                throw FileError(path: scratch.database, number: ENOENT)
            }
            manifest.members.append(database)
            let json = manifest.json()
            // White space behind a document is part of JSON.
            try tape.fill(json + [UInt8](repeating: 0x20, count: room - json.count))
            try tape.finish()
        } catch {
            throw BackupError(error)
        }
        report.bytes = manifest.members.reduce(0) { $0 + ($1.stored == nil ? $1.bytes : 0) }
        return report
    }

    /// Adds what was sold; nil when it is not there. What its author has sent is in the archive already.
    private func add(
        _ file: KeptFile, sent: BackupManifest.Entry?, to tape: borrowing TapeWriter, _ meter: inout BackupMeter
    ) throws(FileError) -> BackupManifest.Entry? {
        guard let sent, sent.bytes == file.bytes else {
            return try add(.kept(file.sha256), from: "\(folder)/\(file.path)", to: tape, &meter)
        }
        meter.add(Int(clamping: sent.bytes))
        return BackupManifest.Entry(name: file.path, bytes: sent.bytes, sha256: sent.sha256, same: sent.name)
    }

    private func kept(in snapshot: borrowing LibrarySnapshot, path: String) throws(BackupError) -> [KeptFile] {
        do throws(DatabaseFailure) { return try snapshot.keptFiles(boards) } catch {
            throw BackupError(error, path: path)
        }
    }

    private func films(
        of snapshot: borrowing LibrarySnapshot, path: String
    ) throws(BackupError) -> [LibrarySnapshot.FilmFile] {
        do throws(DatabaseFailure) { return try snapshot.filmFiles() } catch { throw BackupError(error, path: path) }
    }

    private func pictures(
        of snapshot: LibrarySnapshot, path: String
    ) throws(BackupError) -> [LibrarySnapshot.PictureFile] {
        do throws(DatabaseFailure) { return try snapshot.pictureFiles() } catch { throw BackupError(error, path: path) }
    }

    /// Begins the archive, with room for its manifest.
    private func begin(_ path: String, at instant: Date, room: Int) throws(BackupError) -> TapeWriter {
        do throws(FileError) {
            let tape = try TapeWriter(path, time: HubLibrary.milliseconds(instant) / 1000)
            try tape.reserve(BackupManifest.name, bytes: room)
            return tape
        } catch {
            throw BackupError(error)
        }
    }

    private func snapshot(
        of file: DatabaseFile, in scratch: ScratchFolder, for target: String
    ) throws(BackupError) -> (LibrarySnapshot, [LibrarySnapshot.Clip]) {
        do throws(DatabaseFailure) {
            let snapshot = try LibrarySnapshot(of: file, at: scratch.database)
            return (snapshot, try snapshot.clips())
        } catch {
            switch error.kind {
            case .damaged, .notADatabase: throw .damagedHub(path: file.path)
            case .full: throw .noSpace(path: target)
            case .inputOutput:
                var facts = stat()
                let bytes = stat(file.path, &facts) == 0 ? Int64(facts.st_size) : 0
                // The names of the folder and of what is in it are of no use to anybody.
                guard let refusal = scratch.refusal(toHold: bytes) else { throw BackupError(error, path: file.path) }
                throw BackupError(FileError(path: target, number: refusal.number))
            default: throw BackupError(error, path: file.path)
            }
        }
    }

    /// Adds a file of the hub's. It is read to its end also when it is removed meanwhile.
    ///
    /// - Returns: nil when there is no such file.
    private func add(
        _ member: BackupMember, from path: String, to tape: borrowing TapeWriter, _ meter: inout BackupMeter
    ) throws(FileError) -> BackupManifest.Entry? {
        let file: OpenFile
        do throws(FileError) { file = try OpenFile(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK) } catch {
            // A link is no file of the hub's either.
            if error.isMissing || error.number == ELOOP { return nil }
            throw error
        }
        var facts = stat()
        guard fstat(file.raw, &facts) == 0 else { throw FileError(path: path) }
        // A key of another length is none; a hub without one makes it.
        guard facts.st_mode & S_IFMT == S_IFREG, !member.isKey || facts.st_size == BackupMember.keyBytes else {
            return nil
        }
        let digest = try tape.add(
            member.name, open: file.raw, bytes: Int64(facts.st_size), source: path, each: { meter.add($0) })
        return BackupManifest.Entry(name: member.name, bytes: digest.bytes, sha256: digest.sha256)
    }

    /// Refuses what is no file, and what lies in the hub's folder.
    private func check(target path: String) throws(BackupError) {
        let parent = AtomicFile.split(path).folder
        guard let place = Self.real(parent) else {
            throw .badTarget(path: path, reason: SystemError.current.description)
        }
        if let own = Self.real(folder), place == own || place.hasPrefix(own + "/") {
            throw .badTarget(path: path, reason: "it is in the hub's own folder")
        }
        var facts = stat()
        guard lstat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG else {
            throw .badTarget(path: path, reason: "there is something else of that name")
        }
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
