internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
internal import ChirpJournal
internal import ChirpNetworks
internal import ChirpStores
internal import FoundationEssentials
internal import Synchronization

// One function per step; each leaves the row one state further.
extension PublishFlow {
    /// Works on a row until it is finished or fails, and writes the failure down. The caller holds the lease.
    ///
    /// - Parameters:
    ///   - store: nil to look it up by the row.
    ///   - network: nil to look it up by the row.
    func attempt(
        _ record: PublicationRecord, store: (any Store)?, network: (any Network)?
    ) async -> Result<PublicationRecord, PublishFailure> {
        var current = record
        do throws(PublishFailure) {
            if current.state == .withdrawing {
                return .success(try await withdraw(current, as: current.outcome ?? .dropped))
            }
            let begin = ports.uptime()
            let isRepetition = current.state == .posting
            // Taken before the file is read, or right after it was made and its checksum with it.
            var seal = current.clipPath.flatMap { FileSeal($0) }
            if store == nil { current = try await check(current) }
            while current.state.isOpen {
                if Task.isCancelled || ports.stop?.isWished == true { throw .store(.cancelled) }
                current = try await step(
                    current, store: store, network: network, isRepetition: isRepetition, begin: begin, seal: &seal)
            }
            ports.stop?.release(record.id)
            return .success(current)
        } catch {
            await settle(record.id, error)
            return .failure(error)
        }
    }

    private func step(
        _ record: PublicationRecord, store: (any Store)?, network: (any Network)?, isRepetition: Bool, begin: Duration,
        seal: inout FileSeal?
    ) async throws(PublishFailure) -> PublicationRecord {
        switch record.state {
        case .begun:
            let made = try await make(
                record, store: await self.store(record, store), network: await self.network(record, network))
            seal = made.clipPath.flatMap { FileSeal($0) }
            return made
        case .prepared: return try await reserve(record, store: await self.store(record, store))
        case .idReserved, .uploading:
            return try await save(record, store: await self.store(record, store), seal: seal)
        case .stored: return try await share(record, store: await self.store(record, store))
        case .shared: return try await write(record, network: await self.network(record, network))
        case .posting:
            return try await post(record, network: await self.network(record, network), isRepetition: isRepetition)
        case .posted: return try await finish(record, begin: begin)
        case .withdrawing, .done, .failedForGood, .dropped, .expired: return record
        }
    }

    /// Before a row of an earlier run goes on: whether what it builds on is still there and still the same.
    private func check(_ record: PublicationRecord) async throws(PublishFailure) -> PublicationRecord {
        switch record.state {
        case .prepared, .idReserved, .uploading:
            let path = record.clipPath ?? ""
            let found = await offPool { try? FileDigest.reading(path) }
            if let found, found.sha256 == record.clipSHA256 { return record }
            // The clip is gone or damaged: make it again. Its id stays, since the same request makes the same bytes.
            let again = try await ports.update(record) { $0.state = .begun }
            return try await check(again)
        case .begun:
            let (path, expected) = (record.inputPath, record.inputSHA256)
            let found = await offPool { try? FileDigest.reading(path) }
            guard let found else { throw .recordingGone(name: record.inputName, reason: "it is not there any more") }
            guard found.sha256 == expected else {
                throw .recordingGone(name: record.inputName, reason: "it has changed since")
            }
            return record
        default: return record
        }
    }

    func plan(_ request: ClipRequest) async throws(PublishFailure) -> ClipMaker {
        let ports = ports
        do throws(AudioError) {
            return try await ports.timed(.analyse) { () async throws(AudioError) in
                try await ports.plan(request) { ports.report(.progress(.analyse, fraction: $0.fraction)) }
            }.value
        } catch {
            throw .audio(error)
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

    /// Asks the network whether a post would be taken: a missing sign-in or a spent budget shows before anything is sent.
    func admit(to network: any Network) async throws(PublishFailure) {
        do throws(NetworkError) { try await network.admit() } catch { throw .network(error) }
    }

    func textRules(of network: any Network) async throws(PublishFailure) -> TextRules {
        do throws(NetworkError) { return try await network.textRules() } catch { throw .network(error) }
    }

    /// `begun` → `prepared`: the clip lies whole and measured in the outbox folder.
    private func make(
        _ record: PublicationRecord, store: any Store, network: any Network
    ) async throws(PublishFailure) -> PublicationRecord {
        guard var request = JSONText.decode(ClipRequest.self, from: record.order) else {
            throw .journal(.corrupt(path: "publication \(record.id)", reason: "it holds no readable request"))
        }
        request.source = ClipSource(path: record.inputPath, name: record.inputName, sha256: record.inputSHA256)
        let clip = try await plan(request)
        try ports.pass(.analysed)
        let free = try await admit(clip.predictedBytes, to: store)
        try await admit(to: network)
        try ports.pass(.admitted)
        let (rendered, path) = try await render(clip, id: record.id)
        try ports.pass(.rendered)
        var receipt = rendered
        guard let clip = receipt.clip else { throw .audio(.library(name: "clip without a size", code: 0)) }
        receipt.clip?.path = nil
        receipt.store = Receipt.Store(name: store.properties.name, id: "", link: "", freeBytesBefore: free?.bytes)
        let text = JSONText.encode(receipt)
        let prepared = try await ports.update(record) { row in
            row.state = .prepared
            row.clipPath = path
            row.clipBytes = clip.bytes
            row.clipSHA256 = clip.sha256
            row.receipt = text
        }
        try ports.pass(.prepared)
        if prepared.inputIsSpooled { ports.outbox.remove(prepared.inputPath) }
        return prepared
    }

    private func render(
        _ clip: ClipMaker, id: String
    ) async throws(PublishFailure) -> (receipt: Receipt, path: String) {
        let ports = ports
        let path = ports.outbox.clip(of: id)
        do throws(AudioError) {
            try ports.outbox.make()
            let receipt = try await ports.timed(.render) { () async throws(AudioError) in
                try await clip.make(path) { progress in
                    ports.report(.progress(progress.step == .verify ? .verify : .render, fraction: progress.fraction))
                }
            }.value
            return (receipt, path)
        } catch {
            throw .audio(error)
        }
    }

    /// `prepared` → `idReserved`.
    private func reserve(
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
    private func save(
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
    private func share(
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

    /// `shared` → `posting`: the share text is fixed, so that a repeated post is the same post.
    private func write(
        _ record: PublicationRecord, network: any Network
    ) async throws(PublishFailure) -> PublicationRecord {
        let link = record.link ?? ""
        let text = ShareText(words: record.words, link: link, rules: try await textRules(of: network))
        if text.isShortened {
            ports.report(.note(Receipt.Note(code: "words-shortened", text: "the words were too long for the network")))
        }
        let receipt = try changedReceipt(record) { receipt in
            receipt.shareText = text.text
            if text.isShortened {
                receipt.notes.append(
                    Receipt.Note(code: "words-shortened", text: "the words were too long for the network"))
            }
        }
        let posting = try await ports.update(record) { row in
            row.state = .posting
            row.shareText = text.text
            row.receipt = receipt
        }
        try ports.pass(.posting)
        return posting
    }

    /// `posting` → `posted`.
    private func post(
        _ record: PublicationRecord, network: any Network, isRepetition: Bool
    ) async throws(PublishFailure) -> PublicationRecord {
        let draft = draft(record, isRepetition: isRepetition)
        let (post, seconds): (Post?, Double)
        do throws(NetworkError) {
            (post, seconds) = try await ports.timed(.post) { () async throws(NetworkError) in
                try await network.publish(draft)
            }
        } catch {
            throw .network(error)
        }
        try ports.pass(.published)
        let (id, url) = (post?.id.text, post?.url)
        let cost = network.properties.costPerPostUSD
        let byHand = post == nil ? network.page(for: draft).map(Self.postByHand) : nil
        if let byHand { ports.report(.note(byHand)) }
        let receipt = try changedReceipt(record) { receipt in
            if let byHand { receipt.notes.append(byHand) }
            receipt.network = Receipt.Network(
                name: record.networkName, postID: id, postURL: url, estimatedCostUSD: cost)
            receipt.timings.post = seconds
        }
        let posted = try await ports.update(record) { row in
            row.state = .posted
            row.postID = id
            row.postURL = url
            row.receipt = receipt
        }
        try ports.pass(.posted)
        return posted
    }

    private func draft(_ record: PublicationRecord, isRepetition: Bool) -> Draft {
        var draft = Draft(
            key: Draft.Key("chirp-\(record.id)"), text: record.shareText ?? "", link: record.link ?? "",
            isRepetition: isRepetition)
        if let path = record.clipPath, let bytes = record.clipBytes, FileManager.default.fileExists(atPath: path) {
            let description = record.title.isEmpty ? record.words : record.title
            draft.attachment = Draft.Attachment(path: path, bytes: bytes, description: description)
        }
        return draft
    }

    private static func postByHand(_ page: String) -> Receipt.Note {
        Receipt.Note(code: "post-by-hand", text: "open this page to post it: \(page)")
    }

    /// `posted` → `done`: the outbox lets go of the clip, the row of what only the work needed (CH-14).
    private func finish(_ record: PublicationRecord, begin: Duration) async throws(PublishFailure) -> PublicationRecord
    {
        ports.outbox.remove(record.clipPath)
        if record.inputIsSpooled { ports.outbox.remove(record.inputPath) }
        try ports.pass(.cleaned)
        let total = (ports.uptime() - begin) / .seconds(1)
        let receipt = try changedReceipt(record) { $0.timings.total = total }
        let done = try await ports.update(record) { row in
            row.state = .done
            row.stopped = nil
            row.clipPath = nil
            row.inputPath = ""
            row.order = ""
            row.lastError = nil
            row.nextAttempt = nil
            row.isInHand = false
            row.deaths = 0
            row.receipt = receipt
        }
        try ports.pass(.done)
        return done
    }

    private func changedReceipt(
        _ record: PublicationRecord, _ change: (inout Receipt) -> Void
    ) throws(PublishFailure) -> String {
        var receipt = try Receipt(of: record)
        change(&receipt)
        return JSONText.encode(receipt)
    }

    func store(_ record: PublicationRecord, _ given: (any Store)?) async throws(PublishFailure) -> any Store {
        if let given { return given }
        do throws(StoreError) {
            return try await ports.store(record.storeName, record.storePlace)
        } catch {
            throw .store(error)
        }
    }

    func network(_ record: PublicationRecord, _ given: (any Network)?) async throws(PublishFailure) -> any Network {
        if let given { return given }
        do throws(NetworkError) {
            return try await ports.network(record.networkName, record.networkPlace)
        } catch {
            throw .network(error)
        }
    }
}
