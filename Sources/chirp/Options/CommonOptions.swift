import ArgumentParser

/// What every command understands.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "One JSON document on standard output.")
    var json = false

    @Flag(name: .shortAndLong, help: "Errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Details too.")
    var verbose = false

    @Option(name: .long, help: "Progress on standard error: auto, plain or none.")
    var progress: ProgressStyle?

    @Option(name: .long, help: "Coloured words: auto, always or never.")
    var color: ColorUse?

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp("Settings instead of $XDG_CONFIG_HOME/chirp/config.yaml.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var configFile: String?

    var choices: CommonChoices {
        CommonChoices(
            json: json, quiet: quiet, verbose: verbose, progress: progress, color: color, configFile: configFile)
    }

    /// What the surroundings say, and the settings with this command line's common flags on top.
    func session() throws(ConfigError) -> Session { try choices.session() }

    /// The same with built-in settings only, for when they cannot be read.
    func sessionWithoutSettings() -> Session { choices.sessionWithoutSettings() }
}

/// One run of one command: its surroundings, settings and manner of speaking.
struct Session: Sendable {
    let environment: [String: String]
    let paths: Paths
    var config: Config
    let console: Console
}
