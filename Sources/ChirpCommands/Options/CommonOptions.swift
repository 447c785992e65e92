package import ArgumentParser

/// What every command understands.
package struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "One JSON document on standard output.")
    package var json = false

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
    package var configFile: String?

    var choices: CommonChoices {
        CommonChoices(
            json: json, quiet: quiet, verbose: verbose, progress: progress, color: color, configFile: configFile)
    }

    package init() {}

    /// What the surroundings say, and the settings with this command line's common flags on top.
    package func session() throws(ConfigError) -> Session { try choices.session() }

    /// The same with built-in settings only, for when they cannot be read.
    package func sessionWithoutSettings() -> Session { choices.sessionWithoutSettings() }
}

/// One run of one command: its surroundings, settings and manner of speaking.
package struct Session: Sendable {
    package let environment: [String: String]
    package let paths: Paths
    package var config: Config
    package let console: Console

    package init(environment: [String: String], paths: Paths, config: Config, console: Console) {
        (self.environment, self.paths, self.config, self.console) = (environment, paths, config, console)
    }
}
