package import ArgumentParser

/// `chirp publish`: the main job.
package struct PublishCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "A recording in, a link and a text to share out.",
        discussion: """
            EXAMPLES:
              chirp publish take.wav
              chirp publish take.wav --text 'Morning report from the harbour'
              cat take.wav | chirp publish - | tail -1
              chirp publish take.wav --begin 0:02 --end 0:30
              chirp publish song.flac --preset music --max-length none --title Song
              chirp publish take.wav --store folder --network none --expires 7d
              chirp publish take.wav --dry-run --json | jq .clip.predictedBytes

            Silence at the ends is removed, the loudness brought to -16 LUFS and the length limited to 140 s. The room of \
            the store is asked for before anything is sent. The share text goes to standard output; its last line is the \
            link alone. What is interrupted goes on with: chirp outbox resume
            """)

    @Argument(help: "A sound file, or - for standard input.", completion: .file())
    var input: String

    @OptionGroup var publication: PublicationOptions
    @OptionGroup var part: PartOptions

    @Flag(name: .long, help: "Remove the oldest clips from a store that is full.")
    var makeRoom = false

    @Flag(name: .long, help: "Publish anew what was published before.")
    var again = false

    @Flag(name: .long, help: "Decide everything, change nothing.")
    var dryRun = false

    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    package init() {}

    package func run() async throws {
        var session = try common.session()
        var clip = clip.choices
        part.apply(to: &clip)
        clip.apply(to: &session.config)
        publication.apply(to: &session.config)
        let view = session.console.progressView(ClipSteps.publishing)
        let job = Publishing(
            input: input, clip: clip, words: publication.text, again: again, dryRun: dryRun,
            makeRoom: makeRoom, wiring: Wiring(session: session),
            report: FlowReport(console: session.console, view: view))
        let receipt = try await Interruption.cancels(stopping: job.stop) {
            defer { view.end() }
            return try await job.receipt()
        }
        try job.show(receipt)
    }
}
