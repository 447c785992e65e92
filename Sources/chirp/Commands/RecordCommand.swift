import ArgumentParser
import ChirpAudio
import ChirpClips
import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows
import FoundationEssentials
import Glibc

/// `chirp record`: from the microphone to a take, a clip or a link.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the microphone: to a take, a clip or a link.",
        discussion: """
            EXAMPLES:
              chirp record                             a take, for later: chirp takes
              chirp record -o clip.mp3                 a clip
              chirp record --publish | tail -1         a link
              chirp record --publish --stop-on-silence 3s
              chirp record -o note.mp3 --device usb --max-length 30s

            Enter or space stops the recording. Ctrl-C stops it too, and what was taken is kept: -o still finishes its \
            clip, --publish publishes nothing, and the exit code is 130. What is recorded is on the disk at once, so \
            nothing is lost when the machine or the microphone fails. With --publish a recording ends after 140 s unless \
            --max-length says otherwise.
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The MP3 file, or - for standard output.", valueName: "out"),
        completion: .file(extensions: ["mp3"]))
    var output: String?

    @Flag(name: .long, help: "Publish it; see: chirp publish --help")
    var publish = false

    @Option(name: .long, help: ArgumentHelp("The microphone, or a part of its name.", valueName: "name"))
    var device: String?

    @Option(
        name: .long, help: ArgumentHelp("End after so much silence, such as 3s.", valueName: "time"),
        transform: { try LengthOfTime($0) })
    var stopOnSilence: LengthOfTime?

    @Flag(name: .long, help: "Keep the take too when -o has made a clip of it.")
    var keep = false

    @OptionGroup(title: "PUBLISHING") var publication: PublicationOptions
    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let take: TakeDocument
        let clippedSamples: Int
        let ended: String
    }

    func validate() throws {
        if output != nil && publish {
            throw ValidationError("-o and --publish exclude each other: a clip is kept here or published.")
        }
        if output == "-" && common.json {
            throw ValidationError("--json and -o - both want standard output; write the clip to a file.")
        }
        if publication.isGiven && !publish { throw ValidationError("Options about publishing need --publish.") }
        if keep && output == nil { throw ValidationError("--keep goes with -o; a take is kept in any case.") }
    }

    func run() async throws {
        var session = try common.session()
        let clip = clip.choices
        clip.apply(to: &session.config)
        publication.apply(to: &session.config)
        session.config.recordDevice.override(device.map { Choice($0) }, by: "--device")
        let encoding = output.map { output in
            { [session, clip] (path: String) in
                Encoding(
                    input: path, output: output, clip: clip, session: session,
                    progress: session.console.progressView(ClipSteps.making))
            }
        }
        try encoding?("").refuseTerminal()

        let wiring = Wiring(session: session)
        let takes = wiring.takes
        let path = try takes.newPath(at: Date())
        let longest = publish ? session.config.maxLength.value : clip.maxLength?.value
        var recording = TakeRecording(
            path: path, device: DeviceName(session.config.recordDevice.value),
            rules: RecordingRules(maximumLength: longest?.duration, stopOnSilence: stopOnSilence?.duration),
            session: session)
        if publish || output != nil && output != "-" {
            // Encoded meanwhile, so that the clip is there when the recording ends.
            recording.request = try clip.request(
                source: ClipSource(path: path, name: "recording", sha256: ""), config: session.config,
                maximumLength: longest, maximumBytes: publish ? session.config.maxBytes.value : clip.maxBytes?.value)
            recording.clipPath = try output ?? "\(session.paths.makeOutbox())/\(RandomName(length: 20)).mp3"
        }
        let (outcome, wasInterrupted) = try await recording.run()
        let take = try takes.take(at: path)
        let report = outcome.report
        let console = session.console
        tell(report, take, console)
        let recorded = outcome.clip.map {
            RecordedClip(made: $0, path: recording.clipPath, seconds: outcome.seconds)
        }
        if let failure = report.failure {
            console.note("The take is kept; publish it with: chirp takes publish \(take.id)")
            throw failure
        }

        if let encoding {
            try await finish(encoding(path), recorded, take, takes, session)
            if wasInterrupted { throw Interruption(whatToDo: "What was recorded is in the clip") }
        } else if wasInterrupted {
            if let recorded { unlink(recorded.path) }
            throw Interruption(whatToDo: "The take is kept; publish it with: chirp takes publish \(take.id)")
        } else if publish {
            try await Publishing.publish(
                take, in: takes, clip: clip, words: publication.text, recorded: recorded, wiring: wiring)
        } else {
            try session.console.answer(
                Answer(take: TakeDocument(take), clippedSamples: report.clipped, ended: report.end.rawValue))
            try session.console.say(take.path)
        }
    }

    private func tell(_ report: RecordingReport, _ take: Take, _ console: Console) {
        let reason =
            switch report.end {
            case .stopped: "Stopped"
            case .length: "The longest length is reached"
            case .silence: "Silence"
            case .full: "The file is as large as a WAV can be"
            case .failed: "The recording broke off"
            }
        console.note("\(reason): \(Figures.seconds(report.seconds)) recorded, take \(take.id).")
        if report.clipped > 0 {
            console.note("note: \(report.clipped) samples were clipped; turn the microphone down next time")
        }
    }

    /// Makes the clip; the take goes when the clip is whole.
    private func finish(
        _ job: Encoding, _ recorded: RecordedClip?, _ take: Take, _ takes: TakeFolder, _ session: Session
    ) async throws {
        let console = session.console
        do {
            let receipt = try await Interruption.cancels {
                guard let recorded else { return try await job.receipt() }
                return try await Input.with(take.path, session) { try recorded.receipt(of: $0.source) }
            }
            try console.answer(ReceiptDocument(receipt))
            console.note(ReceiptFormatter(receipt).summary)
            receipt.notes.forEach(console.tell)
        } catch {
            console.note("The take is kept: \(take.path)")
            throw error
        }
        if !keep { try takes.delete(take) }
    }
}
