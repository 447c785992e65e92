internal import ChirpCore
internal import ChirpFiles
internal import FoundationEssentials
internal import Glibc

/// A folder beside a backup in the making, for the copy of the database until it is in there.
struct ScratchFolder: Sendable {
    let path: String
    /// Where the copy of the database goes.
    var database: String { "\(path)/hub.sqlite" }

    /// Makes it, for its owner alone.
    ///
    /// - Throws: ``BackupError/badTarget(path:reason:)``, ``BackupError/noSpace(path:)``.
    init(beside target: String) throws(BackupError) {
        let folder = AtomicFile.split(target).folder
        path = "\(folder)/.chirp-backup-\(RandomName(length: 12))"
        guard mkdir(path, 0o700) == 0 else {
            let error = SystemError.current
            throw error.isFull ? .noSpace(path: target) : .badTarget(path: target, reason: error.description)
        }
    }

    /// Removes it with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
