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
        let paths = Paths(environment: environment)
        var config = try ConfigLoader(paths: paths, environment: environment).load(file: configFile)
        config.progress.override(progress, by: "--progress")
        config.color.override(color, by: "--color")
        let console = Console(
            json: json, quiet: quiet, verbose: verbose, colored: config.color.value.applies(environment),
            progress: quiet ? .none : config.progress.value, canDraw: Terminal.canDraw(environment))
        return Session(environment: environment, paths: paths, config: config, console: console)
    }
}
