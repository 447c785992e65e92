internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// The folder in which a hub is put together before it appears in its place, beside that. One process at a time has it; what a
/// killed one has left is removed by the next.
final class RestoringFolder: Sendable {
    let path: String
    private let goal: String
    /// Those of a hub that files lie in.
    private static let folders = ["media", "pictures", "films", KeptFile.folder]
    /// Locked as long as this process works in it.
    private let folder: OpenFile

    /// Makes it, for its owner alone.
    ///
    /// - Parameter goal: where the hub is to be; the folder above exists.
    /// - Throws: ``BackupError/restoring(path:)`` when another process has it.
    init(for goal: String) throws(BackupError) {
        self.goal = goal
        path = goal + ".restoring"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw BackupError(FileError(path: path)) }
        do throws(FileError) {
            folder = try OpenFile(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw BackupError(error)
        }
        guard flock(folder.raw, LOCK_EX | LOCK_NB) == 0, isThisOne else { throw .restoring(path: goal) }
        do throws(FileError) {
            for name in try FolderListing(path).names { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
            guard try FolderListing(path).names.isEmpty else { throw FileError(path: path, number: ENOTEMPTY) }
            for name in Self.folders {
                guard mkdir("\(path)/\(name)", 0o700) == 0 else { throw FileError(path: path) }
            }
        } catch {
            throw BackupError(error)
        }
    }

    /// Whether the folder that is locked is still the one of that name: another process may have moved it to its place.
    private var isThisOne: Bool {
        var (mine, named) = (stat(), stat())
        return fstat(folder.raw, &mine) == 0 && lstat(path, &named) == 0
            && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
    }

    /// Moves it to its place with all that is in it, in one step and on the disk. Nothing but the locks of an empty hub may be there.
    func place() throws(BackupError) {
        do throws(FileError) {
            for name in Self.folders { try AtomicFile.flush(folder: "\(path)/\(name)") }
            try AtomicFile.flush(folder: path)
            for name in HubRestore.locks { unlink("\(goal)/\(name)") }
            try AtomicFile.move(path, to: goal, flushing: true)
        } catch {
            if error.number == EEXIST || error.number == ENOTEMPTY || error.number == ENOTDIR {
                throw .occupied(path: goal)
            }
            throw BackupError(error)
        }
    }

    /// Removes it with all that is in it. After ``place()`` there is nothing to remove.
    func remove() {
        guard isThisOne else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
