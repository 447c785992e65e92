internal import ChirpAudio
internal import ChirpCore
internal import ChirpJournal
internal import Synchronization

/// A connection to a queue for one who asks for clips one by one: jobs go out, results come in whatever their order.
final class FleetLine: Sendable {
    private struct Held {
        let arrival: ResultInbox.Arrival
        let since: ContinuousClock.Instant
    }

    let batch: String
    let drafts: StagingFolder
    private let queue: JobQueue
    private let results: FleetResults
    private let monitor: FleetMonitor
    private let held = Mutex<[JobID: Held]>([:])

    /// What nobody has fetched for so long was made in another way meanwhile, or is of somebody who wants it no more.
    private static let forgetting = Duration.seconds(900)

    /// Connects, and takes in the results that an earlier process had not used. Blocking.
    ///
    /// - Parameter folder: the one whose drafts these are.
    init(_ settings: FleetSettings, batch: String, folder: String) throws(FleetError) {
        self.batch = batch
        do throws(AudioError) { drafts = try StagingFolder(in: folder) } catch {
            throw .noScratch(path: folder, reason: error.whatHappened)
        }
        queue = try JobQueue(settings)
        try queue.prepare()
        results = FleetResults(try queue.results(of: batch))
        monitor = try FleetMonitor(queue.connection)
        try look(within: .milliseconds(500))
    }

    var isClosed: Bool { queue.isClosed }
    /// How many workers give signs of life.
    var workers: Int { monitor.alive() }

    /// Asks for a clip. One that is asked for already, or is here, is not asked for twice. Blocking.
    func ask(_ job: FleetJob) throws(FleetError) {
        guard !has(job.id) else { return }
        try queue.enqueue(1) { _ in job }
    }

    func has(_ id: JobID) -> Bool { held.withLock { $0[id] != nil } }

    /// Whether it is in the queue, or in a worker's hands. Blocking.
    func isQueued(_ id: JobID) throws(FleetError) -> Bool { try queue.waiting(in: batch).contains(id) }

    /// It is wanted no more. Blocking.
    func withdraw(_ id: JobID) throws(FleetError) { try queue.withdraw([id], of: batch) }

    /// Takes in what has come. Blocking; the others who wait look in turn.
    func look(within wait: Duration = .milliseconds(100)) throws(FleetError) {
        let arrivals = try results.take(64, within: wait)
        let now = ContinuousClock.now
        let (unwanted, forgotten) = held.withLock { held -> ([ResultInbox.Arrival], [ResultInbox.Arrival]) in
            var unwanted: [ResultInbox.Arrival] = []
            for arrival in arrivals {
                // The second of two results tells of the same clip.
                if let result = arrival.result, result.batch == batch, held[result.id] == nil {
                    held[result.id] = Held(arrival: arrival, since: now)
                } else {
                    unwanted.append(arrival)
                }
            }
            let old = held.filter { now - $0.value.since > Self.forgetting }
            for id in old.keys { held[id] = nil }
            return (unwanted, old.values.map(\.arrival))
        }
        try settle(unwanted + forgotten)
    }

    /// The result of a job, once; nil while there is none.
    func result(of id: JobID) -> ResultInbox.Arrival? { held.withLock { $0.removeValue(forKey: id)?.arrival } }

    /// Nobody needs these any more. Until then they come again to who connects next. Blocking.
    func settle(_ arrivals: [ResultInbox.Arrival]) throws(FleetError) {
        for case .made(let made) in arrivals.compactMap(\.result?.outcome) {
            guard let draft = made.draft, let id = draft.split(separator: ".").first,
                StagedName.isOne(draft, of: JobID(rawValue: String(id)))
            else { continue }
            drafts.remove(draft)
        }
        try results.confirm(arrivals)
    }
}
