internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A regular file, open for reading; closed with the last reference. Reads name their offset, so that a decoder and the
/// tag reader can share it.
final class InputFile: Sendable {
    let descriptor: Int32
    /// What the user calls it.
    let name: String
    let path: String
    /// In bytes, when it was opened; at most ``UntrustedSize/limit``.
    let size: Int

    /// - Throws: `missing` when there is no such file, it may not be read, or it is no regular file; `unsupported` when it is
    ///   larger than any recording.
    init(opening path: String, name: String) throws(AudioError) {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor =
            openDescriptor(namedBy: path).map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
            ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .missing(path: path, reason: .system(.current)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .missing(path: path, reason: .system(SystemError(code: code)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .missing(
                path: path,
                reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is not a regular file")
        }
        guard let size = UntrustedSize.exactly(status.st_size) else {
            close(descriptor)
            throw .unsupported(name: name, reason: "it claims to have \(status.st_size) bytes")
        }
        self.descriptor = descriptor
        self.name = name
        self.path = path
        self.size = size
    }

    deinit { close(descriptor) }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: the bytes read; less than asked for only at the end of the file.
    /// - Throws: `inputOutput`, or `cancelled` when the task is.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
        guard !Task.isCancelled else { throw .cancelled }
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            let count = pread(descriptor, base + filled, buffer.count - filled, off_t(offset + filled))
            if count > 0 {
                filled += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw .inputOutput(path: path, reason: .system(.current))
            }
        }
        return filled
    }

    /// The bytes at an offset, as many as there are up to `count`.
    func bytes(at offset: Int, count: Int) throws(AudioError) -> [UInt8] {
        let available = max(0, min(count, size - offset))
        guard offset >= 0, available > 0 else { return [] }
        var result = [UInt8](repeating: 0, count: available)
        let outcome = result.withUnsafeMutableBytes { bytes in
            Result { () throws(AudioError) in try self.read(at: offset, into: bytes) }
        }
        let read = try outcome.get()
        result.removeLast(available - read)
        return result
    }
}

extension [UInt8] {
    /// Two bytes, the low one first. The caller has checked that they are there.
    func littleEndian16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    /// Four bytes, the lowest first.
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }

    /// Eight bytes, the lowest first.
    func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian32(at: offset)) | UInt64(littleEndian32(at: offset + 4)) << 32
    }

    /// Up to four bytes from an offset, the highest first.
    func bigEndian(at offset: Int, bytes: Int) -> UInt32 {
        self[offset..<offset + bytes].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
