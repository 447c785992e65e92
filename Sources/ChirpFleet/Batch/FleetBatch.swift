internal import ChirpAudio
public import ChirpFlows
internal import ChirpCore
internal import ChirpJournal

/// A batch whose clips are made by a fleet (W-8). This machine walks the tree, asks, puts the clips into their places and keeps
/// the journal; workers encode.
public struct FleetBatch: Sendable {
    let settings: FleetSettings
    let roots: [FleetRoot]

    /// - Parameter roots: folders that workers reach too; what is below none of them travels in messages.
    public init(_ settings: FleetSettings, roots: [FleetRoot]) {
        self.settings = settings
        self.roots = roots
    }

    /// The same ports, with the fleet in place of this machine's processors.
    public func ports(_ ports: BatchPorts) -> BatchPorts {
        var ports = ports
        ports.crew = { (run) async throws(BatchFailure) in try await carryOut(run) }
        return ports
    }

    private func carryOut(_ run: BatchRun) async throws(BatchFailure) -> BatchSummary {
        let tasks = run.list.tasks
        let total = BatchProgress(files: tasks.count, seconds: tasks.reduce(0) { $0 + $1.seconds })
        guard run.ports.report(.listed(total)) else { throw .unheard }
        var telling = BatchReporter(list: run.list, isDryRun: run.target == nil, report: run.ports.report)
        try telling.tell()
        // A run that has nothing to do needs no servers.
        guard let target = run.target, !tasks.isEmpty else { return telling.summary }
        let batch = try await journaled { () async throws(JournalError) in
            try await run.ports.journal.fleetBatch(for: target.path)
        }
        let queue = try await blocking { () throws(FleetError) in
            let queue = try JobQueue(settings)
            try queue.prepare()
            return queue
        }
        let sources = FleetSources(source: run.source, target: target, roots: roots)
        var fleetRun = try await FleetRun(
            run: run, target: target, queue: queue, batch: batch, sources: sources, telling: telling, total: total)
        return try await fleetRun.run()
    }
}

/// Runs what blocks off the pool, and turns the fleet's failures into those of a batch.
func blocking<T: Sendable>(_ body: @Sendable () throws(FleetError) -> T) async throws(BatchFailure) -> T {
    do throws(FleetError) {
        return try await offPool(body)
    } catch {
        if error == .cancelled { throw .cancelled }
        throw .fleet(whatHappened: error.whatHappened, cure: error.cure, exit: error.exitCode)
    }
}

/// Turns the journal's failure into that of a batch.
func journaled<T>(
    _ body: () async throws(JournalError) -> T
) async throws(BatchFailure) -> T {
    do throws(JournalError) { return try await body() } catch { throw .journal(error) }
}
