internal import ChirpAudio
internal import Glibc

/// A file that appears under its name only when it is whole: written under another name in the same folder or under none,
/// flushed to the disk and renamed. Dropped before that, it is removed.
///
/// Under `/proc/self/fd/7` it is written into a file that is open already and belongs to somebody else, who gives it its name.
struct MP3TemporaryFile: ~Copyable {
    private let descriptor: MP3Descriptor
    private let path: String
    /// Nil while it has no name.
    private let temporary: String?
    private let isBorrowed: Bool
    private var isCommitted = false

    /// - Parameter isNameless: nothing is left of it even if the process is killed. Not all file systems can do that.
    /// - Throws: ``AudioError/uncreatable(path:reason:)``, also when something that is no regular file has the name.
    init(path: String, isNameless: Bool = false) throws(AudioError) {
        if let open = openDescriptor(namedBy: path) {
            descriptor = MP3Descriptor(adopting: try Self.emptied(open, path: path))
            (self.path, temporary, isBorrowed) = (path, nil, true)
            return
        }
        let target = try Self.resolved(path)
        let temporary = isNameless ? nil : Self.temporary(beside: target)
        let raw =
            temporary.map { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            ?? open(Self.folder(of: target), O_RDWR | Self.nameless | O_CLOEXEC, 0o666)
        guard raw >= 0 else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        let descriptor = MP3Descriptor(adopting: raw)
        // A nameless file gets its name by way of /proc.
        guard !isNameless || access(Self.proc(raw), F_OK) == 0 else {
            throw .uncreatable(path: path, reason: systemReason(errno))
        }
        self.descriptor = descriptor
        self.path = target
        self.temporary = temporary
        isBorrowed = false
    }

    /// A further descriptor of an open file, which holds nothing any more.
    private static func emptied(_ open: Int32, path: String) throws(AudioError) -> Int32 {
        let own = fcntl(open, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        guard ftruncate(own, 0) == 0, lseek(own, 0, SEEK_SET) == 0 else {
            let code = errno
            close(own)
            throw .uncreatable(path: path, reason: systemReason(code))
        }
        return own
    }

    deinit {
        if !isCommitted, let temporary { unlink(temporary) }
    }

    /// `O_TMPFILE` of Linux, which the headers hide: a bit of its own (asm-generic/fcntl.h), and that of a folder.
    private static let nameless = 0o20000000 | O_DIRECTORY

    private static func folder(of path: String) -> String {
        let slash = path.lastIndex(of: "/")
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static func temporary(beside path: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let mark = String(generator.next(), radix: 16)
        return "\(folder(of: path))/.chirp-\(mark).part"
    }

    /// Where it can be read before it has its name.
    var readablePath: String { temporary ?? Self.proc(descriptor.raw) }

    private static func proc(_ raw: Int32) -> String { "/proc/self/fd/\(raw)" }

    /// Follows a symbolic link to the file it stands for; refuses folders, devices and pipes, which a rename would
    /// replace or fail on.
    private static func resolved(_ path: String) throws(AudioError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .uncreatable(path: path, reason: "this is no file name")
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw .uncreatable(path: path, reason: systemReason(errno)) }
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

    func write(_ bytes: borrowing Span<UInt8>) throws(AudioError) {
        try writeAll(bytes, to: descriptor.raw, name: path)
    }

    func write(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(AudioError) {
        try writeAll(bytes, at: offset, to: descriptor.raw, name: path)
    }

    func truncate(to size: Int) throws(AudioError) {
        guard ftruncate(descriptor.raw, size) == 0 else {
            throw .inputOutput(path: path, reason: systemReason(errno))
        }
    }

    /// Sends what was written to the disk, so that less is left for the end.
    func flush() throws(AudioError) {
        guard fdatasync(descriptor.raw) == 0 else { throw .inputOutput(path: path, reason: systemReason(errno)) }
    }

    /// Makes the file appear under its name, with all it holds on the disk, and finds its digest while the disk is busy.
    ///
    /// - Returns: its SHA-256 in hexadecimal.
    consuming func commitHashed() throws(AudioError) -> String {
        let (raw, name) = (descriptor.raw, path)
        let digest = ParallelMonitor(Result<String, AudioError>.failure(.cancelled))
        let hashing = try JoinedThreads(1) {
            let found = Result { () throws(AudioError) in try hashOpenFile(raw, name: name).sha256 }
            digest.access { $0 = found }
        }
        let outcome = Result { () throws(AudioError) in
            try appear(flushing: true)
            flushFolder()
        }
        _ = consume hashing  // joined here, with the file still open
        try outcome.get()
        isCommitted = true
        return try digest.access { $0 }.get()
    }

    /// Makes the file appear under its name, for somebody to move on.
    ///
    /// - Parameter flushing: only once all it holds is on the disk.
    consuming func commit(flushing: Bool) throws(AudioError) {
        try appear(flushing: flushing)
        isCommitted = true
    }

    private func appear(flushing: Bool) throws(AudioError) {
        if flushing {
            guard fsync(descriptor.raw) == 0 else { throw .inputOutput(path: path, reason: systemReason(errno)) }
        }
        guard !isBorrowed else { return }
        guard let temporary else { return try link() }
        guard rename(temporary, path) == 0 else { throw .uncreatable(path: path, reason: systemReason(errno)) }
    }

    /// The name is on the disk when the folder is. Not all file systems can do that; the file itself is safe.
    private func flushFolder() {
        guard !isBorrowed else { return }
        let raw = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { return }
        let folder = MP3Descriptor(adopting: raw)
        fsync(folder.raw)
    }

    /// Gives a nameless file its name; a file that has it already is replaced in one step.
    private func link() throws(AudioError) {
        func link(_ name: String) -> Bool {
            linkat(AT_FDCWD, readablePath, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
        }
        guard !link(path) else { return }
        guard errno == EEXIST else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        // Much may have happened since the beginning.
        guard try Self.resolved(path) == path else {
            throw .uncreatable(path: path, reason: "it has become something else")
        }
        let temporary = Self.temporary(beside: path)
        guard link(temporary) else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .uncreatable(path: path, reason: systemReason(code))
        }
    }
}
