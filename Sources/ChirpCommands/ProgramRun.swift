package import ArgumentParser
package import ChirpCommunity
package import ChirpCore
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// One run of a program, from its command line on. It is the one place that decides how the process ends.
package struct ProgramRun: Sendable {
    /// The program's commands.
    private let root: any ParsableCommand.Type
    private let missing: @Sendable (String) -> (any Explained)?

    /// - Parameters:
    ///   - root: the commands.
    ///   - boards: the tables of its boards; asked for when a library is opened.
    ///   - missing: the reason why a command is not in this program; nil leaves an unknown word to the parser.
    package init(
        _ root: any ParsableCommand.Type, boards: @escaping @Sendable () -> [BoardTables],
        missing: @escaping @Sendable (String) -> (any Explained)? = { _ in nil }
    ) {
        self.root = root
        self.missing = missing
        Program.tables.withLock { $0 = boards }
    }

    /// - Parameter arguments: the command line without the program's name.
    package func run(_ arguments: [String]) async {
        let given = arguments.prefix { $0 != "--" }
        do {
            if let first = arguments.first, !first.hasPrefix("-"), let reason = missing(first) { throw reason }
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
    private func command(for arguments: [String]) throws -> any ParsableCommand {
        let types = root.configuration.subcommands
        if let type = types.first(where: { $0._commandName == arguments.first }),
            type.configuration.subcommands.isEmpty,
            let command = try? type.parseAsRoot(Array(arguments.dropFirst())), Swift.type(of: command) == type
        {
            return command
        }
        return try root.parseAsRoot(arguments)
    }

    private func end(_ error: any Error, arguments: [String], json: Bool) -> Never {
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
    private func finish(_ error: any Error, arguments: [String], json: Bool) -> Never {
        let code = root.exitCode(for: error)
        if code.isSuccess {
            try? Terminal.write(root.fullMessage(for: error) + "\n")
            exit(ChirpCore.ExitCode.done.rawValue)
        }
        guard code == .validationFailure else { finish(ErrorReport(unexpected: error), json: json) }
        finish(ErrorReport(usage: root.message(for: error), command: command(of: arguments)), json: json)
    }

    private func finish(_ report: ErrorReport, json: Bool, verbose: Bool = false) -> Never {
        // The settings may be what is wrong, so only the environment is asked.
        report.show(json: json, colored: ColorUse.auto.applies(ProcessInfo.processInfo.environment), verbose: verbose)
        exit(report.exit)
    }

    /// The commands that the line begins with, for `--help`.
    private func command(of arguments: [String]) -> [String] {
        var words = ["chirp"]
        var types: [any ParsableCommand.Type] = root.configuration.subcommands
        for argument in arguments {
            guard let next = types.first(where: { $0._commandName == argument }) else { break }
            words.append(argument)
            types = next.configuration.subcommands
        }
        return words
    }
}
