import ChirpCommands
import ChirpCore

/// One man page, in the macros of man(7), made from what the argument parser knows.
struct ManualPage {
    /// `chirp-publish`.
    let name: String
    let text: String

    /// A page for the program and for each of its commands.
    static func all(of command: CommandFacts) -> [ManualPage] {
        let below = (command.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
        return [ManualPage(command, subcommands: below)] + below.flatMap(all)
    }

    private init(_ command: CommandFacts, subcommands: [CommandFacts]) {
        name = command.words.joined(separator: "-")
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
        let (examples, description) = Self.parts(of: command.discussion ?? "")
        var lines = [
            ".TH \(Self.escaped(name.uppercased())) 1 \"\" \"Chirp \(Program.version)\" \"Chirp\"",
            ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(command.abstract ?? ""))",
            ".SH SYNOPSIS",
            "\\fB\(Self.escaped(command.words.joined(separator: " ")))\\fR "
                + Self.synopsis(arguments, hasSubcommands: !subcommands.isEmpty),
        ]
        if !examples.isEmpty { lines += [".SH EXAMPLES", ".nf"] + examples.map(Self.escapedLine) + [".fi"] }
        if !description.isEmpty {
            lines.append(".SH DESCRIPTION")
            for paragraph in description { lines += [".PP", Self.escapedLine(paragraph)] }
        }
        if !subcommands.isEmpty {
            lines.append(".SH COMMANDS")
            for below in subcommands {
                lines += [".TP", "\\fB\(Self.escaped(below.commandName))\\fR", Self.escapedLine(below.abstract ?? "")]
            }
        }
        let positional = arguments.filter { $0.kind == "positional" }
        let options = arguments.filter { $0.kind != "positional" }
        if !positional.isEmpty { lines.append(".SH ARGUMENTS") }
        for argument in positional { lines += Self.entry(argument) }
        if !options.isEmpty { lines.append(".SH OPTIONS") }
        for option in options { lines += Self.entry(option) }
        text = (lines + Self.common + Self.seeAlso(command, subcommands)).joined(separator: "\n") + "\n"
    }

    /// The example lines and the paragraphs of a discussion.
    private static func parts(of discussion: String) -> (examples: [String], description: [String]) {
        var (examples, description): ([String], [String]) = ([], [])
        var inExamples = false
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "EXAMPLES:" {
                inExamples = true
            } else if line.isEmpty {
                inExamples = false
            } else if inExamples {
                examples.append(String(line))
            } else {
                description.append(String(line))
            }
        }
        return (examples, description)
    }

    private static func synopsis(_ arguments: [CommandFacts.Argument], hasSubcommands: Bool) -> String {
        if hasSubcommands { return "\\fICOMMAND\\fR" }
        let needed = arguments.filter { !$0.isOptional }.map { argument in
            let value = "\\fI\(escaped((argument.valueName ?? "").uppercased()))\\fR"
            guard argument.kind != "positional", let name = argument.names?.last else { return value }
            return "\\fB\(escaped(name.written))\\fR \(value)"
        }
        return (needed + ["[\\fIoptions\\fR]"]).joined(separator: " ")
    }

    private static func entry(_ argument: CommandFacts.Argument) -> [String] {
        let value = "\\fI\(escaped((argument.valueName ?? "").uppercased()))\\fR"
        var head = value
        if argument.kind != "positional" {
            head = (argument.names ?? []).map { "\\fB\(escaped($0.written))\\fR" }.joined(separator: ", ")
            if argument.kind == "option" { head += " \(value)" }
        }
        return [".TP", head, escapedLine(argument.abstract ?? "")]
    }

    private static let common =
        [".SH EXIT STATUS"]
        + ExitMeaning.all.flatMap { [".TP", "\\fB\($0.code.rawValue)\\fR", escapedLine($0.meaning)] }
        + [
            ".SH FILES",
            ".TP", "\\fI$XDG_CONFIG_HOME/chirp/config.yaml\\fR", "Settings; see \\fBchirp\\-config\\-show\\fR(1).",
            ".TP", "\\fI$XDG_STATE_HOME/chirp/journal.sqlite\\fR", "What was begun and what became of it.",
            ".TP", "\\fI$XDG_DATA_HOME/chirp/hub/\\fR", "Pages and audio of the embedded hub.",
            ".SH ENVIRONMENT",
            ".TP", "\\fBCHIRP_...\\fR", "Every setting; the names are shown by \\fBchirp config show \\-\\-json\\fR.",
            ".TP", "\\fBNO_COLOR\\fR, \\fBTERM\\fR", "No colours when set, or when it is \\(lqdumb\\(rq.",
        ]

    private static func seeAlso(_ command: CommandFacts, _ subcommands: [CommandFacts]) -> [String] {
        let above = command.superCommands.map { [$0.joined(separator: "-")] } ?? []
        let names = (above + subcommands.map { $0.words.joined(separator: "-") })
        guard !names.isEmpty else { return [] }
        return [".SH SEE ALSO", names.map { "\\fB\(escaped($0))\\fR(1)" }.joined(separator: ", ")]
    }

    /// Backslashes and hyphens as roff wants them.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.append(character)
            }
        }
        return result
    }

    /// A whole line of text: it must not begin as a request.
    private static func escapedLine(_ text: String) -> String {
        let line = escaped(text)
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
