internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// Bytes that wait for what must come before them: in memory, and from a limit on in a file without a name.
struct MP3Spool: ~Copyable {
    private var memory: [UInt8] = []
    private var overflow: OpenFile?
    private var overflowBytes = 0
    private let folder: String
    private let limit: Int

    /// - Parameters:
    ///   - folder: for the file, when one is needed.
    ///   - limit: bytes kept in memory.
    init(folder: String, limit: Int = 4 << 20) {
        self.folder = folder
        self.limit = limit
    }

    mutating func add(_ bytes: borrowing Span<UInt8>) throws(AudioError) {
        if memory.count + bytes.count <= limit, overflowBytes == 0 {
            bytes.withUnsafeBufferPointer { memory.append(contentsOf: $0) }
            return
        }
        if overflow == nil { overflow = try Self.nameless(in: folder) }
        let raw = overflow?.raw ?? -1
        try writeAll(bytes, to: raw, name: folder)
        overflowBytes += bytes.count
    }

    private static func nameless(in folder: String) throws(AudioError) -> OpenFile {
        var template = Array("\(folder)/.chirp-XXXXXX".utf8CString)
        let raw = mkstemp(&template)
        guard raw >= 0 else { throw .uncreatable(path: folder, reason: .system(.current)) }
        unlink(template)
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
        return OpenFile(adopting: raw)
    }

    /// Some of what came.
    ///
    /// - Parameter offset: counted from the first byte; so many bytes are there from it on.
    mutating func read(_ count: Int, at offset: Int) throws(AudioError) -> [UInt8] {
        precondition(offset >= 0 && count >= 0 && offset + count <= memory.count + overflowBytes)
        var bytes = Array(memory[min(offset, memory.count)..<min(offset + count, memory.count)])
        guard bytes.count < count else { return bytes }
        var done = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count - done))
        let raw = overflow?.raw ?? -1
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    raw, buffer.baseAddress?.advanced(by: done), count - done, offset + done - memory.count)
            }
            let code = errno
            if got < 0, code == EINTR { continue }
            guard got > 0 else {
                throw .inputOutput(
                    path: folder, reason: got == 0 ? "it became shorter" : .system(SystemError(code: code)))
            }
            done += got
        }
        return bytes
    }
}
