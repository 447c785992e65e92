import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows

/// `chirp takes play`: listens to a take.
struct TakesPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Listen to a take.",
        discussion: """
            EXAMPLES:
              chirp takes play last             the newest one
              chirp takes play 2026-11-21       the beginning of a name is enough
              chirp takes play last --device headset

            Space pauses and goes on; q, Enter or Ctrl-C ends it.
            """)

    @Argument(help: "The beginning of a name, as chirp takes shows it, or last.")
    var take: String

    @Option(name: .long, help: ArgumentHelp("The loudspeaker, or a part of its name.", valueName: "name"))
    var device: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let take: TakeDocument
        /// Seconds that were heard.
        let heard: Double
    }

    func run() async throws {
        var session = try common.session()
        session.config.liveDevice.override(device.map { Choice($0) }, by: "--device")
        let take = try Wiring(session: session).takes.take(take)
        let playing = FilePlaying(
            path: take.path, name: take.id, titles: PlaybackTitles(name: "Take", title: take.id),
            device: DeviceName(session.config.liveDevice.value), console: session.console)
        session.console.note("Playing \(take.id), \(Figures.clock(take.seconds)).")
        let heard = try await Interruption.cancels { try await playing.run() }
        try session.console.answer(Answer(take: TakeDocument(take), heard: heard))
    }
}
