package import ArgumentParser
internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
internal import Foundation

/// `chirp inspect`: measures any readable file as it is.
package struct InspectCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "How loud a file is, and what is in it.",
        discussion: """
            EXAMPLES:
              chirp inspect take.wav
              chirp inspect clip.mp3 --json | jq .level.integratedLUFS
              chirp inspect take.wav --plot take.png
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

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Draw waveform, loudness, peaks, trim and cap: to a .png or .svg file, or - for the terminal.",
            valueName: "file"),
        completion: .file(extensions: ["png", "svg"]))
    var plot: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    package init() {}

    package func validate() throws {
        guard let plot, plot != "-", !plot.hasSuffix(".png"), !plot.hasSuffix(".svg") else { return }
        throw ValidationError("--plot takes a file that ends in .png or .svg, or - for the terminal.")
    }

    package func run() async throws {
        let session = try common.session()
        let (file, dualMono, target) = (file, mono == .dual, plot)
        let (inspection, drawing) = try await Interruption.cancels {
            try await Input.with(file, session) { input in
                try await offPool { () throws(AudioError) in
                    let inspection = try inspect(path: input.path, name: input.name, dualMono: dualMono)
                    return (
                        inspection,
                        try target.map { target throws(AudioError) in
                            try Self.draw(Plot(path: input.path, name: input.name), to: target)
                        }
                    )
                }
            }
        }
        try session.console.answer(inspection)
        try session.console.say(InspectionFormatter(inspection).text)
        if let drawing = drawing ?? nil { try session.console.say(drawing) }
        inspection.notes.forEach(session.console.tell)
    }

    /// Writes the picture, whole or not at all, or gives the text of it for the terminal.
    private static func draw(_ plot: Plot, to target: String) throws(AudioError) -> String? {
        guard target != "-" else { return plot.terminal(columns: 80) }
        let bytes = target.hasSuffix(".svg") ? plot.svg() : try plot.png()
        do throws(FileError) { try AtomicFile.write(bytes, to: target, mode: 0o666) } catch {
            throw .uncreatable(path: target, reason: .system(error.error))
        }
        return nil
    }
}
