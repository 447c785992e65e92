package import ArgumentParser

/// `chirp config`: what is set, and where.
package struct ConfigCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The settings.",
        discussion: """
            EXAMPLES:
              chirp config show              every setting, and where it was made
              CHIRP_PRESET=music chirp config show
            """,
        subcommands: [ConfigShowCommand.self])

    package init() {}
}

/// `chirp config show`: each effective value and where it came from.
struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Every setting, its value and where it was made.",
        discussion: """
            EXAMPLES:
              chirp config show
              chirp config show --json | jq .settings.store

            A flag wins over a CHIRP_... variable, that over the file, that over what is built in. The file is the one \
            given with --config, or $XDG_CONFIG_HOME/chirp/config.yaml. Keys with a dot are nested in the file.
            """)

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let file: String
        let journal: String
        let hub: String
        let cache: String
        let settings: [String: Entry]
    }

    private struct Entry: Encodable {
        let value: String
        let origin: String
        let variable: String
        let example: String
    }

    func run() throws {
        let session = try common.session()
        let entries = ConfigField.all.map { field in
            let shown = field.show(session.config)
            return (
                field.name,
                Entry(
                    value: shown.text, origin: "\(shown.origin)", variable: field.variable, example: field.example)
            )
        }
        try session.console.answer(
            Answer(
                file: common.configFile ?? session.paths.configurationFile, journal: session.paths.journalFile,
                hub: session.paths.hub, cache: session.paths.cache,
                settings: Dictionary(uniqueKeysWithValues: entries)))
        let nameWidth = entries.map(\.0.count).max() ?? 0
        let valueWidth = entries.map(\.1.value.count).max() ?? 0
        for (name, entry) in entries {
            try session.console.say(
                "\(name.padded(to: nameWidth))  \(entry.value.padded(to: valueWidth))  # \(entry.origin)")
        }
    }
}
