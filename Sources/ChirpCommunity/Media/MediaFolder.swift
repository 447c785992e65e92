internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// The folder that holds the bytes of clips: one file per clip, whole or not there.
///
/// Every function blocks, so it is called off the cooperative pool.
package struct MediaFolder: Sendable {
    let path: String

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
    package func size(of id: HubID) -> Int64? { MediaFile(file(id))?.size }

    /// Copies a file in; it appears only when it is whole and the one that was announced.
    ///
    /// - Parameters:
    ///   - bytes: the size the file must have.
    ///   - sha256: what its bytes must hash to, in lower-case hexadecimal.
    package func take(_ source: String, as id: HubID, bytes: Int64, sha256: String) throws(LibraryError) {
        do throws(FileError) {
            let copy = try AtomicFile.create(at: file(id))
            let found = try FileDigest.reading(
                source, each: { (piece) throws(FileError) in try copy.write(piece) })
            if found.bytes == bytes, found.sha256 == sha256 { return try copy.commit() }
        } catch {
            throw Self.failure(error, source: source)
        }
        throw .inputOutput(path: source, reason: "the file is not the one that was announced")
    }

    /// Copies a clip out to a path where nothing may be; it appears there only when whole.
    package func give(_ id: HubID, to goal: String) throws(LibraryError) {
        do throws(FileError) {
            let copy = try AtomicFile.create(at: goal)
            try FileContent.read(file(id)) { (piece) throws(FileError) in try copy.write(piece) }
            try copy.commit(replacing: false)
        } catch {
            throw Self.failure(error, source: file(id))
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
            } else if AtomicFile.isTemporary(name)
                // As earlier releases named them.
                || name.hasPrefix(".") && HubID(name.dropFirst().prefix(HubID.length)) != nil
            {
                temporary.append("\(path)/\(name)")
            }
        }
        return (clips, temporary)
    }

    /// Removes one of the temporary files that ``files(writtenBefore:)`` found.
    func removeTemporary(_ path: String) { unlink(path) }

    private static func failure(_ error: FileError, source: String) -> LibraryError {
        if error.isCancellation { return .cancelled }
        if error.isFull { return .noSpace(path: error.path) }
        let isOdd = error.number == EINVAL && error.path == source
        return .inputOutput(path: error.path, reason: isOdd ? "it is no file" : error.reason)
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
