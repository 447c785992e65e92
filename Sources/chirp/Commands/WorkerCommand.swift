import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFleet
import ChirpIntake
import FoundationEssentials

/// `chirp worker`: makes clips for batches on other machines.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Makes clips for batches of a fleet, until Ctrl-C or TERM.",
        discussion: """
            EXAMPLES:
              chirp worker --fleet nats://queue:4222
              chirp worker --fleet nats://a,nats://b,nats://c --root shared=/mnt/audio
              chirp worker --fleet nats://queue --root shared=https://nas.example/audio
              chirp worker --fleet nats://queue --metrics 127.0.0.1:9464
              chirp batch recordings clips --fleet nats://queue      what gives it work

            Jobs come from a queue on NATS JetStream. Recordings and clips below a root are read and written there; others \
            travel in messages, up to 512 KiB each. A root is a folder, or a WebDAV collection that shows that folder. A worker may die at any time: its jobs go to another. Told to stop, it \
            finishes what it has begun and ends with 0. Docs/fleet.md says how to set up a fleet.
            """)

    @OptionGroup(title: "FLEET") var fleet: FleetOptions

    @Option(
        name: .long, help: ArgumentHelp("Clips at once (default: one per core).", valueName: "count"),
        transform: { text in
            let value = try Int(configText: text)
            guard Limits.jobs.accepts(value) else { throw BadValue(text, needs: Limits.jobs.needs) }
            return value
        })
    var jobs: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Serve figures and health over HTTP, such as 127.0.0.1:9464.", valueName: "host:port"))
    var metrics: String?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    func validate() throws {
        if fleet.fleet == nil { throw ValidationError("--fleet is missing, such as --fleet nats://127.0.0.1:4222.") }
    }

    func run() async throws {
        var session = try common.session()
        fleet.apply(to: &session.config)
        session.config.jobs.override(jobs.map { Choice($0) }, by: "--jobs")
        let (wiring, config, paths) = (Wiring(session: session), session.config, session.paths)
        let settings = try wiring.fleetSettings(fleet.fleet ?? "")
        let roots = try await wiring.workerRoots()
        let report = WorkerReport(console: session.console, servers: "\(settings.servers)")
        let lanes = config.jobs.value ?? ProcessInfo.processInfo.activeProcessorCount
        let worker = try await offPool { () throws(FleetError) in
            try FleetWorker(
                settings, lanes: lanes, roots: roots, temporary: paths.temporary, make: IntakeLanes().make,
                report: { report.take($0) })
        }
        let server = try metrics.map { address in
            (address, try MetricsServer(address, of: worker, logger: wiring.logger()))
        }
        _ = try await Interruption.stops({ worker.drain() }) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let (address, server) = server {
                    group.addTask { try await server.run { report.isServing(address, port: $0) } }
                }
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: .seconds(60))
                        if !Task.isCancelled, worker.figures.made > 0 { report.pace(worker.figures) }
                    }
                }
                defer { group.cancelAll() }
                group.addTask {
                    try await worker.run()
                    throw Drained()
                }
                do { while try await group.next() != nil {} } catch is Drained {}
            }
        }
        report.conclude(worker.figures)
    }

    /// The worker has ended as it was told to.
    private struct Drained: Error {}
}
