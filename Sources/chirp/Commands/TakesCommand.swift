import ArgumentParser

/// `chirp takes`: recordings of the microphone.
struct TakesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takes",
        abstract: "Recordings of the microphone: list, play, publish, delete.",
        discussion: """
            EXAMPLES:
              chirp takes                       what was recorded and not published
              chirp takes play last             the newest one
              chirp takes publish 2026-11-21    the beginning of a name is enough
              chirp takes delete last           asks first
            """,
        subcommands: [
            TakesListCommand.self, TakesPlayCommand.self, TakesPublishCommand.self, TakesDeleteCommand.self,
        ],
        defaultSubcommand: TakesListCommand.self)
}
