internal import ChirpFiles
internal import Glibc

/// Writes a tar archive, which appears under its name whole and on the disk, or not at all.
///
/// The first member may be filled in at the end, so that it can tell of all others and nothing is read twice.
struct TapeWriter: ~Copyable {
    private let file: AtomicFile
    private let path: String
    private let time: Int64

    /// - Parameters:
    ///   - path: where it is to appear, readable by its owner alone.
    ///   - time: when its members were written, in seconds since 1970.
    init(_ path: String, time: Int64) throws(FileError) {
        file = try AtomicFile.create(at: path)
        self.path = path
        self.time = time
    }

    /// Leaves room for the first member, which ``fill(_:)`` writes.
    func reserve(_ name: String, bytes: Int) throws(FileError) {
        try file.write(TapeHeader(name: name, bytes: Int64(bytes), time: time).block)
        let blank = [UInt8](repeating: 0, count: 1 << 16)
        var rest = bytes + TapeHeader.padding(after: Int64(bytes))
        while rest > 0 {
            let count = min(rest, blank.count)
            try file.write(Array(blank[..<count]))
            rest -= count
        }
    }

    /// Adds an open file's content.
    ///
    /// - Parameters:
    ///   - descriptor: of a regular file.
    ///   - bytes: its size.
    ///   - source: its path, for errors.
    ///   - each: told the size of every piece.
    /// - Throws: `EIO` when the file is found to be of another size.
    func add(
        _ name: String, open descriptor: Int32, bytes: Int64, source: String, each: (Int) -> Void
    ) throws(FileError) -> FileDigest {
        try file.write(TapeHeader(name: name, bytes: bytes, time: time).block)
        var running = FileDigest.Running()
        try FileContent.read(open: descriptor, name: source, limit: bytes) { (piece) throws(FileError) in
            running.add(piece)
            try file.write(piece)
            each(piece.count)
        }
        guard running.bytes == bytes else { throw FileError(path: source, number: EIO) }
        try file.write([UInt8](repeating: 0, count: TapeHeader.padding(after: bytes)))
        return running.digest
    }

    /// Writes the content of the first member.
    func fill(_ bytes: [UInt8]) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file.file.raw, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(512 + done))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: path)
            }
            done += count
        }
    }

    /// Ends the archive and lets it appear; a file of its name is replaced.
    func finish() throws(FileError) {
        try file.write([UInt8](repeating: 0, count: 2 * TapeHeader.blockBytes))
        try file.appear()
    }
}
