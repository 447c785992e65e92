public import ChirpClips
internal import ChirpCore
package import ChirpJournal
public import ChirpNetworks
public import ChirpStores
internal import FoundationEssentials

/// The main job: a recording in, a link and a share text out (W-4, W-5, W-7, CH-5, CH-7).
///
/// The journal is the truth. A row is there before work begins and moves one state with every step; every step may be
/// repeated; so a flow is: look at the state, do the next step, write it down. Running and resuming are the same loop.
public struct PublishFlow: Sendable {
    let ports: FlowPorts

    public init(_ ports: FlowPorts) { self.ports = ports }

    /// Publishes, or answers with the link of the same recording under the same settings (note `already-published`).
    ///
    /// - Returns: the receipt.
    public func run(
        _ request: PublishRequest, store: any Store, network: any Network
    ) async throws(PublishFailure) -> Receipt {
        let record = newRecord(request, store: store.properties, network: network.properties)
        // The lease comes before the row, so that nobody can take the new row for one that was left behind.
        guard let lease = try lease(record.id) else { throw .inProgress(id: record.id) }
        let known: PublicationRecord?
        let stop = ports.stop
        stop?.hold(record.id, in: ports.journal)
        do throws(JournalError) {
            known = try await ports.journal.insert(
                record, anew: request.again, now: ports.now(), isStopped: { stop?.isWished == true })
        } catch {
            throw .journal(error)
        }
        guard let known else {
            try ports.pass(.begun)
            let finished = await attempt(record, store: store, network: network)
            lease.end()
            return try Receipt(of: finished.get())
        }
        stop?.release(record.id)
        lease.end()
        return try await answer(with: known, request: request)
    }

    /// Everything that can be said without encoding or sending: plan, size, room, text and price.
    ///
    /// - Throws: what publishing would refuse for, `full` included.
    public func preview(
        _ request: PublishRequest, store: any Store, network: any Network
    ) async throws(PublishFailure) -> Receipt {
        let store = DryRunStore(store)
        let clip = try await plan(request.clip)
        let free = try await admit(clip.predictedBytes, to: store)
        try await admit(to: network)
        let rules = try await textRules(of: network)
        var receipt = clip.preview
        do throws(StoreError) {
            let id = try await store.reserve()
            let link = try await store.share(id)
            receipt.shareText = ShareText(words: request.words, link: link, rules: rules).text
            receipt.store = Receipt.Store(
                name: store.properties.name, id: "", link: "", freeBytesBefore: free?.bytes)
        } catch {
            throw .store(error)
        }
        receipt.network = Receipt.Network(
            name: network.properties.name, estimatedCostUSD: network.properties.costPerPostUSD)
        receipt.notes.append(Receipt.Note(code: "dry-run", text: "nothing was encoded, sent or written down"))
        let settings = request.settingsSHA256(store: store.properties, network: network.properties)
        if let known = try? await ports.journal.publication(
            input: request.clip.source.sha256, settings: settings, now: ports.now())
        {
            receipt.notes.append(Self.alreadyPublished(known))
        }
        return receipt
    }

    /// Goes on with a row that an earlier run left.
    ///
    /// - Parameter attempt: who wants it. A person takes the mark from a row that was stopped.
    /// - Returns: the row in its final state.
    /// - Throws: `stopped` or `setAside` when it waits for a person and none has asked.
    package func resume(
        _ id: PublicationRecord.ID, _ attempt: Attempt
    ) async throws(PublishFailure) -> PublicationRecord {
        guard let lease = try lease(id) else { throw .inProgress(id: id) }
        let finished: Result<PublicationRecord, PublishFailure>
        do throws(PublishFailure) {
            // Read under the lease: the former owner may have gone on since the caller looked.
            let record = try await self.record(id)
            if record.state.isOpen {
                let taken = try await takeInHand(try await letStart(record, attempt), attempt)
                finished =
                    taken.isInHand
                    ? await self.attempt(taken, store: nil, network: nil) : .failure(.setAside(id: id))
            } else {
                finished = .success(record)
            }
        } catch {
            finished = .failure(error)
        }
        lease.end()
        return try finished.get()
    }

    /// Under the lease: a row that a person has stopped goes on only when a person asks.
    private func letStart(
        _ record: PublicationRecord, _ attempt: Attempt
    ) async throws(PublishFailure) -> PublicationRecord {
        guard attempt != .background else {
            if record.stopped != nil { throw .stopped(id: record.id) }
            return record
        }
        let stop = ports.stop
        stop?.hold(record.id, in: ports.journal)
        guard record.stopped != nil else { return record }
        return try await ports.update(record) { if stop?.isWished != true { $0.stopped = nil } }
    }

    /// The answer for a recording that the journal knows: its receipt if it is done, otherwise the rest of the work.
    private func answer(
        with known: PublicationRecord, request: PublishRequest
    ) async throws(PublishFailure) -> Receipt {
        var current = known
        if known.state.isOpen {
            if known.state == .begun, let lease = try lease(known.id) {
                // The same bytes at another place, perhaps the only one that is left.
                let former = known.inputIsSpooled ? known.inputPath : nil
                current = try await ports.update(known) { row in
                    row.inputPath = request.clip.source.path
                    row.inputIsSpooled = request.inputIsSpooled
                }
                if former != current.inputPath { ports.outbox.remove(former) }
                lease.end()
            }
            ports.report(.note(Receipt.Note(code: "resumed", text: "going on with publication \(known.id)")))
            current = try await resume(known.id, .wanted)
        }
        if request.inputIsSpooled, request.clip.source.path != current.inputPath || !current.state.isOpen {
            ports.outbox.remove(request.clip.source.path)
        }
        var receipt = try Receipt(of: current)
        if !known.state.isOpen {
            let note = Self.alreadyPublished(known)
            receipt.notes.append(note)
            ports.report(.note(note))
        }
        return receipt
    }

    private static func alreadyPublished(_ known: PublicationRecord) -> Receipt.Note {
        Receipt.Note(
            code: "already-published", text: "this recording was published with these settings before")
    }

    func lease(_ id: PublicationRecord.ID) throws(PublishFailure) -> ProcessLease? {
        do throws(JournalError) { return try ports.journal.lease(id) } catch { throw .journal(error) }
    }

    func record(_ id: PublicationRecord.ID) async throws(PublishFailure) -> PublicationRecord {
        do throws(JournalError) { return try await ports.journal.publication(id) } catch { throw .journal(error) }
    }

    private func newRecord(
        _ request: PublishRequest, store: StoreProperties, network: NetworkProperties
    ) -> PublicationRecord {
        let now = ports.now()
        var record = PublicationRecord(
            id: "\(RandomName(length: 12))", inputSHA256: request.clip.source.sha256,
            settingsSHA256: request.settingsSHA256(store: store, network: network),
            inputName: PlainText(request.clip.source.name, limit: 200).value, inputPath: request.clip.source.path,
            inputIsSpooled: request.inputIsSpooled, order: JSONText.encode(request.clip), title: request.title,
            words: request.words, expires: request.lifetime.map { now.addingTimeInterval($0 / .seconds(1)) },
            storeName: store.name, storePlace: store.place, networkName: network.name, networkPlace: network.place,
            created: now)
        // In hand from its first moment on: what is written next is its state after a step.
        record.isInHand = true
        return record
    }
}
