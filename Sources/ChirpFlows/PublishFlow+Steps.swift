internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
internal import ChirpJournal
internal import ChirpNetworks
internal import ChirpStores
internal import FoundationEssentials
internal import Synchronization

// One function per step; each leaves the row one state further. Those that speak with the store or the network have files of their own.
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

    func changedReceipt(
        _ record: PublicationRecord, _ change: (inout Receipt) -> Void
    ) throws(PublishFailure) -> String {
        var receipt = try Receipt(of: record)
        change(&receipt)
        return JSONText.encode(receipt)
    }
}
