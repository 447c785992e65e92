package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
package import ChirpStores

/// The sound of one hub's clips in a store, beside the hub's folder. Nothing there is shared: the hub alone gives it to whoever may hear it.
package struct ClipShelf: Sendable {
    private let base: any Store
    /// The same, patient.
    private let store: any Store

    package init(_ store: any Store) { self.init(store, patient: RetryingStore(store)) }

    /// - Parameter patient: the same store, which tries again by itself.
    package init(_ store: any Store, patient: any Store) { (base, self.store) = (store, patient) }

    /// The store's name and which one of that name.
    package var place: String { "\(base.properties.name) \(base.properties.place)" }

    func reserve() async throws(StoreError) -> String { try await store.reserve().text }

    /// Stores a clip's file, and reads it back: what the store answers afterwards is all there will be.
    ///
    /// - Parameter note: called with what an upload goes on by, and returns when that is written down.
    func save(
        _ path: String, as clip: StoredClip, note: @escaping @Sendable (String?) async -> Void
    ) async throws(StoreError) {
        let payload = Payload(path: path, bytes: clip.bytes, sha256: clip.sha256, name: "\(clip.clip.text).mp3")
        let checkpoint = UploadCheckpoint(session: clip.session) { session, _ in await note(session) }
        _ = try await store.save(payload, id: StoredObject.ID(clip.object), checkpoint: checkpoint)
        let scratch = try Self.scratch(beside: path)
        defer { scratch.remove() }
        try await load(clip, to: "\(scratch.path)/clip")
    }

    /// Brings a clip's file to its place, where it appears whole. Another one of that name is replaced by the same bytes.
    package func fetch(_ clip: StoredClip, to goal: String) async throws(StoreError) {
        guard clip.place == place else {
            throw .refused(status: 0, detail: "the clip is kept in \(clip.place), and here is \(place)")
        }
        let scratch = try Self.scratch(beside: goal)
        defer { scratch.remove() }
        let copy = "\(scratch.path)/clip"
        try await load(clip, to: copy)
        do throws(FileError) {
            try await offPool { () throws(FileError) in try AtomicFile.move(copy, to: goal, flushing: false) }
        } catch {
            throw .inputOutput(path: goal, reason: error.reason)
        }
    }

    func remove(_ object: String) async throws(StoreError) { try await store.remove(StoredObject.ID(object)) }

    private func load(_ clip: StoredClip, to path: String) async throws(StoreError) {
        try await store.load(StoredObject.ID(clip.object), to: path)
        let found: FileDigest
        do throws(FileError) {
            found = try await offPool { () throws(FileError) in try FileDigest.reading(path) }
        } catch {
            throw error.isCancellation ? .cancelled : .inputOutput(path: path, reason: error.reason)
        }
        guard found.bytes == clip.bytes, found.sha256 == clip.sha256 else {
            throw .refused(status: 0, detail: "'\(clip.object)' is not the clip that was stored")
        }
    }

    /// A folder that is gone afterwards, also when this process is killed: then the next one removes it.
    private static func scratch(beside path: String) throws(StoreError) -> ScratchFolder {
        ScratchFolder.removeStrays(in: AtomicFile.split(path).folder)
        do throws(BackupError) { return try ScratchFolder(beside: path) } catch {
            throw .inputOutput(path: path, reason: error.whatHappened)
        }
    }
}
