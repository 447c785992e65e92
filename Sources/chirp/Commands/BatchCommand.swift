import ArgumentParser
import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCommands
import ChirpCore
import ChirpFleet
import ChirpFlows
import ChirpMP3

/// `chirp batch`: a folder of recordings to a folder of clips.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "A folder of recordings as a folder of MP3 files.",
        discussion: """
            EXAMPLES:
              chirp batch recordings clips
              chirp batch recordings clips --dry-run              what would be done
              chirp batch albums mp3 --preset music --keep-tags
              chirp batch inbox clips --watch                     also what comes later
              chirp batch recordings clips --fleet nats://queue   by workers elsewhere
              chirp batch in out --json | jq -r 'select(.status == "failed").path'

            Every recording below IN becomes an MP3 below OUT, under the same name and in the same place. What is a \
            recording is told by its content. Run again, it makes only what is new, changed or missing. A file that fails \
            does not stop the others; it is listed at the end (exit 3). What a recording says about itself (title, \
            artist, cover ...) is left out unless --keep-tags is given. With --fleet the clips are made by workers on other \
            machines (chirp worker), and this one asks for them and puts them into their places.
            """)

    @Argument(help: "The folder of the recordings.", completion: .directory)
    var input: String

    @Argument(help: "The folder of the clips; made when it is not there.", completion: .directory)
    var output: String

    @Flag(name: .long, help: "Title, artist, album, comment and cover go into the clip.")
    var keepTags = false

    @Flag(name: .long, help: "Stop at the first failure.")
    var failFast = false

    @Flag(name: .long, help: "Say what would be done, and write nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Go on with what comes, until Ctrl-C.")
    var watch = false

    @OptionGroup(title: "FLEET") var fleet: FleetOptions
    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        if watch && dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
        if watch && failFast { throw ValidationError("--watch and --fail-fast exclude each other.") }
    }

    func run() async throws {
        var session = try common.session()
        clip.choices.apply(to: &session.config)
        fleet.apply(to: &session.config)
        let request = try request(session.config)
        let report = BatchReport(console: session.console, isDryRun: dryRun, isWatching: watch)
        let wiring = Wiring(session: session)
        var ports = try wiring.batchPorts { report.take($0) }
        if let addresses = fleet.fleet {
            try checkForFleet(request)
            ports = FleetBatch(try wiring.fleetSettings(addresses), roots: try wiring.fleetRoots()).ports(ports)
        }
        let flow = BatchFlow(ports)
        let summary: BatchSummary
        do {
            summary = try await Interruption.cancels(cure: "Run it again: what is done stays done") {
                if watch { try await flow.watch(request) }
                return try await flow.run(request)
            }
            report.end()
        } catch {
            report.end()
            throw report.failure ?? error
        }
        try report.conclude(summary)
        if !summary.failures.isEmpty { throw Ending(code: .partial) }
    }

    /// Every job carries the cover, and a message holds 1 MiB.
    private func checkForFleet(_ request: BatchRequest) throws {
        guard let cover = request.clip.tag.cover, cover.count > Self.largestCover else { return }
        throw ValidationError("--cover has more than 64 KiB, which is too much for the messages of a fleet.")
    }

    private static let largestCover = 64 << 10

    private func request(_ config: Config) throws(AudioError) -> BatchRequest {
        let clip = clip.choices
        let clipOrder = try clip.request(
            source: ClipSource(path: "", name: "", sha256: ""), config: config, maximumLength: clip.maxLength?.value,
            maximumBytes: clip.maxBytes?.value)
        return BatchRequest(
            source: input, target: output, clip: clipOrder, keepsTags: keepTags, failsFast: failFast, isDryRun: dryRun)
    }
}
