import ArgumentParser
import FoundationEssentials

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

    /// What the surroundings say, and the settings with this command line's common flags on top.
    func session() throws(ConfigError) -> Session {
        let environment = ProcessInfo.processInfo.environment
        let loader = ConfigLoader(paths: Paths(environment: environment), environment: environment)
        return session(config: try loader.load(file: configFile), environment: environment)
    }

    /// The same with built-in settings only, for when they cannot be read.
    func sessionWithoutSettings() -> Session {
        session(config: Config(), environment: ProcessInfo.processInfo.environment)
    }

    private func session(config: Config, environment: [String: String]) -> Session {
        var config = config
        config.progress.override(progress, by: "--progress")
        config.color.override(color, by: "--color")
        let console = Console(
            json: json, quiet: quiet, verbose: verbose, colored: config.color.value.applies(environment),
            progress: quiet ? .none : config.progress.value, canDraw: Terminal.canDraw(environment))
        return Session(
            environment: environment, paths: Paths(environment: environment), config: config, console: console)
    }
}
