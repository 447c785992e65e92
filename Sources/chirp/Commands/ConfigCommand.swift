import ArgumentParser

/// `chirp config`: what is set, and where.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The settings.",
        discussion: """
            EXAMPLES:
              chirp config show              every setting, and where it was made
              CHIRP_PRESET=music chirp config show
            """,
        subcommands: [ConfigShowCommand.self])
}
