import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFlows
import ChirpMP3
import ChirpOwnHub
import Glibc

/// One publication: what `publish`, `record --publish` and `takes publish` have in common.
struct Publishing: Sendable {
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
    let stop = PublicationStop()

    private var session: Session { wiring.session }

    func receipt() async throws -> Receipt {
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
    func show(_ receipt: Receipt) throws {
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

extension Publishing {
    /// Publishes a take, notes its link beside it, and says what came of it. What is interrupted goes on in the outbox.
    static func publish(
        _ take: Take, in takes: TakeFolder, clip: ClipChoices, words: String?, again: Bool = false,
        recorded: RecordedClip? = nil, wiring: Wiring
    ) async throws {
        // What no publication has taken.
        defer { if let recorded { unlink(recorded.path) } }
        let console = wiring.session.console
        let view = console.progressView(ClipSteps.publishing)
        let job = Publishing(
            input: take.path, clip: clip, words: words, again: again, recorded: recorded, wiring: wiring,
            report: FlowReport(console: console, view: view))
        let receipt = try await Interruption.cancels(stopping: job.stop) {
            defer { view.end() }
            return try await job.receipt()
        }
        try takes.publish(take, link: receipt.store?.link ?? "")
        try job.show(receipt)
    }
}
