import ArgumentParser
import ChirpCommands
import ChirpFleet

/// How a fleet is reached; the same for batch and worker.
struct FleetOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The fleet's servers, such as nats://one:4222,nats://two:4222.", valueName: "urls"))
    var fleet: String?

    @Option(
        name: .customLong("root"),
        help: ArgumentHelp(
            "A folder that all machines reach, as NAME=PATH (workers: or NAME=https://...); may be given again.",
            valueName: "name=path"),
        completion: .directory)
    var roots: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Copies of the queue: 1, 3 or 5 (default: 3 for three servers).", valueName: "count"))
    var replicas: Int?

    /// Puts what was given on top of the settings.
    func apply(to config: inout Config) {
        config.fleetRoots.override(roots.isEmpty ? nil : Choice(roots.joined(separator: ",")), by: "--root")
        config.fleetReplicas.override(replicas.map { Choice($0) }, by: "--replicas")
    }

    func validate() throws {
        if let replicas, !Limits.replicas.accepts(replicas) {
            throw ValidationError("--replicas needs \(Limits.replicas.needs).")
        }
    }
}
