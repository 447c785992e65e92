internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
internal import ChirpJournal
internal import ChirpStores
internal import FoundationEssentials
internal import Synchronization

// The steps that bring the clip to its store, and what is asked of the store before.
extension PublishFlow {
    func store(_ record: PublicationRecord, _ given: (any Store)?) async throws(PublishFailure) -> any Store {
        if let given { return given }
        do throws(StoreError) {
            return try await ports.store(record.storeName, record.storePlace)
        } catch {
            throw .store(error)
        }
    }

    /// Asks the store for its room and refuses what does not fit, before anything is encoded or sent.
    func admit(_ needed: ByteCount, to store: any Store) async throws(PublishFailure) -> ByteCount? {
        do throws(StoreError) {
            return try await ports.timed(.admit) { () async throws(StoreError) in
                let quota = try await store.quota()
                try Admission(needed: needed, quota: quota).check()
                return quota.free
            }.value
        } catch {
            guard case .full(let needed, let free?) = error, let makeRoom = ports.makeRoom else { throw .store(error) }
            // Not asked again: services count removals late, and the upload will tell.
            try await makeRoom(needed, free, store.properties)
            return free
        }
    }

    /// `prepared` → `idReserved`.
    func reserve(
        _ record: PublicationRecord, store: any Store
    ) async throws(PublishFailure) -> PublicationRecord {
        let id: StoredObject.ID
        if let known = record.objectID {
            id = StoredObject.ID(known)
        } else {
            do throws(StoreError) { id = try await store.reserve() } catch { throw .store(error) }
        }
        try ports.pass(.reserved)
        let reserved = try await ports.update(record) { row in
            row.state = .idReserved
            row.objectID = id.text
        }
        try ports.pass(.idReserved)
        return reserved
    }

    /// `idReserved`, `uploading` → `stored`. The session and what is confirmed go into the row as they come.
    func save(
        _ record: PublicationRecord, store: any Store, seal: FileSeal?
    ) async throws(PublishFailure) -> PublicationRecord {
        let (id, payload) = try payload(record, seal: seal)
        let ports = ports
        let stop = Mutex<PublishFailure?>(nil)
        let show = { @Sendable (bytes: Int64) in
            ports.report(.progress(.upload, fraction: Double(bytes) / Double(max(payload.bytes, 1))))
        }
        var checkpoint = UploadCheckpoint(session: record.session) { session, confirmed in
            do throws(PublishFailure) {
                _ = try await ports.update(record) { row in
                    row.state = .uploading
                    row.session = session
                    row.confirmedBytes = confirmed
                }
                try ports.pass(.uploading)
            } catch {
                stop.withLock { $0 = $0 ?? error }
            }
            show(confirmed)
        }
        checkpoint.sent = show
        let seconds: Double
        do throws(StoreError) {
            seconds = try await ports.timed(.upload) { () async throws(StoreError) in
                try await store.save(payload, id: id, checkpoint: checkpoint)
            }.seconds
        } catch {
            if let earlier = stop.withLock({ $0 }) { throw earlier }
            throw .store(error)
        }
        if let failure = stop.withLock({ $0 }) { throw failure }
        try ports.pass(.saved)
        let receipt = try changedReceipt(record) { receipt in
            receipt.store?.id = id.text
            receipt.timings.upload = seconds
        }
        let stored = try await ports.update(record) { row in
            row.state = .stored
            row.session = nil
            row.confirmedBytes = payload.bytes
            row.receipt = receipt
        }
        try ports.pass(.stored)
        return stored
    }

    private func payload(
        _ record: PublicationRecord, seal: FileSeal?
    ) throws(PublishFailure) -> (StoredObject.ID, Payload) {
        guard let id = record.objectID, let path = record.clipPath, let bytes = record.clipBytes,
            let sha256 = record.clipSHA256
        else {
            throw .journal(.corrupt(path: "publication \(record.id)", reason: "it lacks its clip"))
        }
        var payload = Payload(
            path: path, bytes: bytes, sha256: sha256, name: "chirp-\(record.id).mp3",
            title: PlainText(record.title, limit: 300).value, expires: record.expires)
        payload.seal = seal
        return (StoredObject.ID(id), payload)
    }

    /// `stored` → `shared`.
    func share(
        _ record: PublicationRecord, store: any Store
    ) async throws(PublishFailure) -> PublicationRecord {
        let id = StoredObject.ID(record.objectID ?? "")
        let link: String
        do throws(StoreError) {
            guard store.properties.canShare else { throw .unsupported("give a link that others can open") }
            link = try await ports.timed(.share) { () async throws(StoreError) in try await store.share(id) }.value
        } catch {
            throw .store(error)
        }
        try ports.pass(.linked)
        let receipt = try changedReceipt(record) { $0.store?.link = link }
        let shared = try await ports.update(record) { row in
            row.state = .shared
            row.link = link
            row.receipt = receipt
        }
        try ports.pass(.shared)
        return shared
    }
}
