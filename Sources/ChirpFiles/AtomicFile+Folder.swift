internal import Glibc

// What happens to names in a folder.
extension AtomicFile {
    /// Moves a file that is whole into its place, by names in open folders. A file that has the name is replaced in one step.
    package static func move(
        _ source: UnsafePointer<CChar>, in from: Int32, to target: UnsafePointer<CChar>,
        in folder: Int32
    ) throws(SystemError) {
        guard renameat(from, source, folder, target) == 0 else { throw .current }
    }

    /// The same by paths.
    ///
    /// - Parameter flushing: whether the new name is on the disk when this returns.
    package static func move(_ source: String, to target: String, flushing: Bool) throws(FileError) {
        do throws(SystemError) { try move(source, in: AT_FDCWD, to: target, in: AT_FDCWD) } catch {
            throw FileError(path: target, number: error.code)
        }
        if flushing { try flush(folder: split(target).folder) }
    }

    /// Makes renamed and removed names of a folder survive a power cut. A file system that cannot do that is left in peace.
    package static func flush(folder path: String) throws(FileError) {
        try flush(folder: AT_FDCWD, name: path, path: path)
    }

    /// The same for an open folder.
    ///
    /// - Parameter path: for errors.
    static func flush(folder: Int32, name: String = ".", path: String) throws(FileError) {
        let own = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return }
        let opened = OpenFile(adopting: own)
        guard fsync(opened.raw) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else { return }
        throw FileError(path: path)
    }

    /// Whether a name is one of a file in the making.
    package static func isTemporary(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Removes temporaries whose makers are dead.
    ///
    /// - Parameter seconds: younger ones are left alone: their maker may not have locked them yet.
    /// - Returns: how many were removed.
    package static func removeStrays(in folder: String, olderThan seconds: Int = 60) -> Int {
        guard let names = try? FolderListing(folder).names else { return 0 }
        var removed = 0
        for name in names where isTemporary(name) {
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

    /// A path as folder and name.
    package static func split(_ path: String) -> (folder: String, name: String) {
        // Bytes, since a slash and a mark that combines with it would be one Character.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        return (
            slash == path.startIndex ? "/" : String(path[..<slash]),
            String(path[path.utf8.index(after: slash)...])
        )
    }
}

/// How long ago a file was written, by clocks that may say anything: a file's time can be set to any number of 64 bits.
package enum FileAge {
    /// - Parameters:
    ///   - then: when it was written, in seconds since 1970.
    ///   - now: the same of the clock on the wall.
    /// - Returns: seconds; negative for a file from the future. What 64 bits cannot hold stops at their ends.
    package static func seconds(from then: Int, to now: Int) -> Int {
        let (age, overflow) = now.subtractingReportingOverflow(then)
        return overflow ? (now < 0 ? .min : .max) : age
    }
}
