import ArgumentParser
import ChirpCommands
import ChirpFlows

/// `chirp takes publish`: a link for a take.
struct TakesPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a take.",
        discussion: """
            EXAMPLES:
              chirp takes publish last
              chirp takes publish last --begin 1.5
              chirp takes publish last --text 'Morning report' | tail -1

            The same as chirp publish with the take's file. The take stays and remembers its link.
            """)

    @Argument(help: "The beginning of a name, as chirp takes shows it, or last.")
    var take: String

    @OptionGroup var publication: PublicationOptions
    @OptionGroup var part: PartOptions

    @Flag(name: .long, help: "Publish anew what was published before.")
    var again = false

    @OptionGroup(title: "CLIP") var clip: ClipOptions
    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func run() async throws {
        var session = try common.session()
        var clip = clip.choices
        part.apply(to: &clip)
        clip.apply(to: &session.config)
        publication.apply(to: &session.config)
        let wiring = Wiring(session: session)
        let takes = wiring.takes
        try await Publishing.publish(
            try takes.take(take), in: takes, clip: clip, words: publication.text, again: again, wiring: wiring)
    }
}
