/// A command as the argument parser describes it (`--experimental-dump-help`); only what the manual needs.
struct CommandFacts: Decodable {
    struct Tool: Decodable {
        let command: CommandFacts
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var written: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?
    }

    let commandName: String
    let superCommands: [String]?
    let shouldDisplay: Bool
    let abstract: String?
    let discussion: String?
    let subcommands: [CommandFacts]?
    let arguments: [Argument]?

    /// As typed: `chirp config show`.
    var words: [String] { (superCommands ?? []) + [commandName] }
}
