internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// A folder beside a backup in the making, for the copy of the database until it is in there; and beside a hub, for a backup on its way
/// to or from a store.
///
/// It is locked (`flock`) as long as its maker lives, so that what a killed one has left is known and removed.
package final class ScratchFolder: Sendable {
    package let path: String
    /// Where the copy of the database goes.
    var database: String { "\(path)/hub.sqlite" }
    private let folder: OpenFile

    private static let prefix = ".chirp-backup-"
    /// A younger one may not be locked yet, in seconds.
    private static let strayAge = 60

    /// Makes it, for its owner alone.
    ///
    /// - Throws: ``BackupError/badTarget(path:reason:)``, ``BackupError/noSpace(path:)``.
    package init(beside target: String) throws(BackupError) {
        path = "\(AtomicFile.split(target).folder)/\(Self.prefix)\(RandomName(length: 12))"
        do throws(FileError) {
            guard mkdir(path, 0o700) == 0 else { throw FileError(path: target) }
            folder = try OpenFile(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw error.isFull ? .noSpace(path: target) : .badTarget(path: target, reason: error.reason)
        }
        flock(folder.raw, LOCK_EX | LOCK_NB)  // advice for removing strays only: some file systems have no locks
    }

    /// Whether a file of so many bytes has room here: SQLite tells a full disk alone, and of a limit on files or on this user's share
    /// only that writing failed.
    ///
    /// - Returns: why not; nil when it has.
    func refusal(toHold bytes: Int64) -> FileError? {
        let place = "\(path)/room"
        do throws(FileError) {
            let file = try OpenFile(place, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            defer { unlink(place) }
            let number = posix_fallocate(file.raw, 0, off_t(max(bytes, 1)))
            return number == 0 ? nil : FileError(path: path, number: number)
        } catch {
            return error
        }
    }

    /// Removes it with all that is in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Removes those in a folder whose makers are dead. Where there are no locks none is known to be.
    package static func removeStrays(in folder: String) {
        for name in (try? FolderListing(folder).names) ?? [] where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard let stray = try? OpenFile(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else { continue }
            var facts = stat()
            guard fstat(stray.raw, &facts) == 0, facts.st_uid == geteuid(),
                FileAge.seconds(from: facts.st_mtim.tv_sec, to: time(nil)) >= strayAge,
                flock(stray.raw, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
