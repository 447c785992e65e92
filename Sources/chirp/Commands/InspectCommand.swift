import ArgumentParser
import ChirpAudio
import ChirpClips
import ChirpCore

/// `chirp inspect`: measures any readable file as it is.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "How loud a file is, and what is in it.",
        discussion: """
            EXAMPLES:
              chirp inspect take.wav
              chirp inspect clip.mp3 --json | jq .level.integratedLUFS
              ffmpeg -i film.mkv -f wav - | chirp inspect -

            Loudness follows EBU R 128 (ITU-R BS.1770-4), peaks are true peaks. A mono file is measured as it is heard, \
            on both channels, unless --mono single is given.
            """)

    /// How a mono file counts.
    enum MonoCount: String, CaseIterable, ExpressibleByArgument {
        case dual
        case single
    }

    @Argument(help: "A sound file, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "A mono file as heard on two channels (dual) or on one (single).")
    var mono: MonoCount = .dual

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        let session = try common.session()
        let (file, dualMono) = (file, mono == .dual)
        let inspection = try await Interruption.cancels {
            try await Input.with(file, session) { input in
                try await offPool { () throws(AudioError) in
                    try inspect(path: input.path, name: input.name, dualMono: dualMono)
                }
            }
        }
        try session.console.answer(inspection)
        try session.console.say(InspectionWords(inspection).text)
        inspection.notes.forEach(session.console.tell)
    }
}
