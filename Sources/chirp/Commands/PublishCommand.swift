import ArgumentParser
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFlows
import ChirpHub

/// `chirp publish`: the main job.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "A recording in, a link and a text to share out.",
        discussion: """
            EXAMPLES:
              chirp publish take.wav
              chirp publish take.wav --text 'Morning report from the harbour'
              cat take.wav | chirp publish - | tail -1
              chirp publish song.flac --preset music --max-length none --title Song
              chirp publish take.wav --store folder --network none --expires 7d
              chirp publish take.wav --dry-run --json | jq .clip.predictedBytes

            Silence at the ends is removed, the loudness brought to -16 LUFS and the length limited to 140 s. The room of \
            the store is asked for before anything is sent. The share text goes to standard output; its last line is the \
            link alone. What is interrupted goes on with: chirp outbox resume
            """)

    @Argument(help: "A sound file, or - for standard input.", completion: .file())
    var input: String

    @Option(name: .long, help: ArgumentHelp("Extra words for the share text.", valueName: "words"))
    var text: String?

    @Option(name: .long, help: "Where the bytes live: hub or folder.")
    var store: StoreName?

    @Option(name: .long, help: "Where the post lives: hub, or none to post it yourself.")
    var network: NetworkName?

    @Option(
        name: .long, help: ArgumentHelp("How long the clip stays, such as 7d, or never.", valueName: "time"),
        transform: { text in Choice(try LengthOfTime?(configText: text)) })
    var expires: Choice<LengthOfTime>?

    @Flag(name: .long, help: "Publish anew what was published before.")
    var again = false

    @Flag(name: .long, help: "Decide everything, change nothing.")
    var dryRun = false

    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        var session = try common.session()
        clip.apply(to: &session.config)
        session.config.store.override(store, by: "--store")
        session.config.network.override(network, by: "--network")
        session.config.expires.override(expires, by: "--expires")
        let console = session.console
        let view = console.progressView(ClipSteps.publishing)
        let work = Work(command: self, session: session, report: FlowReport(console: console, view: view))
        let receipt = try await Interruption.cancels {
            defer { view.end() }
            return try await work.receipt()
        }
        try console.answer(receipt)
        for note in receipt.notes where work.report.isNew(note) { console.tell(note) }
        let summary = ReceiptWords(receipt).summary
        if dryRun {
            try console.say("would publish \(summary)")
        } else {
            console.note(summary)
            try console.say(receipt.shareText ?? "")
        }
    }

    /// What can be interrupted.
    private struct Work: Sendable {
        let command: PublishCommand
        let session: Session
        let report: FlowReport

        func receipt() async throws -> Receipt {
            let (wiring, config) = (Wiring(session: session), session.config)
            let folder = try session.paths.makeOutbox()
            let clock = ContinuousClock()
            let begin = clock.now
            let input = try await Input(command.input, spoolingInto: folder)
            let read = clock.now - begin
            do {
                let order = try self.order(input)
                let store = try wiring.store(config.store.value)
                let network = try wiring.network(config.network.value)
                let flow = PublishFlow(try wiring.ports(report: report.take))
                var receipt =
                    try await command.dryRun
                    ? flow.preview(order, store: store, network: network)
                    : flow.run(order, store: store, network: network)
                if command.dryRun { input.remove() }
                receipt.timings.read = read / .seconds(1)
                receipt.timings.total = (clock.now - begin) / .seconds(1)
                return receipt
            } catch let failure as PublishFailure {
                // From the first row on the copy belongs to the publication, which removes it when it ends.
                if command.dryRun { input.remove() }
                throw failure
            } catch {
                input.remove()
                throw error
            }
        }

        private func order(_ input: Input) throws -> PublishOrder {
            let config = session.config
            let clip = try command.clip.order(
                source: input.source, config: config, maximumLength: config.maxLength.value,
                maximumBytes: config.maxBytes.value)
            return PublishOrder(
                clip: clip, inputIsSpooled: input.isTemporary, title: clip.tag.title ?? "",
                words: PlainText(command.text ?? "", limit: 5000).value, lifetime: config.expires.value?.duration,
                again: command.again)
        }
    }
}
