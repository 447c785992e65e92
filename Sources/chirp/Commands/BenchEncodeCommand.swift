import ArgumentParser
import ChirpAudio
import ChirpCommands
import ChirpCore

/// `chirp bench encode`: whole clips beside LAME alone, in turn.
struct BenchEncodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Whole clips beside their encoder alone.",
        discussion: """
            EXAMPLES:
              chirp bench encode
              chirp bench encode --rounds 9 --json | jq '.rows[] | {name, seconds, ratio}'

            Recordings of 10 s and 140 s are synthesised, then made into clips (trimmed, measured, normalised, encoded, \
            decoded again and checked), in turn with LAME alone on one thread. A ratio is taken within a round, so that \
            the machine's mood touches both sides; quoted is the median. Nothing else should run meanwhile.
            """)

    @Option(name: .long, help: ArgumentHelp("Rounds, 1 to 100.", valueName: "n"))
    var rounds = 3

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Length of a recording, 1 to 3600; may be given again. (default: 10 and 140)", valueName: "s"))
    var seconds: [Int] = []

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds takes 1 to 100.") }
        guard seconds.allSatisfy((1...3600).contains) else { throw ValidationError("--seconds takes 1 to 3600.") }
    }

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let rounds: Int
        let rows: [BenchRow]
    }

    func run() async throws {
        let session = try common.session()
        let bench = EncodeBench(
            folder: session.paths.temporary, lengths: seconds.isEmpty ? [10, 140] : seconds, rounds: rounds)
        let progress = session.console.progressView([ProgressView.Step(name: "bench", weight: 1)])
        let rows = try await Interruption.cancels {
            defer { progress.end() }
            return try await offPool { () throws(AudioError) in
                try bench.run { progress.advance("bench", to: $0) }
            }
        }
        try session.console.answer(Answer(rounds: rounds, rows: rows))
        for line in BenchRow.table(rows) { try session.console.say(line) }
    }
}
