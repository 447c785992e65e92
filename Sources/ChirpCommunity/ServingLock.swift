internal import ChirpFiles
internal import Glibc
internal import Synchronization

/// The right to serve a library: of one process alone, or of several that know of one another. Whoever only reads or publishes needs none.
///
/// It is a lock (`flock`) on a file in the library's folder, so it ends with its process however that ends.
package final class ServingLock: Sendable {
    /// The file in the library's folder. Its content means nothing.
    static let name = "serving.lock"
    private let file: OpenFile

    /// - Parameters:
    ///   - folder: the library's, which exists.
    ///   - isShared: others may serve it too, if they say the same.
    /// - Returns: nil when another server keeps this one out, in this process too.
    package init?(folder: String, isShared: Bool = false) throws(LibraryError) {
        file = try LockFile.open(Self.name, in: folder)
        guard try LockFile.take(file, isShared ? LOCK_SH : LOCK_EX, in: folder) else { return nil }
    }

    /// Gives it back before the last reference goes.
    package func end() { flock(file.raw, LOCK_UN) }

    /// Whether somebody serves the library of a folder, which need not exist. Makes nothing.
    static func isHeld(in folder: String) -> Bool {
        guard let file = try? OpenFile("\(folder)/\(name)", flags: O_RDWR | O_NOFOLLOW) else { return false }
        return flock(file.raw, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

/// The right of one among the processes that serve a library to do what is done once for all of them: letters, deliveries, sweeps.
///
/// Another such lock: whoever waits for it has it as soon as its holder has ended, however that was.
package final class DutyLock: Sendable {
    /// The file in the library's folder. Its content means nothing.
    static let name = "duty.lock"
    private let folder: String
    private let file: OpenFile
    private let held = Mutex(false)

    /// - Parameter folder: the library's, which exists.
    package init(folder: String) throws(LibraryError) {
        self.folder = folder
        file = try LockFile.open(Self.name, in: folder)
    }

    /// Whether this process is on duty.
    package var isHeld: Bool { held.withLock { $0 } }

    /// Takes it, if nobody else has it. Does not wait.
    ///
    /// - Returns: whether this process is on duty.
    package func take() throws(LibraryError) -> Bool {
        guard !isHeld else { return true }
        guard try LockFile.take(file, LOCK_EX, in: folder) else { return false }
        held.withLock { $0 = true }
        return true
    }

    /// Gives it back before the process ends.
    package func end() {
        held.withLock { $0 = false }
        flock(file.raw, LOCK_UN)
    }
}

/// Files that are there to be locked.
private enum LockFile {
    static func open(_ name: String, in folder: String) throws(LibraryError) -> OpenFile {
        let path = "\(folder)/\(name)"
        do throws(FileError) { return try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW) } catch {
            throw error.isFull ? .noSpace(path: path) : .unusableFolder(path: folder, reason: error.reason)
        }
    }

    /// - Returns: false when somebody else's lock keeps this one out.
    static func take(_ file: borrowing OpenFile, _ kind: Int32, in folder: String) throws(LibraryError) -> Bool {
        guard flock(file.raw, kind | LOCK_NB) != 0 else { return true }
        guard errno == EWOULDBLOCK else { throw .unusableFolder(path: folder, reason: SystemError.current.description) }
        return false
    }
}
