internal import Glibc

/// A file in the making: it appears under its name whole and on the disk, or not at all.
///
/// It is written beside its place, in the folder that was there at the beginning: that is opened once, so nothing is written
/// elsewhere whatever becomes of the folder's path. A symbolic link under the name is replaced and never followed. What is dropped
/// before it appears is removed. What a killed process leaves is either nothing, since the file had no name, or a temporary that
/// ``removeStrays(in:olderThan:)`` finds: it is locked (`flock`) as long as its maker lives, so no process numbers are needed, on this
/// machine or another.
package struct AtomicFile: ~Copyable, Sendable {
    /// What is on the disk, and would outlive a power cut, when a file appears.
    package enum Durability: Hashable, Sendable {
        /// Nothing yet: whoever moves the file on sees to it.
        case nothing
        /// Its bytes: a file of that name is whole, but the name itself may be lost.
        case bytes
        /// Bytes and name.
        case bytesAndName
    }

    /// Where it is written.
    package let file: OpenFile
    private let folder: OpenFile
    private let path: String
    private let name: String
    /// Its name until it appears; nil for none.
    private let temporary: String?

    static let prefix = ".chirp-tmp-"
    /// `O_TMPFILE` and `O_PATH` of Linux, which the headers hide (asm-generic/fcntl.h): a file without a name, and a folder opened
    /// only to name things in it, which takes no right to list them.
    private static let nameless = 0o20000000 | O_DIRECTORY
    private static let onlyNaming = 0o10000000 | O_DIRECTORY

    private init(
        _ file: consuming OpenFile, in folder: consuming OpenFile, path: String, name: String,
        temporary: String?
    ) {
        self.file = file
        self.folder = folder
        self.path = path
        self.name = name
        self.temporary = temporary
    }

    deinit {
        if let temporary { unlinkat(folder.raw, temporary, 0) }  // once it has appeared that name is gone already
    }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: where it is to appear; its folder exists.
    ///   - mode: who may use it, less what the mask of the process takes away.
    ///   - isNameless: nothing is left of it even if the process is killed. Not all file systems can do that.
    package static func create(
        at path: String, mode: UInt32 = 0o600, isNameless: Bool = false
    ) throws(FileError) -> AtomicFile {
        let (folder, name) = split(path)
        let opened: OpenFile
        do throws(FileError) { opened = try OpenFile(folder, flags: onlyNaming) } catch {
            throw FileError(path: path, number: error.number)
        }
        return try create(name, in: opened, path: path, mode: mode, isNameless: isNameless)
    }

    /// Begins a file in an open folder.
    ///
    /// - Parameters:
    ///   - name: what it is to be called there.
    ///   - folder: stays open.
    ///   - path: for errors.
    package static func create(
        _ name: String, in folder: Int32, path: String, mode: UInt32 = 0o600
    ) throws(FileError) -> AtomicFile {
        let own = fcntl(folder, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw FileError(path: path) }
        return try create(name, in: OpenFile(adopting: own), path: path, mode: mode, isNameless: false)
    }

    private static func create(
        _ name: String, in folder: consuming OpenFile, path: String, mode: UInt32, isNameless: Bool
    ) throws(FileError) -> AtomicFile {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0) else {
            throw FileError(path: path, number: EINVAL)
        }
        let temporary = isNameless ? nil : newName()
        let flags = O_RDWR | O_CLOEXEC | (isNameless ? nameless : O_CREAT | O_EXCL | O_NOFOLLOW)
        let raw = openat(folder.raw, temporary ?? ".", flags, mode)
        guard raw >= 0 else { throw FileError(path: path) }
        let file = OpenFile(adopting: raw)
        if isNameless {
            // It gets its name by way of there.
            guard access(proc(raw), F_OK) == 0 else { throw FileError(path: path) }
        } else {
            flock(raw, LOCK_EX | LOCK_NB)  // advice for the sweep only: some file systems have no locks
        }
        return AtomicFile(file, in: folder, path: path, name: name, temporary: temporary)
    }

    /// Writes a file whole.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(FileError) {
        let file = try create(at: path, mode: mode)
        try file.write(bytes)
        try file.commit()
    }

    /// Where the bytes are until the file appears, for others that write or read them by name.
    package var temporaryPath: String {
        temporary.map { "\(Self.split(path).folder)/\($0)" } ?? Self.proc(file.raw)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try file.write(bytes, name: path) }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in try write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Makes the file appear under its name.
    ///
    /// - Parameter replacing: whether a file of that name is replaced; otherwise that is `EEXIST`.
    package consuming func commit(
        replacing: Bool = true, durability: Durability = .bytesAndName
    ) throws(FileError) {
        try appear(replacing: replacing, durability: durability)
    }

    /// As ``commit(replacing:durability:)``, once, for those who go on reading the open file.
    package func appear(replacing: Bool = true, durability: Durability = .bytesAndName) throws(FileError) {
        if durability != .nothing { guard fsync(file.raw) == 0 else { throw FileError(path: path) } }
        if let temporary {
            try place(temporary, replacing: replacing)
        } else {
            try link(replacing: replacing)
        }
        if durability == .bytesAndName { try Self.flush(folder: folder.raw, path: path) }
    }

    private func place(_ temporary: String, replacing: Bool) throws(FileError) {
        if !replacing {
            // A hard link fails when the name is taken, which renaming does not.
            guard linkat(folder.raw, temporary, folder.raw, name, 0) != 0 else { return }
            guard errno == EPERM || errno == EOPNOTSUPP else { throw FileError(path: path) }
            // A file system without hard links (FAT, some network mounts): look, then rename.
            guard faccessat(folder.raw, name, F_OK, 0) != 0 else {
                throw FileError(path: path, number: EEXIST)
            }
        }
        do throws(SystemError) {
            try Self.move(temporary, in: folder.raw, to: name, in: folder.raw)
        } catch {
            throw FileError(path: path, number: error.code)
        }
    }

    /// Gives a nameless file its name. A link cannot replace another, so over an older file it takes a second step.
    private func link(replacing: Bool) throws(FileError) {
        func link(_ name: String) -> Bool {
            linkat(AT_FDCWD, Self.proc(file.raw), folder.raw, name, AT_SYMLINK_FOLLOW) == 0
        }
        guard !link(name) else { return }
        guard errno == EEXIST, replacing else { throw FileError(path: path) }
        let between = Self.newName()
        guard link(between) else { throw FileError(path: path) }
        do throws(SystemError) {
            try Self.move(between, in: folder.raw, to: name, in: folder.raw)
        } catch {
            unlinkat(folder.raw, between, 0)
            throw FileError(path: path, number: error.code)
        }
    }

    private static func newName() -> String {
        prefix + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    private static func proc(_ raw: Int32) -> String { "/proc/self/fd/\(raw)" }
}
