internal import ChirpFiles
internal import Glibc

/// Reads a tar archive from its start to its end, member by member. The file may be anything; nothing that it says is believed
/// beyond what it holds.
struct TapeReader: ~Copyable {
    private let file: OpenFile
    private let path: String
    private var offset: Int64 = 0

    /// - Throws: ``BackupError/unreadable(path:reason:)`` for what is no regular file, too.
    init(_ path: String) throws(BackupError) {
        let opened = try Self.open(path)
        var facts = stat()
        guard fstat(opened.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is no regular file")
        }
        file = opened
        self.path = path
    }

    private static func open(_ path: String) throws(BackupError) -> OpenFile {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        do throws(FileError) { return try OpenFile(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY) } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
    }

    /// The next member's header, or nil at the end: two blocks of zeros and nothing behind them.
    mutating func next() throws(BackupError) -> TapeHeader? {
        let block = try block()
        guard block.allSatisfy({ $0 == 0 }) else {
            guard let header = TapeHeader(block) else {
                throw failure(offset == 512 ? "it is no archive that Chirp wrote" : "a header in it is damaged")
            }
            return header
        }
        guard try self.block().allSatisfy({ $0 == 0 }) else { throw failure("its end is damaged") }
        var one: UInt8 = 0
        guard pread(file.raw, &one, 1, off_t(offset)) == 0 else { throw failure("something follows its end") }
        return nil
    }

    /// Reads the content of the member whose header was read last.
    mutating func content(
        of header: TapeHeader, each: (UnsafeRawBufferPointer) throws(BackupError) -> Void
    ) throws(BackupError) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var rest = header.bytes
        while rest > 0 {
            guard !Task.isCancelled else { throw .cancelled }
            let count = try read(&piece, count: Int(min(rest, Int64(piece.count))))
            try piece.withUnsafeBufferPointer { (bytes) throws(BackupError) in
                try each(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
            }
            rest -= Int64(count)
        }
        offset += Int64(TapeHeader.padding(after: header.bytes))
    }

    /// Something about the file that no backup has.
    func failure(_ reason: String) -> BackupError { .noBackup(path: path, reason: reason) }

    private mutating func block() throws(BackupError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: TapeHeader.blockBytes)
        var piece = block
        var done = 0
        while done < block.count {
            let count = try read(&piece, count: block.count - done)
            block.replaceSubrange(done..<done + count, with: piece[..<count])
            done += count
        }
        return block
    }

    /// Reads some bytes, 1 at least and `count` at most.
    private mutating func read(_ bytes: inout [UInt8], count: Int) throws(BackupError) -> Int {
        while true {
            let got = pread(file.raw, &bytes, count, off_t(offset))
            if got > 0 {
                offset += Int64(got)
                return got
            }
            guard got != 0 else { throw failure("it ends too early") }
            guard errno == EINTR else { throw .inputOutput(path: path, reason: SystemError.current.description) }
        }
    }
}
