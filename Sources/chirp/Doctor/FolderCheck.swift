import ChirpCore
import Glibc

/// Whether a folder can be written, or made, and how much room its disk has.
enum FolderCheck {
    /// Less than this is a problem soon: clips, spooled input and the journal need room.
    static let littleRoom = ByteCount(Int64(200_000_000))

    static func finding(_ purpose: String, _ path: String) -> Finding {
        // What does not exist yet is made in its nearest ancestor that does.
        var existing = path
        while access(existing, F_OK) != 0 && existing.count > 1 {
            let parent = existing.split(separator: "/").dropLast().joined(separator: "/")
            existing = "/" + parent
        }
        var status = stat()
        guard stat(existing, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return .problem(purpose, "\(existing) is no folder", cure: "Move it away")
        }
        guard access(existing, W_OK | X_OK) == 0 else {
            return .problem(
                purpose, "\(path) cannot be written", cure: "Change the owner or the permissions of \(existing)")
        }
        guard let free = freeBytes(existing) else { return .ok(purpose, path) }
        guard free >= littleRoom else {
            return .problem(purpose, "\(path) has only \(free) left", cure: "Free some space, or run: chirp sweep")
        }
        return .ok(purpose, "\(path), \(free) free")
    }

    static func freeBytes(_ path: String) -> ByteCount? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        return ByteCount(blocks: UInt64(facts.f_bavail), of: UInt64(facts.f_frsize))
    }
}
