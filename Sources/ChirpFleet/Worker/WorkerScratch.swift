internal import ChirpAudio
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpCore
// In a debug build the fields of stat(2) belong to this module.
internal import CDispatch
internal import Glibc

/// A folder of a worker's own for what is on its way; it goes with the worker.
///
/// The folder is locked by the system (`flock(2)`) as long as its worker lives. So the next worker can tell what a killed one has
/// left behind, and removes it, without knowing process numbers.
package final class WorkerScratch: Sendable {
    package let path: String
    private let descriptor: Int32

    private static let prefix = "chirp-worker-"

    /// - Parameter temporary: the folder that it is made in.
    /// - Throws: `noScratch`.
    package init(in temporary: String) throws(FleetError) {
        Self.removeStrays(in: temporary)
        // Each turn is lost to a worker that begins at the same time and takes the new folder for one that was left behind.
        for _ in 0..<100 {
            var template = Array("\(temporary)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw .noScratch(path: temporary, reason: SystemError.current.description)
            }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = Self.open(path)
            guard folder >= 0 else {
                if errno == ENOENT { continue }
                throw .noScratch(path: path, reason: SystemError.current.description)
            }
            // Where there are no locks nobody removes anything.
            flock(folder, LOCK_EX)
            var (named, opened) = (stat(), stat())
            if lstat(path, &named) == 0, fstat(folder, &opened) == 0, named.st_ino == opened.st_ino {
                self.path = path
                descriptor = folder
                return
            }
            close(folder)
        }
        throw .noScratch(path: temporary, reason: "folders disappear as soon as they are made")
    }

    deinit {
        Self.remove(path, descriptor)
        close(descriptor)
    }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Removes what workers of this user have left that are dead.
    private static func removeStrays(in temporary: String) {
        for name in names(in: open(temporary)) where name.starts(with: prefix.utf8) {
            guard name.count == prefix.utf8.count + 6, let text = String(validating: name, as: UTF8.self) else {
                continue
            }
            let path = "\(temporary)/\(text)"
            let folder = open(path)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            var facts = stat()
            guard fstat(folder, &facts) == 0, facts.st_uid == geteuid(), flock(folder, LOCK_EX | LOCK_NB) == 0 else {
                continue
            }
            remove(path, folder)
        }
    }

    /// Removes a folder and the files in it; workers make no others.
    private static func remove(_ path: String, _ folder: Int32) {
        for name in names(in: fcntl(folder, F_DUPFD_CLOEXEC, 0)) {
            _ = BatchPath(name).withCString { unlinkat(folder, $0, 0) }
        }
        rmdir(path)
    }

    /// What a folder holds.
    ///
    /// - Parameter descriptor: closed in any case.
    private static func names(in descriptor: Int32) -> [[UInt8]] {
        guard descriptor >= 0 else { return [] }
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(directory) }
        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = entryName(entry)
            if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
        }
        return names
    }
}
