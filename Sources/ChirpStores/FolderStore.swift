public import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A folder on this machine, or one that is mounted: a NAS, a synchronised folder, a web server's document root.
///
/// An object is a file whose name is its id; it appears by renaming, readable by its owner alone, and sharing makes it
/// readable by all. The link is the configured base address and the name, or a `file:` address without one.
public struct FolderStore: Store {
    /// How a folder store is set up.
    public struct Settings: Hashable, Sendable {
        /// An absolute path; made when it does not exist.
        public var path: String
        /// What links begin with, for example `https://clips.example/`; nil for `file:` links.
        public var linkBase: String?
        /// The most bytes of clips in the folder; nil: as much as the disk takes.
        public var limit: ByteCount?

        public init(path: String, linkBase: String? = nil, limit: ByteCount? = nil) {
            self.path = path
            self.linkBase = linkBase
            self.limit = limit
        }
    }

    public let properties: StoreProperties
    let settings: Settings

    public init(_ settings: Settings) {
        self.settings = settings
        properties = StoreProperties(name: "folder", place: settings.path, connections: 2, canShare: true)
    }

    /// The disk's room, and the limit's if there is one: whichever is smaller.
    public func quota() async throws(StoreError) -> Quota {
        let settings = settings
        return try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            do throws(FileError) {
                try Self.makeFolder(settings.path)
                return try Self.room(settings)
            } catch {
                throw error.asStoreError()
            }
        }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try Self.checkCancellation()
        return StoredObject.ID("\(RandomName(length: 20)).mp3")
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        guard Self.isSafe(id) else { throw .refused(status: 400, detail: "'\(id)' is not an id of this store") }
        let settings = settings
        let object = try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            return try Self.save(payload, id: id, settings: settings)
        }
        await checkpoint.record(nil, object.bytes)
        return object
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard Self.isSafe(id) else { throw .missing(id) }
        let source = "\(settings.path)/\(id)"
        try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            do throws(FileError) {
                let file = try AtomicFile.create(at: path)
                try FileContent.read(source) { (piece) throws(FileError) in try file.write(piece) }
                try file.commit(replacing: false)
            } catch {
                if error.isMissing && error.path == source { throw .missing(id) }
                throw error.isCancellation ? .cancelled : error.asStoreError()
            }
        }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard Self.isSafe(id) else { return }
        let (folder, path) = (settings.path, "\(settings.path)/\(id)")
        try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            if unlink(path) != 0 {
                let fault = FileError(path: path)
                if !fault.isMissing { throw fault.asStoreError() }
            }
            do throws(FileError) { try AtomicFile.flush(folder: folder) } catch { throw error.asStoreError() }
        }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard Self.isSafe(id) else { throw .missing(id) }
        let path = "\(settings.path)/\(id)"
        try await offPool { () throws(StoreError) in
            try Self.checkCancellation()
            guard chmod(path, 0o644) == 0 else {
                let fault = FileError(path: path)
                throw fault.isMissing ? .missing(id) : fault.asStoreError()
            }
        }
        guard var base = settings.linkBase else { return "file://" + Self.escaped(path) }
        if !base.hasSuffix("/") { base += "/" }
        return base + id.text
    }

    /// Removes what killed processes left half written.
    ///
    /// - Returns: how many files.
    public func removeStrays() async -> Int {
        let path = settings.path
        return await offPool { AtomicFile.removeStrays(in: path) }
    }
}
