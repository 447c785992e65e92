import ArgumentParser
import ChirpCommands
import ChirpCore

/// The commands of `chirp` that need no server. A first `make run SERVE=0` builds them alone, in less than half of the time, to publish the
/// sample; nothing installs them.
struct FirstRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chirp",
        abstract: "Sound into posts: a recording in, a link out.",
        discussion: "This is a part of the program. All of it: make build",
        version: Program.version,
        subcommands: [
            PublishCommand.self, EncodeCommand.self, InspectCommand.self, DevicesCommand.self, OutboxCommand.self,
            ConfigCommand.self,
        ])
}

/// A command that the whole program may have, and this part has not.
struct NotBuiltError: Explained, Hashable {
    let command: String

    /// Nil for a command of this part, and for the parser's own.
    init?(_ command: String) {
        let here = FirstRun.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !(here + ["help"]).contains(command) else { return nil }
        self.command = command
    }

    var whatHappened: String { "this part of the program has no command '\(PlainText(command, limit: 100))'" }
    var cure: Cure { .advice("Build all of it: make build") }
    var exitCode: ChirpCore.ExitCode { .usage }
}
