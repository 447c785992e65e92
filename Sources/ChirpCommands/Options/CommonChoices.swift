internal import ChirpCore
internal import FoundationEssentials

/// What a command line says of what every command understands.
struct CommonChoices: Sendable {
    var json = false
    var quiet = false
    var verbose = false
    var progress: ProgressStyle?
    var color: ColorUse?
    var configFile: String?

    /// What the surroundings say, and the settings with this command line's common flags on top.
    func session() throws(ConfigError) -> Session {
        let environment = ProcessInfo.processInfo.environment
        let loader = ConfigLoader(paths: Paths(environment: environment), environment: environment)
        let session = session(config: try loader.load(file: configFile), environment: environment)
        if let file = session.config.exposedFile {
            session.console.note(
                "note: \(PlainText(file, limit: 200)) holds a client's secret, and everybody on this machine can read it. Run: "
                    + "chmod 600 \(PlainText(file, limit: 200))")
        }
        return session
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
            environment: environment,
            paths: Paths(environment: environment, isStaging: config.hubStaging.value), config: config, console: console
        )
    }
}
