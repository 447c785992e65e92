internal import ChirpCore
internal import Crypto
internal import FoundationEssentials
internal import Glibc

/// The folder that holds the bytes of clips: one file per clip, whole or not there.
///
/// Every function blocks, so it is called off the cooperative pool.
package struct MediaFolder: Sendable {
    let path: String

    /// How much is copied at a time; memory does not depend on the size of a clip.
    private static let block = 1 << 18

    /// Where a clip lies. An ``HubID`` holds nothing but letters and digits, so the path cannot leave the folder.
    package func file(_ id: HubID) -> String { "\(path)/\(id.text).mp3" }

    /// Makes a folder and those above it, for the owner alone.
    static func make(_ path: String) throws(LibraryError) {
        var sofar = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            sofar += part
            if mkdir(sofar, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                throw .unusableFolder(path: path, reason: reason())
            }
            sofar += "/"
        }
    }

    /// Free bytes of the disk for this user, as far as the system tells.
    func freeBytes() throws(LibraryError) -> ByteCount {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { throw .inputOutput(path: path, reason: Self.reason()) }
        return ByteCount(blocks: UInt64(facts.f_bavail), of: UInt64(facts.f_frsize))
    }

    /// The size of a clip's file, or nil when there is none.
    package func size(of id: HubID) -> Int64? { OpenFile.open(file(id))?.size }

    /// Copies a file in: into a temporary one beside the goal, written through to the disk, then renamed.
    ///
    /// - Parameters:
    ///   - bytes: the size the file must have.
    ///   - sha256: what its bytes must hash to, in lower-case hexadecimal.
    package func take(_ source: String, as id: HubID, bytes: Int64, sha256: String) throws(LibraryError) {
        let temporary = "\(path)/.\(id.text).\(HubID().text)"
        do throws(LibraryError) {
            let found = try Self.copy(source, to: temporary, hashing: true)
            guard found.bytes == bytes, found.sha256 == sha256 else {
                throw .inputOutput(path: source, reason: "the file is not the one that was announced")
            }
            guard rename(temporary, file(id)) == 0 else { throw .inputOutput(path: file(id), reason: Self.reason()) }
            try syncFolder(path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Copies a clip out to a path where nothing may be; it appears there only when whole.
    package func give(_ id: HubID, to goal: String) throws(LibraryError) {
        let temporary = "\(goal).\(HubID().text)"
        do throws(LibraryError) {
            _ = try Self.copy(file(id), to: temporary, hashing: false)
            // Unlike rename, link never replaces what is there.
            guard link(temporary, goal) == 0 else { throw .inputOutput(path: goal, reason: Self.reason()) }
            unlink(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes a clip's file; there may be none.
    func remove(_ id: HubID) throws(LibraryError) {
        guard unlink(file(id)) == 0 || errno == ENOENT else {
            throw .inputOutput(path: file(id), reason: Self.reason())
        }
    }

    /// Files last written before an instant that are either temporary or named like a clip.
    func files(writtenBefore limit: Date) throws(LibraryError) -> (clips: [HubID], temporary: [String]) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw .inputOutput(path: path, reason: "cannot be listed")
        }
        var clips: [HubID] = []
        var temporary: [String] = []
        for name in names {
            guard let facts = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"),
                facts[.type] as? FileAttributeType == .typeRegular,
                let written = facts[.modificationDate] as? Date, written < limit
            else { continue }
            if name.hasSuffix(".mp3"), let id = HubID(name.dropLast(4)) {
                clips.append(id)
            } else if name.hasPrefix("."), HubID(name.dropFirst().prefix(HubID.length)) != nil {
                temporary.append("\(path)/\(name)")
            }
        }
        return (clips, temporary)
    }

    /// Removes one of the temporary files that ``files(writtenBefore:)`` found.
    func removeTemporary(_ path: String) { unlink(path) }

    private func syncFolder(_ path: String) throws(LibraryError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .inputOutput(path: path, reason: Self.reason()) }
        defer { close(folder) }
        // Some file systems cannot do this and say EINVAL; their renames need no help.
        guard fsync(folder) == 0 || errno == EINVAL else { throw .inputOutput(path: path, reason: Self.reason()) }
    }

    private static func copy(
        _ source: String, to goal: String, hashing: Bool
    ) throws(LibraryError) -> (bytes: Int64, sha256: String) {
        // A pipe in the place of a file would keep the reader waiting.
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else { throw .inputOutput(path: source, reason: reason()) }
        defer { close(input) }
        var facts = stat()
        guard fstat(input, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .inputOutput(path: source, reason: "it is no file")
        }
        let output = open(goal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure(goal) }
        defer { close(output) }

        var hash = SHA256()
        var total: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: block)
        while true {
            if Task.isCancelled { throw .cancelled }
            let got = read(input, &buffer, block)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .inputOutput(path: source, reason: reason()) }
            if got == 0 { break }
            if hashing { hash.update(data: buffer[..<got]) }
            var written = 0
            while written < got {
                let count = buffer.withUnsafeBytes { bytes in
                    write(output, UnsafeRawBufferPointer(rebasing: bytes[written..<got]).baseAddress, got - written)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure(goal) }
                written += count
            }
            total += Int64(got)
        }
        guard fsync(output) == 0 else { throw failure(goal) }
        return (total, hexadecimal(hash.finalize()))
    }

    private static func failure(_ path: String) -> LibraryError {
        errno == ENOSPC || errno == EDQUOT ? .noSpace(path: path) : .inputOutput(path: path, reason: reason())
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// Lower-case hexadecimal.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
