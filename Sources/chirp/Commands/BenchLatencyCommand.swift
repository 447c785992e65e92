import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpDevices
import Foundation

/// `chirp bench latency`: from a post to its first sample, and from the end of a recording to its link.
struct BenchLatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "From a post to its sound, from a recording to its link.",
        discussion: """
            EXAMPLES:
              chirp bench latency
              chirp bench latency --clips 100 --json | jq '.rows[] | {stage, p95}'

            Clips are posted on a hub of its own and listened to on the loudspeaker, each when the one before was heard; the \
            last stage ends when the first sample goes to the sound server, whose buffer comes on top. Recordings of 10 s \
            and 140 s are synthesised and made into clips and links. Nothing of yours is touched. Nothing else should run \
            meanwhile.
            """)

    @Option(name: .long, help: ArgumentHelp("Clips to listen to, 1 to 1000.", valueName: "n"))
    var clips = 20

    @Option(name: .long, help: ArgumentHelp("Recordings of each length, 1 to 100.", valueName: "n"))
    var rounds = 5

    @Option(name: .long, help: ArgumentHelp("The loudspeaker, or a part of its name.", valueName: "name"))
    var device: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let rows: [LatencyRow]
    }

    func validate() throws {
        guard (1...1000).contains(clips) else { throw ValidationError("--clips takes 1 to 1000.") }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds takes 1 to 100.") }
    }

    func run() async throws {
        let session = try common.session()
        let folder = "\(session.paths.temporary)/chirp-bench-\(RandomName(length: 12))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = session.environment
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"] {
            environment[name] = folder
        }
        var own = Session(
            environment: environment, paths: Paths(environment: environment), config: Config(), console: session.console
        )
        own.config.liveDevice = session.config.liveDevice
        own.config.liveDevice.override(device.map { Choice($0) }, by: "--device")
        own.config.liveChime.value = false
        let bench = LatencyBench(session: own, clips: clips, lengths: [10, 140], rounds: rounds)
        let progress = session.console.progressView([ProgressView.Step(name: "bench", weight: 1)])
        let rows = try await Interruption.cancels {
            defer { progress.end() }
            return try await bench.run { progress.advance("bench", to: $0) }
        }
        try session.console.answer(Answer(rows: rows))
        for line in LatencyRow.table(rows) { try session.console.say(line) }
    }
}
