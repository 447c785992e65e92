public import ChirpCommunity
internal import ChirpCore
public import ChirpStores
internal import FoundationEssentials

/// The hub as a store: clips lie on this machine and have a page under the hub's public address.
///
/// It works whether or not the hub is serving, since both only share the library.
public struct HubStore: Store {
    /// Measures a finished clip for its page. It may take its time; nil leaves length and picture out.
    public typealias Measure = @Sendable (_ path: String) async -> HubSound?

    private let library: HubLibrary
    private let publicURL: String
    private let measure: Measure

    /// - Parameters:
    ///   - publicURL: what links begin with, as ``HubAddress/checked(_:)`` gives it.
    ///   - measure: called once per saved clip, before it can be seen.
    public init(
        library: HubLibrary, publicURL: String = HubAddress.defaultPublicURL,
        measure: @escaping Measure = { _ in nil }
    ) {
        self.library = library
        self.publicURL = publicURL
        self.measure = measure
    }

    public var properties: StoreProperties { StoreProperties(name: "hub", connections: 2, canShare: true) }

    public func quota() async throws(StoreError) -> Quota {
        do {
            let room = try await library.room()
            return Quota(limit: room.limit, used: room.used, free: room.free)
        } catch {
            throw error.asStoreError
        }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID { StoredObject.ID(HubID().text) }

    public func save(
        _ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint
    ) async throws(StoreError) -> StoredObject {
        guard let hubID = HubID(id.text) else {
            throw .refused(status: 400, detail: "'\(id.text)' is not an id of this store")
        }
        do {
            let existing = try await library.unfilteredClip(hubID)
            if let existing {
                guard existing.sha256 == payload.sha256, existing.bytes == payload.bytes else {
                    throw StoreError.refused(status: 409, detail: "'\(id.text)' already holds another clip")
                }
                let size = await offPool { [library] in library.media.size(of: hubID) }
                if size == payload.bytes { return StoredObject(id: id, bytes: payload.bytes) }
                // The row is there and the file is not: somebody has been in the folder. Put it back below.
            }
            let free = try await library.room().free
            if existing == nil, ByteCount(payload.bytes) > free {
                throw StoreError.full(needed: ByteCount(payload.bytes), free: free)
            }
            try await copyIn(payload, hubID)
            if existing == nil { try await record(payload, hubID) }
        } catch let error as StoreError {
            throw error
        } catch let error as LibraryError {
            throw error.asStoreError
        } catch {
            throw .inputOutput(path: payload.path, reason: "\(error)")
        }
        await checkpoint.record(nil, payload.bytes)
        return StoredObject(id: id, bytes: payload.bytes)
    }

    private func copyIn(_ payload: Payload, _ id: HubID) async throws(StoreError) {
        let outcome = await offPool { [library] () -> Result<Void, LibraryError> in
            do throws(LibraryError) {
                try library.media.take(payload.path, as: id, bytes: payload.bytes, sha256: payload.sha256)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success: return
        case .failure(.noSpace):
            // The disk filled up after it was asked.
            throw .full(needed: ByteCount(payload.bytes), free: try await quota().free)
        case .failure(let error): throw error.asStoreError
        }
    }

    private func record(_ payload: Payload, _ id: HubID) async throws(StoreError) {
        let sound = await measure(library.media.file(id))
        let clip = HubClip(
            id: id, title: PlainText(payload.title, limit: 300).value,
            fileName: PlainText(payload.name, limit: 200).value, contentType: payload.contentType,
            bytes: payload.bytes, sha256: payload.sha256, sound: sound, created: library.now(),
            expires: payload.expires, shared: false)
        let free: ByteCount?
        do { free = try await library.insert(clip) } catch { throw error.asStoreError }
        if let free {
            // Another process took the room in the meantime.
            do { try await library.remove(id) } catch { throw error.asStoreError }
            throw .full(needed: ByteCount(payload.bytes), free: free)
        }
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        guard let hubID = HubID(id.text) else { throw .missing(id) }
        let isThere: Bool
        do { isThere = try await library.unfilteredClip(hubID) != nil } catch { throw error.asStoreError }
        guard isThere else { throw .missing(id) }
        if case .away = await library.sound(of: hubID) {
            throw .unreachable("the clip is kept elsewhere and cannot be had now")
        }
        do throws(LibraryError) {
            try await offPool { [library] () throws(LibraryError) in try library.media.give(hubID, to: path) }
        } catch {
            throw error.asStoreError
        }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        guard let hubID = HubID(id.text) else { return }
        do { try await library.remove(hubID) } catch { throw error.asStoreError }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        guard let hubID = HubID(id.text) else { throw .missing(id) }
        let isThere: Bool
        do { isThere = try await library.share(hubID) } catch { throw error.asStoreError }
        guard isThere else { throw .missing(id) }
        return HubLinks(publicURL: publicURL).page(hubID)
    }
}
