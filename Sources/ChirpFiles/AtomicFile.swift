internal import Glibc

/// A file in the making: a temporary beside its final place, which appears there whole or not at all.
///
/// The temporary is locked (`flock`) as long as its maker lives, so that ``removeStrays(in:)`` can tell what a dead process
/// left behind, on this or on another machine, without knowing process numbers.
package struct AtomicFile: ~Copyable {
    private static let prefix = ".chirp-tmp-"
    private let descriptor: Int32
    private let folder: String
    private let temporary: String

    private init(descriptor: Int32, folder: String, temporary: String) {
        self.descriptor = descriptor
        self.folder = folder
        self.temporary = temporary
    }

    deinit {
        unlink(temporary)  // after a commit the name is gone already
        close(descriptor)
    }

    /// Opens a temporary in the folder that is to hold the file, readable by its owner alone.
    package static func create(in folder: String) throws(FileError) -> AtomicFile {
        let path = "\(folder)/\(prefix)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path: path) }
        flock(descriptor, LOCK_EX | LOCK_NB)  // advice for the sweep only: some file systems have no locks
        return AtomicFile(descriptor: descriptor, folder: folder, temporary: path)
    }

    /// Where the bytes are until the file is put into place, for others that write or read them by name.
    package var temporaryPath: String { temporary }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(descriptor, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: temporary)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Puts the file into place, on the disk for good: its bytes, then its name, are flushed.
    ///
    /// - Parameters:
    ///   - name: a file name within the folder.
    ///   - replacing: whether a file of that name is replaced; otherwise that is the fault `EEXIST`.
    package consuming func commit(as name: String, replacing: Bool) throws(FileError) {
        let target = "\(folder)/\(name)"
        guard fsync(descriptor) == 0 else { throw FileError(path: temporary) }
        if replacing {
            guard rename(temporary, target) == 0 else { throw FileError(path: target) }
        } else {
            // A hard link fails when the name is taken, which a rename does not.
            if link(temporary, target) != 0 {
                guard errno == EPERM || errno == EOPNOTSUPP else { throw FileError(path: target) }
                // A file system without hard links (FAT, some network mounts): look, then rename.
                guard access(target, F_OK) != 0 else { throw FileError(path: target, number: EEXIST) }
                guard rename(temporary, target) == 0 else { throw FileError(path: target) }
            }
        }
        Self.flush(folder: folder)
    }

    /// Makes renamed and removed names of a folder survive a power cut. A file system that cannot is left in peace.
    package static func flush(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes temporaries whose makers are dead.
    ///
    /// - Parameter seconds: younger ones are left alone: their maker may not have locked them yet.
    /// - Returns: how many were removed.
    package static func removeStrays(in folder: String, olderThan seconds: Int = 60) -> Int {
        guard let names = try? FolderListing(folder).names else { return 0 }
        var removed = 0
        for name in names where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var facts = stat()
            guard fstat(descriptor, &facts) == 0,
                FileAge.seconds(from: facts.st_mtim.tv_sec, to: time(nil)) >= seconds
            else { continue }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unlink(path) == 0 else { continue }
            removed += 1
        }
        return removed
    }
}
