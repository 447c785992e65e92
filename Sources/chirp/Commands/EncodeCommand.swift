import ArgumentParser
import ChirpAudio
import ChirpClips
import ChirpCore
import Glibc

/// `chirp encode`: the same audio path as `publish`, to a file or a pipe.
struct EncodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "A recording as an MP3 file, published nowhere.",
        discussion: """
            EXAMPLES:
              chirp encode take.wav -o clip.mp3
              chirp encode concert.flac -o concert.mp3 --preset music
              arecord -d 10 | chirp encode - -o - > clip.mp3
              chirp encode talk.wav -o talk.mp3 --max-bytes 5MB --json | jq .clip

            Silence at the ends is removed and the loudness brought to -16 LUFS, with no true peak above -1 dBTP. There is \
            no limit of length unless --max-length is given. The file appears when it is whole and checked.
            """)

    @Argument(help: "A sound file, or - for standard input.", completion: .file())
    var input: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The MP3 file, or - for standard output.", valueName: "out"),
        completion: .file(extensions: ["mp3"]))
    var output: String

    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        guard output == "-" else { return }
        if common.json {
            throw ValidationError("--json and -o - both want standard output; write the clip to a file.")
        }
    }

    func run() async throws {
        var session = try common.session()
        clip.apply(to: &session.config)
        if output == "-" && isatty(STDOUT_FILENO) == 1 {
            throw UsageError("an MP3 is not for a terminal to show", cure: "Give -o FILE, or send it into a pipe")
        }
        let work = Work(
            argument: input, output: output, clip: clip, session: session,
            progress: session.console.progressView(ClipSteps.making))
        let receipt = try await Interruption.cancels { try await work.receipt() }
        try session.console.answer(receipt)
        session.console.note(ReceiptWords(receipt).summary)
        receipt.notes.forEach(session.console.tell)
    }

    /// What can be interrupted.
    private struct Work: Sendable {
        let argument: String
        let output: String
        let clip: ClipOptions
        let session: Session
        let progress: ProgressView

        func receipt() async throws -> Receipt {
            defer { progress.end() }
            let clock = ContinuousClock()
            let begin = clock.now
            return try await Input.with(argument, session) { input in
                let read = clock.now - begin
                try refuseOverwriting(input)
                let order = try clip.order(
                    source: input.source, config: session.config, maximumLength: clip.maxLength?.value,
                    maximumBytes: clip.maxBytes?.value)
                let destination: ClipDestination = output == "-" ? .descriptor(STDOUT_FILENO) : .file(output)
                var receipt = try await made(order, to: destination)
                receipt.timings.read = read / .seconds(1)
                receipt.timings.total = (clock.now - begin) / .seconds(1)
                return receipt
            }
        }

        private func made(_ order: ClipOrder, to destination: ClipDestination) async throws -> Receipt {
            let progress = progress
            do throws(AudioError) {
                return try await offPool { () throws(AudioError) in
                    let show: @Sendable (ClipProgress) -> Void = { progress.advance($0.step.rawValue, to: $0.fraction) }
                    return try make(try prepare(order, progress: show), to: destination, progress: show)
                }
            } catch {
                if case .inputOutput = error, output == "-", Terminal.readerHasGone { throw OutputError.closed }
                throw error
            }
        }

        private func refuseOverwriting(_ input: Input) throws(UsageError) {
            var (from, to) = (stat(), stat())
            guard output != "-", stat(input.path, &from) == 0, stat(output, &to) == 0,
                from.st_dev == to.st_dev, from.st_ino == to.st_ino
            else { return }
            throw UsageError("the output is the input itself", cure: "Give another -o FILE")
        }
    }
}
