internal import ChirpCore
internal import ChirpFiles
internal import Glibc

// The blocking half of the folder store.
extension FolderStore {
    /// Stores a payload: checks the room, copies and hashes in one pass, and only then gives the copy its name.
    static func save(_ payload: Payload, id: StoredObject.ID, settings: Settings) throws(StoreError) -> StoredObject {
        let needed = ByteCount(payload.bytes)
        let target = "\(settings.path)/\(id)"
        do {
            try makeFolder(settings.path)
            if access(target, F_OK) == 0 { return try payload.matching(FileDigest.reading(target), id: id) }
            try Admission(needed: needed, quota: room(settings)).check()
            let file = try AtomicFile.create(at: target)
            let digest = try payload.digest { (piece) throws(FileError) in try file.write(piece) }
            try payload.check(digest)
            try file.commit()
            return StoredObject(id: id, bytes: digest.bytes)
        } catch let error as StoreError {
            throw error
        } catch let fault as FileError {
            throw fault.asStoreError(needed: needed)
        } catch {
            throw .inputOutput(path: target, reason: "\(error)")
        }
    }

    /// What is left: of the limit if there is one, and of the disk.
    static func room(_ settings: Settings) throws(FileError) -> Quota {
        var facts = statvfs()
        guard statvfs(settings.path, &facts) == 0 else { throw FileError(path: settings.path) }
        let disk = ByteCount(blocks: UInt64(facts.f_bavail), of: UInt64(facts.f_frsize))
        guard let limit = settings.limit else { return Quota(free: disk) }
        let used = try used(settings.path)
        return Quota(limit: limit, used: used, free: min(disk, max(limit - used, ByteCount(0))))
    }

    /// The size of everything that looks like an object of this store.
    private static func used(_ folder: String) throws(FileError) -> ByteCount {
        var total = ByteCount(0)
        for name in try FolderListing(folder).names where isSafe(StoredObject.ID(name)) {
            var facts = stat()
            if stat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
                total += ByteCount(Int64(facts.st_size))
            }
        }
        return total
    }

    /// Makes the folder and what is missing above it.
    static func makeFolder(_ path: String) throws(FileError) {
        if access(path, W_OK | X_OK) == 0 { return }
        var made = ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if mkdir(made, 0o755) != 0 && errno != EEXIST { throw FileError(path: made) }
        }
        guard access(path, W_OK | X_OK) == 0 else { throw FileError(path: path) }
    }

    /// Whether an id is a plain file name: ASCII letters, digits, `-`, `_` and dots inside. Ids come back from journals and
    /// command lines, so they must not be able to leave the folder or to hide in it.
    static func isSafe(_ id: StoredObject.ID) -> Bool {
        let name = id.text.utf8
        guard (1...200).contains(name.count), name.first != UInt8(ascii: ".") else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
    }

    /// A path as it stands in an address: everything but RFC 3986's unreserved characters and `/` in percent form.
    static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return String(
            path.utf8.flatMap { byte -> [Character] in
                let character = Character(UnicodeScalar(byte))
                let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-._~/".contains(character))
                return isPlain ? [character] : ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            })
    }

    static func checkCancellation() throws(StoreError) {
        if Task.isCancelled { throw .cancelled }
    }
}
