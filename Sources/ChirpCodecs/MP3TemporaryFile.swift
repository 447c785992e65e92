internal import ChirpAudio
internal import Glibc

/// A file that appears under its name only when it is whole: written under another name in the same folder, flushed to the
/// disk and renamed. Dropped before that, it is removed.
struct MP3TemporaryFile: ~Copyable {
    private let descriptor: MP3Descriptor
    private let path: String
    private let temporary: String
    private var isCommitted = false

    /// - Throws: ``AudioError/uncreatable(path:reason:)``, also when something that is no regular file has the name.
    init(path: String) throws(AudioError) {
        let target = try Self.resolved(path)
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        var generator = SystemRandomNumberGenerator()
        let mark = String(generator.next(), radix: 16)
        let temporary = "\(folder)/.chirp-\(mark).part"
        let raw = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard raw >= 0 else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        descriptor = MP3Descriptor(adopting: raw)
        self.path = target
        self.temporary = temporary
    }

    deinit {
        if !isCommitted { unlink(temporary) }
    }

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

    /// Makes the file appear under its name, with all it holds on the disk.
    consuming func commit() throws(AudioError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try commit(flushing: true)
        // The name is on the disk when the folder is. Not all file systems can do that; the file itself is safe.
        let raw = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if raw >= 0 {
            let folder = MP3Descriptor(adopting: raw)
            fsync(folder.raw)
        }
    }

    /// Makes the file appear under its name, for somebody to move on.
    ///
    /// - Parameter flushing: only once all it holds is on the disk.
    consuming func commit(flushing: Bool) throws(AudioError) {
        if flushing {
            guard fsync(descriptor.raw) == 0 else { throw .inputOutput(path: path, reason: systemReason(errno)) }
        }
        guard rename(temporary, path) == 0 else { throw .uncreatable(path: path, reason: systemReason(errno)) }
        isCommitted = true
    }
}
