package import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc
internal import Synchronization

/// The folder with the clips, held by one run at a time.
///
/// Clips are made in a folder of its own in it, ``staging``, and moved to their places when they are whole. The lock file
/// in there is locked by the system (`flock(2)`) until ``end()`` or its owner's death, so a dead run never stands in the way; what
/// it left is removed by the next one. No clock has a part in it.
package final class OutputFolder: Sendable {
    /// Without links.
    package let path: String
    private let descriptor: Int32
    /// The locked file; nil when the run has ended.
    private let lock: Mutex<Int32?>
    /// The folder where clips are made, opened through no link.
    private let stagingDescriptor: Int32

    static let stagingName = ".chirp-batch"
    private static let lockName = "lock"

    /// Makes the folder if there is none, and takes the lock.
    ///
    /// - Throws: `uncreatable`, or `busy` when another run holds it.
    init(_ path: String) throws(BatchFailure) {
        try Self.make(path)
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .uncreatable(path: path, reason: SystemError.current.description) }
        let locked: Int32
        do throws(BatchFailure) {
            locked = try Self.lock(path)
        } catch {
            close(folder)
            throw error
        }
        lock = Mutex(locked)
        descriptor = folder
        self.path = canonical(path)
        stagingDescriptor = openat(folder, Self.stagingName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard stagingDescriptor >= 0 else {
            throw .uncreatable(path: staging, reason: SystemError.current.description)
        }
        removeStrays()
    }

    deinit {
        end()
        if stagingDescriptor >= 0 { close(stagingDescriptor) }
        close(descriptor)
    }

    /// Gives the folder back, and removes what was only there for the run.
    ///
    /// The run says so itself when it ends. Tasks let go of their references a moment later on threads of the pool, and the
    /// process may have ended by then.
    func end() {
        let held = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let held else { return }
        removeStrays()
        // With the lock still held: whoever opened the file before sees that its name is gone, and makes a new one.
        unlink("\(staging)/\(Self.lockName)")
        rmdir(staging)
        close(held)
    }

    /// The folder in it where clips are made.
    var staging: String { "\(path)/\(Self.stagingName)" }

    /// Where a clip is made, before it is moved.
    func stagedPath(_ index: Int) -> String { "\(staging)/\(index).mp3" }

    /// What is there under a name; nil for nothing.
    package func facts(_ path: BatchPath) -> FileFacts? { Self.facts(path, in: descriptor) }

    static func facts(_ path: BatchPath, in folder: Int32) -> FileFacts? {
        var facts = stat()
        guard path.withCString({ fstatat(folder, $0, &facts, 0) }) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return FileFacts(facts)
    }

    /// Flushes a finished clip to the disk and moves it to its place; folders on the way are made.
    ///
    /// - Parameter source: the recording, which is never replaced.
    /// - Returns: what the file system says about it there.
    func place(
        _ index: Int, as path: BatchPath, butNot source: FileFacts.Identity
    ) throws(AudioError) -> FileFacts {
        let draft = stagedPath(index)
        let file = open(draft, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .inputOutput(path: draft, reason: .system(.current)) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .inputOutput(path: draft, reason: .system(.current)) }
        return try place(draft: "\(index).mp3", in: stagingDescriptor, as: path, butNot: source)
    }

    /// Moves a clip that was made elsewhere on the file system of the folder, and is on the disk.
    ///
    /// - Parameters:
    ///   - draft: its name.
    ///   - folder: the folder that it lies in, open.
    package func place(
        draft: String, in folder: Int32, as path: BatchPath, butNot source: FileFacts.Identity
    ) throws(AudioError) -> FileFacts {
        let draftFolder = folder
        for folder in path.folders where folder.withCString({ mkdirat(descriptor, $0, 0o777) }) != 0 {
            guard errno == EEXIST else { throw .uncreatable(path: folder.text, reason: .system(.current)) }
        }
        if facts(path)?.identity == source {
            throw .uncreatable(path: path.text, reason: "it is the recording itself, by a link")
        }
        do throws(SystemError) {
            try path.withCString { name in
                Result { () throws(SystemError) in
                    try AtomicFile.move(draft, in: draftFolder, to: name, in: descriptor)
                }
            }.get()
        } catch {
            let isElsewhere = error.code == EXDEV
            throw .uncreatable(
                path: path.text,
                reason: isElsewhere ? "it lies on another file system than the folder" : .system(error))
        }
        guard let facts = facts(path) else {
            throw .inputOutput(path: path.text, reason: "it has gone as soon as it was there")
        }
        return facts
    }

    /// Writes a clip that came from elsewhere, onto the disk, and moves it to its place.
    ///
    /// It is written in the run's own folder, into a file that was not there before and through no link: others may write beside
    /// the clips.
    ///
    /// - Returns: what the file system says about it there.
    package func place(
        _ bytes: [UInt8], as path: BatchPath, butNot source: FileFacts.Identity
    ) throws(AudioError) -> FileFacts {
        let name = "0.received.mp3"
        do throws(FileError) {
            let file = try AtomicFile.create(name, in: stagingDescriptor, path: path.text, mode: 0o666)
            try file.write(bytes)
            try file.commit(durability: .bytes)
        } catch {
            throw .inputOutput(path: path.text, reason: .system(error.error))
        }
        return try place(draft: name, in: stagingDescriptor, as: path, butNot: source)
    }

    /// A clip in its place, open for reading, through no link in its last part.
    ///
    /// - Throws: `missing`.
    package func clip(_ path: BatchPath) throws(AudioError) -> SourceFile {
        let file = path.withCString {
            openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        }
        guard file >= 0 else { throw .missing(path: path.text, reason: .system(.current)) }
        return try SourceFile(adoptingRegular: file, name: path.text)
    }

    /// Removes what lies in a clip's place and is none.
    package func remove(_ path: BatchPath) { _ = path.withCString { unlinkat(descriptor, $0, 0) } }

    /// Removes what is left in the staging folder: only names that are made there.
    private func removeStrays() {
        let folder = open(staging, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0, let directory = fdopendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = entryName(entry)
            let isClip = name.first.map { (0x30...0x39).contains($0) } == true && name.ends(with: ".mp3")
            guard isClip || name.starts(with: ".chirp-".utf8) else { continue }
            _ = BatchPath(name).withCString { unlinkat(folder, $0, 0) }
        }
    }

    private static func make(_ path: String) throws(BatchFailure) {
        guard !path.isEmpty else { throw .uncreatable(path: path, reason: "it has no name") }
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, 0o777) != 0 && errno != EEXIST {
                throw .uncreatable(path: made, reason: SystemError.current.description)
            }
            made += "/"
        }
    }

    /// The locked lock file.
    private static func lock(_ folder: String) throws(BatchFailure) -> Int32 {
        let staging = "\(folder)/\(stagingName)"
        let path = "\(staging)/\(lockName)"
        // Each turn is lost to another run that is just ending.
        for _ in 0..<100 {
            // Nobody else has business in it, whoever may write to the folder of the clips.
            if mkdir(staging, 0o700) != 0 && errno != EEXIST {
                throw .uncreatable(path: staging, reason: SystemError.current.description)
            }
            var (named, opened) = (stat(), stat())
            guard lstat(staging, &named) == 0 else { continue }
            guard named.st_mode & S_IFMT == S_IFDIR else {
                throw .uncreatable(path: staging, reason: "it is no folder")
            }
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard file >= 0 else {
                if errno == ENOENT { continue }
                throw .uncreatable(path: path, reason: SystemError.current.description)
            }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                defer { close(file) }
                guard number == EWOULDBLOCK else {
                    throw .uncreatable(path: path, reason: SystemError(code: number).description)
                }
                throw .busy(path: folder, owner: owner(file))
            }
            if stat(path, &named) == 0, fstat(file, &opened) == 0, named.st_ino == opened.st_ino {
                sign(file)
                return file
            }
            close(file)
        }
        throw .busy(path: folder, owner: "")
    }

    /// Writes who holds the lock, for the message of the next one.
    private static func sign(_ file: Int32) {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text = Array("process \(getpid()) on \(name)".utf8)
        ftruncate(file, 0)
        // Only a courtesy: a disk that is full does not matter here.
        _ = text.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    private static func owner(_ file: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 300)
        let count = text.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        return String(decoding: text.prefix(max(0, count)), as: UTF8.self)
    }
}

extension Array<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
