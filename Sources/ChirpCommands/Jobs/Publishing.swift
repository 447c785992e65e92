internal import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
package import ChirpFlows
internal import ChirpMP3
internal import ChirpOwnHub

/// One publication: what `publish`, `record --publish` and `takes publish` have in common.
package struct Publishing: Sendable {
    /// A path, or `-` for standard input.
    let input: String
    let clip: ClipChoices
    let words: String?
    var again = false
    var dryRun = false
    /// Remove the oldest clips from a store that is full.
    var makeRoom = false
    /// The clip, when it was made beside the recording.
    var recorded: RecordedClip?
    let wiring: Wiring
    let report: FlowReport
    /// What a signal stops; see ``Interruption/cancels(cure:stopping:_:)``.
    package let stop = PublicationStop()

    private var session: Session { wiring.session }

    package init(
        input: String, clip: ClipChoices, words: String?, again: Bool = false, dryRun: Bool = false,
        makeRoom: Bool = false, recorded: RecordedClip? = nil, wiring: Wiring, report: FlowReport
    ) {
        (self.input, self.clip, self.words) = (input, clip, words)
        (self.again, self.dryRun, self.makeRoom) = (again, dryRun, makeRoom)
        (self.recorded, self.wiring, self.report) = (recorded, wiring, report)
    }

    package func receipt() async throws -> Receipt {
        let config = session.config
        let folder = try session.paths.makeOutbox()
        let clock = ContinuousClock()
        let begin = clock.now
        let input = try await Input(input, spoolingInto: folder, lasts: true)
        let read = clock.now - begin
        do {
            let request = try self.request(input)
            let sound = KnownSound(recorded?.sound)
            let store = try wiring.store(config.store.value, sound: sound)
            let network = try wiring.network(config.network.value)
            var ports = try self.ports()
            if let recorded {
                ports.plan = { (request, _) async throws(AudioError) in try recorded.maker(request) }
            } else if store is HubStore {
                ports.plan = { (request, progress) async throws(AudioError) in
                    try await ClipMaker.live(
                        request, outline: { sound.set(ClipPicture.sound($0)) }, progress: progress)
                }
            }
            let flow = PublishFlow(ports)
            var receipt =
                try await dryRun
                ? flow.preview(request, store: store, network: network)
                : flow.run(request, store: store, network: network)
            if dryRun { input.remove() }
            receipt.timings.read = read / .seconds(1)
            receipt.timings.total = (clock.now - begin) / .seconds(1)
            return receipt
        } catch let failure as PublishFailure {
            // From the first row on the copy belongs to the publication, which removes it when it ends.
            if dryRun { input.remove() }
            throw failure
        } catch {
            input.remove()
            throw error
        }
    }

    /// Says what came of it: the document, or notes and the share text with the link as its last line.
    package func show(_ receipt: Receipt) throws {
        let console = session.console
        try console.answer(ReceiptDocument(receipt))
        for note in receipt.notes where report.isNew(note) { console.tell(note) }
        let summary = ReceiptFormatter(receipt).summary
        if dryRun {
            try console.say("would publish \(summary)")
        } else {
            console.note(summary)
            try console.say(receipt.shareText ?? "")
        }
    }

    private func ports() throws -> FlowPorts {
        var ports = try wiring.ports(report: report.take)
        ports.stop = stop
        guard makeRoom, !dryRun else { return ports }
        let (sweep, report) = (Sweep(ports), report)
        ports.makeRoom = { (needed, free, store) async throws(PublishFailure) in
            let count = try await sweep.makeRoom(for: needed, free: free, in: store).expired.count
            report.take(.note(Receipt.Note(code: "made-room", text: "removed the \(count) oldest clips")))
        }
        return ports
    }

    private func request(_ input: Input) throws -> PublishRequest {
        let config = session.config
        let request = try clip.request(
            source: input.source, config: config, maximumLength: config.maxLength.value,
            maximumBytes: config.maxBytes.value)
        return PublishRequest(
            clip: request, inputIsSpooled: input.isTemporary, title: request.tag.title ?? "",
            words: PlainText(words ?? "", limit: 5000).value, lifetime: config.expires.value?.duration, again: again)
    }
}
