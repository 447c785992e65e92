internal import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFlows
internal import ChirpJournal

/// Carries out a list with a fleet: asks for clips, and takes them as they come.
///
/// The journal knows what was asked for before the queue does, and forgets it in the same step in which it learns of the clip.
/// The queue forgets a job only after its result is stored, and a result only after the journal knows. So a run that was killed
/// is simply run again: what waits in the queue is not asked for twice, and what was done meanwhile is taken.
struct FleetRun {
    private let run: BatchRun
    private let target: OutputFolder
    private let queue: JobQueue
    private let batch: String
    private let sources: FleetSources
    private let drafts: StagingFolder
    private let results: FleetResults
    private let monitor: FleetMonitor
    private let meter: BatchMeter
    private var telling: BatchReporter
    private var figures = BatchSummary.Fleet()
    private var hashed = 0
    /// Places in the list that are not asked for yet; the next one last.
    private var waiting: [Int]
    /// What is asked for, by the job's name.
    private var asked: [JobID: Asked] = [:]
    /// Asked for, but neither in the queue nor here at the last audit.
    private var suspects: Set<JobID> = []
    private var audited = ContinuousClock.now
    private var begun = ContinuousClock.now
    private var hasComplained = false
    private var isStopping = false

    private struct Asked {
        var index: Int
        var known: FleetSources.Known
    }

    /// Files that are read, written down and asked for in one go.
    private static let chunk = 1024
    /// And so many seconds of audio, some hundred megabytes: results are taken in between.
    private static let chunkSeconds = 3600.0
    /// Results that wait for one before them in the list take memory.
    private static let farthest = 1 << 17

    init(
        run: BatchRun, target: OutputFolder, queue: JobQueue, batch: String, sources: FleetSources,
        telling: BatchReporter,
        total: BatchProgress
    ) async throws(BatchFailure) {
        self.run = run
        self.target = target
        self.queue = queue
        self.batch = batch
        self.sources = sources
        self.telling = telling
        do throws(AudioError) {
            drafts = try StagingFolder(in: target.path)
        } catch {
            throw .uncreatable(path: target.path, reason: error.whatHappened)
        }
        meter = BatchMeter(total, uptime: run.ports.uptime)
        (results, monitor) = try await blocking { () throws(FleetError) in
            (try FleetResults(queue.results(of: batch)), try FleetMonitor(queue.connection))
        }
        // Long ones first within blocks of the list, so that the last ones are short and results do not wait long.
        let tasks = run.list.tasks
        waiting = stride(from: 0, to: tasks.count, by: Self.chunk).flatMap { start in
            tasks[start..<min(start + Self.chunk, tasks.count)]
                .sorted { ($1.seconds, $0.index) < ($0.seconds, $1.index) }.map(\.index)
        }.reversed()
    }

    mutating func run() async throws(BatchFailure) -> BatchSummary {
        do throws(BatchFailure) {
            try await goOn()
            while !asked.isEmpty || !waiting.isEmpty {
                if Task.isCancelled { throw .cancelled }
                let chunk = nextChunk()
                if !chunk.isEmpty { try await ask(chunk) }
                let taken = try await take(within: chunk.isEmpty ? .milliseconds(250) : .zero)
                if isStopping { break }
                if taken == 0, ContinuousClock.now - audited > queue.settings.audit { try await audit() }
                observe()
            }
            if isStopping { try await withdraw() } else { try await withdrawRest() }
        } catch {
            if error != .unheard { try telling.tellRest() }
            throw error
        }
        await results.close()
        drafts.removeAll()
        try telling.tellRest()
        var summary = telling.summary
        summary.hashed = hashed
        summary.fleet = figures
        return summary
    }

    // MARK: asking

    /// Takes up what an earlier run has asked for.
    private mutating func goOn() async throws(BatchFailure) {
        let rows = try await journaled { () async throws(JournalError) in
            try await run.ports.journal.fleetJobs(in: target.path)
        }
        guard !rows.isEmpty else { return }
        let settings = settingsSHA256
        let places = Dictionary(
            waiting.map { (run.list.items[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
        var old: [FleetJobRecord] = []
        var taken: Set<Int> = []
        for row in rows {
            let known = FleetSources.Known(
                sha256: row.sourceSHA256,
                facts: FileFacts(
                    bytes: row.sourceBytes, modified: row.sourceModified, identity: .init(device: 0, number: 0)))
            let path = BatchPath(row.path)
            if let index = places[path], let output = run.list.items[index].output, let facts = sources.facts(path),
                facts.bytes == row.sourceBytes, facts.modified == row.sourceModified,
                FleetSources.id(known, settings: settings, output: output, batch: batch) == row.id
            {
                asked[row.id] = Asked(index: index, known: .init(sha256: row.sourceSHA256, facts: facts))
                taken.insert(index)
            } else {
                old.append(row)
            }
        }
        waiting.removeAll { taken.contains($0) }
        // What was asked for under other settings, or of a recording that has changed, is wanted no more.
        if !old.isEmpty {
            let (queue, batch, ids) = (queue, batch, old.map(\.id))
            try await blocking { () throws(FleetError) in
                // Each costs a round trip; the others are simply asked for again.
                if ids.count > 1000 { try queue.withdrawAll(of: batch) } else { try queue.withdraw(ids, of: batch) }
            }
            try await settle([], old.map(\.path))
        }
        // First what is in the queue, then what has come out of it: nothing can slip through in between.
        let present = try await inQueue()
        while try await take(within: .zero) > 0 {}
        let missing = asked.keys.filter { !present.contains($0) }
        try await publish(missing)
    }

    /// What is read and asked for next; empty when nothing is left, or enough is on the way.
    private mutating func nextChunk() -> [Int] {
        var chunk: [Int] = []
        var seconds = 0.0
        while chunk.count < Self.chunk, seconds < Self.chunkSeconds, let index = waiting.last,
            index < telling.told + Self.farthest
        {
            waiting.removeLast()
            chunk.append(index)
            if case .make(let making) = run.list.items[index].decision { seconds += making.seconds }
        }
        return chunk
    }

    private enum Read: Sendable {
        case job(FleetSources.Known)
        case unchanged(BatchClipRecord)
        case failed(AudioError)
    }

    private mutating func ask(_ chunk: [Int]) async throws(BatchFailure) {
        let read = await read(chunk)
        let settings = settingsSHA256
        var rows: [FleetJobRecord] = []
        var unchanged: [BatchClipRecord] = []
        var outcomes: [(Int, BatchResult.Outcome)] = []
        for (index, read) in zip(chunk, read) {
            let item = run.list.items[index]
            guard let output = item.output else { continue }
            switch read {
            case .job(let known):
                let id = FleetSources.id(known, settings: settings, output: output, batch: batch)
                asked[id] = Asked(index: index, known: known)
                rows.append(
                    FleetJobRecord(
                        target: target.path, path: item.path.bytes, id: id, sourceBytes: known.facts.bytes,
                        sourceModified: known.facts.modified, sourceSHA256: known.sha256))
            case .unchanged(let record):
                unchanged.append(record)
                outcomes.append((index, .unchanged))
            case .failed(.cancelled): throw .cancelled
            case .failed(let error): outcomes.append((index, .failed(error)))
            }
        }
        hashed += chunk.count
        let toWrite = rows
        try await journaled { () async throws(JournalError) in try await run.ports.journal.record(toWrite) }
        if !unchanged.isEmpty { try await settle(unchanged, []) }
        try tell(outcomes)
        try await publish(rows.map(\.id))
    }

    /// Reads recordings, several at a time: on network storage each costs a wait.
    private func read(_ chunk: [Int]) async -> [Read] {
        let (sources, items, root) = (sources, run.list.items, run.source.path)
        let width = max(4, run.request.clip.jobs)
        return await withTaskGroup(of: (Int, [Read]).self) { group in
            let share = (chunk.count + width - 1) / width
            for start in stride(from: 0, to: chunk.count, by: share) {
                let part = chunk[start..<min(start + share, chunk.count)].map { items[$0] }
                group.addTask {
                    (start, await offPool { part.map { Self.read($0, sources, root) } })
                }
            }
            var parts: [(Int, [Read])] = []
            for await part in group { parts.append(part) }
            return parts.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    private static func read(_ item: WorkList.Item, _ sources: FleetSources, _ root: String) -> Read {
        guard case .make(let making) = item.decision else { return .failed(.cancelled) }
        do throws(AudioError) {
            let known = try sources.known(item.path)
            if var candidate = making.candidate, candidate.sourceSHA256 == known.sha256 {
                candidate.root = root
                candidate.sourceBytes = known.facts.bytes
                candidate.sourceModified = known.facts.modified
                return .unchanged(candidate)
            }
            return .job(known)
        } catch {
            return .failed(error)
        }
    }

    private mutating func publish(_ ids: [JobID]) async throws(BatchFailure) {
        guard !ids.isEmpty else { return }
        let jobs = ids.compactMap { id in
            asked[id].map { (id: id, path: run.list.items[$0.index].path, known: $0.known) }
        }
        let (queue, sources, batch, order) = (queue, sources, batch, run.request)
        try await blocking { () throws(FleetError) in
            try queue.enqueue(jobs.count) { place in
                let job = jobs[place]
                return sources.job(job.id, batch: batch, path: job.path, known: job.known, order: order)
            }
        }
        figures.enqueued += jobs.count
    }

    // MARK: taking

    /// - Returns: how many results came.
    private mutating func take(within wait: Duration) async throws(BatchFailure) -> Int {
        let results = results
        let arrivals = try await blocking { () throws(FleetError) in try results.take(512, within: wait) }
        guard !arrivals.isEmpty else { return 0 }
        var outcomes: [(Int, BatchResult.Outcome)] = []
        var clips: [BatchClipRecord] = []
        var failed: [[UInt8]] = []
        var lost: [JobID] = []
        for arrival in arrivals {
            guard let result = arrival.result, result.batch == batch else { continue }
            guard let asked = asked[result.id] else {
                if case .made(let made) = result.outcome {
                    if !arrival.cameBefore { figures.duplicates += 1 }
                    if let draft = made.draft, StagedName.isOne(draft, of: result.id) { drafts.remove(draft) }
                }
                continue
            }
            let item = run.list.items[asked.index]
            guard let output = item.output else { continue }
            let placing = FleetPlacing(
                id: result.id, path: item.path, output: output, known: asked.known, run: run, target: target,
                drafts: drafts)
            let placed: FleetPlacing.Outcome
            switch (result.defect, result.outcome) {
            case (let defect?, _):
                placed = .failed(.inputOutput(path: item.path.text, reason: "its worker's result is none: \(defect)"))
            case (nil, .made(let made)): placed = await offPool { placing.place(made) }
            case (nil, .failed(let fault)): placed = .failed(fault.error)
            }
            switch placed {
            case .placed(let record, let receipt):
                if run.ports.fault(.clipPlaced) { throw .halted(.clipPlaced) }
                clips.append(record)
                outcomes.append((asked.index, .made(receipt)))
            case .failed(let error):
                failed.append(item.path.bytes)
                outcomes.append((asked.index, .failed(error)))
            case .full: throw .full(path: run.request.target)
            case .gone:
                lost.append(result.id)
                continue
            }
            if result.defect == nil { figures.redelivered += result.delivery - 1 }
            self.asked[result.id] = nil
            suspects.remove(result.id)
        }
        try await settle(clips, failed)
        if !clips.isEmpty, run.ports.fault(.clipRecorded) { throw .halted(.clipRecorded) }
        try tell(outcomes)
        try await blocking { () throws(FleetError) in try results.confirm(arrivals) }
        figures.republished += lost.count
        try await publish(lost)
        return arrivals.count
    }

    /// Writes into the journal what is there now, and what is waited for no more.
    private func settle(_ clips: [BatchClipRecord], _ paths: [[UInt8]]) async throws(BatchFailure) {
        guard !clips.isEmpty || !paths.isEmpty else { return }
        let settled = paths.map { (target: target.path, path: $0) }
        try await journaled { () async throws(JournalError) in
            try await run.ports.journal.record(clips, settling: settled)
        }
    }

    private mutating func tell(_ outcomes: [(Int, BatchResult.Outcome)]) throws(BatchFailure) {
        for (index, outcome) in outcomes {
            if case .make(let making) = run.list.items[index].decision { meter.begin(index, seconds: making.seconds) }
            var seconds: Double?
            if case .made(let receipt) = outcome { seconds = receipt.input.seconds }
            meter.finish(index, seconds: seconds)
            try telling.add(outcome, at: index)
            if case .failed(let error) = outcome, !error.isSilence, run.request.failsFast { isStopping = true }
        }
    }

    // MARK: watching

    private mutating func observe() {
        var pace = meter.pace
        let alive = monitor.alive()
        pace.workers = alive
        figures.workers = max(figures.workers, alive)
        _ = run.ports.report(.progress(pace))
        guard alive == 0, !hasComplained, ContinuousClock.now - begun > .seconds(5) else { return }
        hasComplained = true
        _ = run.ports.report(
            .note(
                Receipt.Note(code: "no-workers", text: "no worker gives a sign of life")))
    }

    /// Asks again for what is neither in the queue nor among the results: a server has lost it. Seen twice, so that what is
    /// just on its way from there to here does not count.
    private mutating func audit() async throws(BatchFailure) {
        let present = try await inQueue()
        let missing = Set(asked.keys).subtracting(present)
        let lost = missing.intersection(suspects)
        suspects = missing.subtracting(lost)
        figures.republished += lost.count
        try await publish(lost.sorted())
        audited = .now
    }

    private func inQueue() async throws(BatchFailure) -> Set<JobID> {
        let (queue, batch) = (queue, batch)
        return try await blocking { () throws(FleetError) in try queue.waiting(in: batch) }
    }

    /// A worker that died between storing a result and letting the job go has left one that is done; nobody needs to do it again.
    private func withdrawRest() async throws(BatchFailure) {
        let (queue, batch) = (queue, batch)
        try await blocking { () throws(FleetError) in try queue.withdrawAll(of: batch) }
    }

    /// Asks for nothing any more.
    private mutating func withdraw() async throws(BatchFailure) {
        try await withdrawRest()
        try await journaled { () async throws(JournalError) in
            try await run.ports.journal.forgetFleetJobs(in: target.path)
        }
        asked = [:]
    }

    /// All settings: which of them matter to a clip is known when it is there.
    private var settingsSHA256: String {
        run.key.sha256(uncappedSeconds: nil, unlimitedBytes: nil, hasTags: true)
    }
}
