internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// The file of an MP3 while it is written: an ``AtomicFile``, whose first bytes can be written last.
///
/// Under `/proc/self/fd/7` it is written into a file that is open already and belongs to somebody else, who gives it its name.
struct MP3TemporaryFile: ~Copyable {
    private enum Target: ~Copyable {
        case own(AtomicFile)
        case borrowed(OpenFile)
    }

    private let target: Target
    private let path: String
    private let isNameless: Bool

    /// - Parameters:
    ///   - path: where it is to appear. A symbolic link stands for the file it leads to, which is replaced.
    ///   - isNameless: nothing is left of it even if the process is killed. Not all file systems can do that.
    /// - Throws: ``AudioError/uncreatable(path:reason:)``, also when something that is no regular file has the name.
    init(path: String, isNameless: Bool = false) throws(AudioError) {
        let open = openDescriptor(namedBy: path)
        let place = try open == nil ? Self.resolved(path) : path
        target = try Self.target(open, or: place, isNameless: isNameless)
        self.path = place
        self.isNameless = isNameless
    }

    private static func target(_ open: Int32?, or path: String, isNameless: Bool) throws(AudioError) -> Target {
        if let open { return .borrowed(OpenFile(adopting: try emptied(open, path: path))) }
        do throws(FileError) {
            return .own(try AtomicFile.create(at: path, mode: 0o666, isNameless: isNameless))
        } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
    }

    private var raw: Int32 {
        switch target {
        case .own(let file): file.file.raw
        case .borrowed(let file): file.raw
        }
    }

    /// A further descriptor of an open file, which holds nothing any more.
    private static func emptied(_ open: Int32, path: String) throws(AudioError) -> Int32 {
        let own = fcntl(open, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .uncreatable(path: path, reason: .system(.current)) }
        guard ftruncate(own, 0) == 0, lseek(own, 0, SEEK_SET) == 0 else {
            let error = SystemError.current
            close(own)
            throw .uncreatable(path: path, reason: .system(error))
        }
        return own
    }

    /// Follows a symbolic link to the file it stands for; refuses folders, devices and pipes, which a rename would
    /// replace or fail on.
    private static func resolved(_ path: String) throws(AudioError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .uncreatable(path: path, reason: "this is no file name")
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw .uncreatable(path: path, reason: .system(.current)) }
            return path
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .uncreatable(path: path, reason: "it is a folder")
        default: throw .uncreatable(path: path, reason: "it is no regular file; write to standard output instead")
        }
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    func write(_ bytes: borrowing Span<UInt8>) throws(AudioError) { try writeAll(bytes, to: raw, name: path) }

    func write(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(AudioError) {
        try writeAll(bytes, at: offset, to: raw, name: path)
    }

    func truncate(to size: Int) throws(AudioError) {
        guard ftruncate(raw, size) == 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
    }

    /// Sends what was written to the disk, so that less is left for the end.
    func flush() throws(AudioError) {
        guard fdatasync(raw) == 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
    }

    /// Makes the file appear under its name, with all it holds on the disk, and finds its digest while the disk is busy.
    ///
    /// - Returns: its SHA-256 in hexadecimal.
    consuming func commitHashed() throws(AudioError) -> String {
        let (raw, name) = (raw, path)
        let digest = Monitor(Result<String, FileError>.failure(FileError(path: name, number: ECANCELED)))
        let hashing = try ScopedThreads(1) {
            let found = Result { () throws(FileError) in
                try FileDigest.reading(open: raw, name: name, isUnwanted: { false }).sha256
            }
            digest.access { $0 = found }
        }
        let outcome = Result { () throws(AudioError) in try appear(.bytesAndName) }
        _ = consume hashing  // joined here, with the file still open
        try outcome.get()
        do throws(FileError) { return try digest.access { $0 }.get() } catch { throw AudioError(error) }
    }

    /// Makes the file appear under its name, for somebody to move on.
    ///
    /// - Parameter flushing: only once all it holds is on the disk.
    consuming func commit(flushing: Bool) throws(AudioError) { try appear(flushing ? .bytes : .nothing) }

    private func appear(_ durability: AtomicFile.Durability) throws(AudioError) {
        switch target {
        case .borrowed(let file):
            guard durability == .nothing || fsync(file.raw) == 0 else {
                throw .inputOutput(path: path, reason: .system(.current))
            }
        case .own(let file):
            // Much may have happened since the beginning of a draft.
            if isNameless, try Self.resolved(path) != path {
                throw .uncreatable(path: path, reason: "it has become something else")
            }
            do throws(FileError) { try file.appear(durability: durability) } catch {
                if error.isFull || error.number == EIO { throw AudioError(error) }
                throw .uncreatable(path: path, reason: .system(error.error))
            }
        }
    }
}
