internal import ChirpFiles
internal import Glibc

/// The right of one process to serve a library. Whoever only reads or publishes needs none.
///
/// It is a lock (`flock`) on a file in the library's folder, so it ends with its process however that ends.
package final class ServingLock: Sendable {
    /// The file in the library's folder. Its content means nothing.
    static let name = "serving.lock"
    private let file: OpenFile

    /// - Parameter folder: the library's, which exists.
    /// - Returns: nil when another server holds it, in this process too.
    package init?(folder: String) throws(LibraryError) {
        let path = "\(folder)/\(Self.name)"
        do throws(FileError) { file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW) } catch {
            throw error.isFull ? .noSpace(path: path) : .unusableFolder(path: folder, reason: error.reason)
        }
        guard flock(file.raw, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno == EWOULDBLOCK else { throw .unusableFolder(path: folder, reason: SystemError.current.description) }
        return nil
    }

    /// Gives it back before the last reference goes.
    package func end() { flock(file.raw, LOCK_UN) }

    /// Whether somebody serves the library of a folder, which need not exist. Makes nothing.
    static func isHeld(in folder: String) -> Bool {
        guard let file = try? OpenFile("\(folder)/\(name)", flags: O_RDWR | O_NOFOLLOW) else { return false }
        return flock(file.raw, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
