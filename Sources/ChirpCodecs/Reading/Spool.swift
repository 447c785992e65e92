public import ChirpAudio
public import ChirpCore
internal import ChirpFiles
internal import Glibc

/// Reads a whole pipe into a temporary file, because analysis and rendering each need to read it.
///
/// Blocking; looks at `Task.isCancelled` at least five times a second, also while nothing arrives. Memory is one buffer.
///
/// - Parameters:
///   - descriptor: where to read from, up to its end; it stays open.
///   - folder: exists and is writable. The file is readable by its owner only.
///   - limit: the most that is accepted.
///   - name: what the user calls the input, for messages.
///   - lasts: whether the copy must outlive a power cut; it is then on the disk with its name when this returns.
/// - Throws: `uncreatable`, `inputOutput` (full disk), `unsupported` (more than the limit), `undecodable` (nothing came),
///   `cancelled`. The file is then removed.
public func spool(
    from descriptor: Int32, into folder: String, limit: ByteCount, name: String = "standard input",
    lasts: Bool = false
) throws(AudioError) -> SpooledInput {
    var template = Array("\(folder)/chirp-input-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw .uncreatable(path: folder, reason: .system(.current)) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { close(file) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    do throws(AudioError) {
        var content = FileDigest.Running()
        try readAll(descriptor, path: name) { (bytes) throws(AudioError) in
            content.add(bytes)
            guard content.bytes <= limit.bytes else {
                throw .unsupported(name: name, reason: "it is larger than \(limit)")
            }
            try writeAll(bytes, to: file, path: path)
        }
        let digest = content.digest
        guard digest.bytes > 0 else { throw .undecodable(name: name, reason: "it is empty (0 bytes)") }
        if lasts { try flush(file, path: path, folder: folder) }
        return SpooledInput(
            path: path, sha256: digest.sha256, size: ByteCount(digest.bytes), isTemporary: true)
    } catch {
        unlink(path)
        throw error
    }
}

/// Makes any path readable twice: a regular file is hashed where it is; a named pipe, `/dev/stdin` and the like are
/// spooled as ``spool(from:into:limit:name:)`` does.
///
/// - Parameters:
///   - digests: false leaves out the digest of a regular file, which is then empty.
///   - lasts: as for `spool`.
/// - Throws: as `spool`, and `missing` when there is no such file, it may not be read, or it is a directory, a device (which may
///   have no end) or a socket.
public func takeInput(
    at path: String, spoolingInto folder: String, limit: ByteCount, digests: Bool = true, lasts: Bool = false
) throws(AudioError) -> SpooledInput {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .missing(path: path, reason: .system(.current)) }
    guard status.st_mode & S_IFMT != S_IFREG else {
        return digests ? try hashFile(path) : try sizeFile(path)
    }
    if let reason = reasonAgainst(status.st_mode) { throw .missing(path: path, reason: reason) }
    // Not waiting for a pipe's writer here but where a cancelled task is noticed: Linux reports the end of a named pipe
    // only after a writer has come and gone (poll(2), POLLHUP).
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .missing(path: path, reason: .system(.current)) }
    defer { close(descriptor) }
    return try spool(from: descriptor, into: folder, limit: limit, name: path, lasts: lasts)
}

/// Why what has this mode (inode(7)) is no recording; nil for files and pipes.
private func reasonAgainst(_ mode: mode_t) -> FailureReason? {
    switch mode & S_IFMT {
    case S_IFDIR: "it is a directory"
    case S_IFCHR, S_IFBLK: "it is a device"
    case S_IFSOCK: "it is a socket"
    default: nil
    }
}

/// The bytes of a file and its name, on the disk for good.
private func flush(_ file: Int32, path: String, folder: String) throws(AudioError) {
    guard fsync(file) == 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
    do throws(FileError) { try AtomicFile.flush(folder: folder) } catch { throw AudioError(error) }
}

/// The digest and size of a regular file.
///
/// - Parameter isUnwanted: asked now and then; true ends it with `cancelled`.
/// - Throws: `missing`, `inputOutput`, `cancelled`.
public func hashFile(
    _ path: String, isUnwanted: () -> Bool = { Task.isCancelled }
) throws(AudioError) -> SpooledInput {
    let file = try InputFile(opening: path, name: path)
    do throws(FileError) {
        let found = try FileDigest.reading(open: file.descriptor, name: path, isUnwanted: isUnwanted)
        return SpooledInput(path: path, sha256: found.sha256, size: ByteCount(found.bytes), isTemporary: false)
    } catch {
        throw AudioError(error)
    }
}

/// The size of a regular file, without its digest.
///
/// - Throws: `missing`.
public func sizeFile(_ path: String) throws(AudioError) -> SpooledInput {
    let file = try InputFile(opening: path, name: path)
    return SpooledInput(path: path, sha256: "", size: ByteCount(file.size), isTemporary: false)
}

/// Hands over everything up to the end, piece by piece.
private func readAll(
    _ descriptor: Int32, path: String, _ body: (UnsafeRawBufferPointer) throws(AudioError) -> Void
) throws(AudioError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
        guard !Task.isCancelled else { throw .cancelled }
        // Wait with an end, so that a pipe without a writer does not outlive its cancelled task. Files are always ready.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let events = poll(&ready, 1, 200)
        if events == 0 || events < 0 && errno == EINTR { continue }
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            return
        } else if errno != EINTR && errno != EAGAIN {
            throw .inputOutput(path: path, reason: .system(.current))
        }
    }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(AudioError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
        let count = write(descriptor, base, rest.count)
        if count >= 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno != EINTR {
            throw .inputOutput(path: path, reason: .system(.current))
        }
    }
}

/// An input as a regular file, and the digest of all its bytes.
public struct SpooledInput: Hashable, Sendable {
    public let path: String
    /// Lower-case hexadecimal SHA-256 of the whole file.
    public let sha256: String
    public let size: ByteCount
    /// It was made for this input; whoever asked for it removes it.
    public let isTemporary: Bool

    public init(path: String, sha256: String, size: ByteCount, isTemporary: Bool) {
        self.path = path
        self.sha256 = sha256
        self.size = size
        self.isTemporary = isTemporary
    }
}
