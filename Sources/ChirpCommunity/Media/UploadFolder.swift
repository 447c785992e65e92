internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// The folder that holds what is being received: one file per upload, for the owner of the process alone.
///
/// A file grows at its end and is never changed before it. Its size is how much was received, so no number elsewhere can be wrong
/// about it: a process that is killed loses at most the bytes that it had not written. Whoever answers a sender has flushed the
/// file first; what the system writes by itself before a power cut grows the file only by what is on the disk.
///
/// Every function blocks, so it is called off the cooperative pool.
package struct UploadFolder: Sendable {
    let path: String

    /// Where an upload lies. An ``HubID`` holds nothing but letters and digits, so the path cannot leave the folder.
    package func file(_ id: HubID) -> String { "\(path)/\(id.text)" }

    /// Makes the empty file, and its name lasting.
    func make(_ id: HubID) throws(LibraryError) {
        do throws(FileError) {
            _ = try OpenFile(file(id), flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            let folder = try OpenFile(path, flags: O_RDONLY | O_DIRECTORY)
            guard fsync(folder.raw) == 0 else { throw FileError(path: path) }
        } catch {
            throw Self.failure(error)
        }
    }

    /// How much was received; nil when there is no such file.
    package func size(of id: HubID) -> Int64? {
        var facts = stat()
        guard lstat(file(id), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(facts.st_size)
    }

    /// Opens a file to write on at an offset; what stood behind it is cut off.
    ///
    /// - Throws: `busy` while another process that serves the library writes on it.
    func open(_ id: HubID, at offset: Int64) throws(LibraryError) -> UploadFile {
        do throws(FileError) {
            let file = try OpenFile(file(id), flags: O_WRONLY | O_NOFOLLOW)
            guard isAlone(with: file) else { throw FileError(path: self.file(id), number: EWOULDBLOCK) }
            guard ftruncate(file.raw, off_t(offset)) == 0, lseek(file.raw, off_t(offset), SEEK_SET) == off_t(offset)
            else {
                throw FileError(path: self.file(id))
            }
            return UploadFile(file, path: self.file(id), offset: offset)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Takes the lock that ends with the open file. Within a process requests take turns, and the file of the one before is about to be closed.
    private func isAlone(with file: borrowing OpenFile) -> Bool {
        for _ in 0..<20 {
            if flock(file.raw, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(50_000)
        }
        return false
    }

    /// Removes a file; there may be none.
    package func remove(_ id: HubID) { unlink(file(id)) }

    /// Files last written before an instant.
    func files(writtenBefore limit: Date) throws(LibraryError) -> [HubID] {
        let names: [String]
        do throws(FileError) { names = try FolderListing(path).names } catch {
            throw .inputOutput(path: path, reason: "cannot be listed")
        }
        return names.compactMap { name -> HubID? in
            var facts = stat()
            guard let id = HubID(name), lstat(file(id), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
                Double(facts.st_mtim.tv_sec) < limit.timeIntervalSince1970
            else { return nil }
            return id
        }
    }

    static func failure(_ error: FileError) -> LibraryError {
        if error.number == EWOULDBLOCK { return .busy(path: error.path) }
        return error.isFull ? .noSpace(path: error.path) : .inputOutput(path: error.path, reason: error.reason)
    }
}

/// The open end of an upload. Whoever has it, has it alone. Closed with the last reference.
package final class UploadFile: Sendable {
    private let file: OpenFile
    private let path: String
    /// Where writing began.
    package let offset: Int64

    init(_ file: consuming OpenFile, path: String, offset: Int64) {
        self.file = file
        self.path = path
        self.offset = offset
    }

    /// Adds bytes. What a full disk takes of them stays. Blocks.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(LibraryError) {
        do throws(FileError) { try file.write(bytes, name: path) } catch { throw UploadFolder.failure(error) }
    }

    /// Has the system begin to write a stretch to the disk, so that ``flush()`` waits for little. Does not block for the disk.
    package func hurry(from offset: Int64, count: Int64) {
        posix_fadvise(file.raw, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    }

    /// Waits until everything is on the disk. Blocks.
    package func flush() throws(LibraryError) {
        guard fdatasync(file.raw) == 0 else { throw UploadFolder.failure(FileError(path: path)) }
    }

    /// Nothing more is written: others may.
    package func end() { flock(file.raw, LOCK_UN) }

    /// Cuts off what was written here. Blocks.
    package func drop() throws(LibraryError) {
        guard ftruncate(file.raw, off_t(offset)) == 0, fsync(file.raw) == 0 else {
            throw UploadFolder.failure(FileError(path: path))
        }
    }
}
