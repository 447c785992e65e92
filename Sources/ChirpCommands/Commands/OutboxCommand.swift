package import ArgumentParser

/// `chirp outbox`: what is not finished.
package struct OutboxCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "What is not finished: list, resume, drop.",
        discussion: """
            EXAMPLES:
              chirp outbox                    what is not finished, and why
              chirp outbox resume             go on where it stopped
              chirp outbox drop 3kf9          give one up, and remove what it has made
            """,
        subcommands: [OutboxListCommand.self, OutboxResumeCommand.self, OutboxDropCommand.self],
        defaultSubcommand: OutboxListCommand.self)

    package init() {}
}
