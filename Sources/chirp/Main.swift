import ArgumentParser
import ChirpCore
import ChirpIntake
import FoundationEssentials
import Glibc

/// Where the process begins, and the one place that decides how it ends.
@main
enum Main {
    static func main() async {
        // A reader that has gone away is an error of write(2), which ends the run quietly after tidying up.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Before there is a second thread.
        IntakeChild.runIfAsked(by: arguments)
        let given = arguments.prefix { $0 != "--" }
        do {
            if arguments.first == EncodeCommand.name, let line = EncodeLine(plain: arguments.dropFirst()) {
                return try await line.run()
            }
            var command = try command(for: arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error, arguments: arguments, json: given.contains("--json"))
        }
    }

    /// What the line asks for.
    ///
    /// From the root the parser looks at all commands first, which takes 2 ms; so a line that begins with a command is
    /// given to that one. Whatever is no plain use of it (help, mistakes, commands of commands) goes through the root.
    private static func command(for arguments: [String]) throws -> any ParsableCommand {
        let types = Chirp.configuration.subcommands
        if let type = types.first(where: { $0._commandName == arguments.first }),
            type.configuration.subcommands.isEmpty,
            let command = try? type.parseAsRoot(Array(arguments.dropFirst())), Swift.type(of: command) == type
        {
            return command
        }
        return try Chirp.parseAsRoot(arguments)
    }

    private static func end(_ error: any Error, arguments: [String], json: Bool) -> Never {
        switch error {
        case let ending as Ending:
            exit(ending.code.rawValue)
        case OutputError.closed:
            // As every filter ends whose reader has gone: by the signal, so that the shell knows.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            exit(ChirpCore.ExitCode.done.rawValue)
        case let error as any Explained:
            finish(
                ErrorReport(error), json: json,
                verbose: arguments.prefix { $0 != "--" }.contains { $0 == "-v" || $0 == "--verbose" })
        default:
            finish(error, arguments: arguments, json: json)
        }
    }

    /// Help, version and mistakes of usage come from the parser; what is left is a bug.
    private static func finish(_ error: any Error, arguments: [String], json: Bool) -> Never {
        let code = Chirp.exitCode(for: error)
        if code.isSuccess {
            try? Terminal.write(Chirp.fullMessage(for: error) + "\n")
            exit(ChirpCore.ExitCode.done.rawValue)
        }
        guard code == .validationFailure else { finish(ErrorReport(unexpected: error), json: json) }
        finish(ErrorReport(usage: Chirp.message(for: error), command: command(of: arguments)), json: json)
    }

    private static func finish(_ report: ErrorReport, json: Bool, verbose: Bool = false) -> Never {
        // The settings may be what is wrong, so only the environment is asked.
        report.show(json: json, colored: ColorUse.auto.applies(ProcessInfo.processInfo.environment), verbose: verbose)
        exit(report.exit)
    }

    /// The commands that the line begins with, for `--help`.
    private static func command(of arguments: [String]) -> [String] {
        var words = ["chirp"]
        var types: [any ParsableCommand.Type] = Chirp.configuration.subcommands
        for argument in arguments {
            guard let next = types.first(where: { $0._commandName == argument }) else { break }
            words.append(argument)
            types = next.configuration.subcommands
        }
        return words
    }
}
