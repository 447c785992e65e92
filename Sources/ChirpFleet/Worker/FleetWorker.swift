public import ChirpAudio
internal import ChirpClips
internal import ChirpCore
public import ChirpFlows
internal import Glibc
internal import Synchronization

/// One machine's part of a fleet: takes jobs from the queue, makes clips, stores results, until it is told to stop.
///
/// Each lane is a thread that holds one job: a job that waited behind another could be with another worker meanwhile. A further
/// thread says which jobs are being worked on; when the process dies that stops, and the queue hands them to others.
public final class FleetWorker: Sendable {
    /// Makes one clip at a path; blocking. Recordings come from strangers, so the executable has it done by children that
    /// hold nothing; ``inProcess`` does it here.
    public typealias Make = @Sendable (_ making: Transcoding, _ path: String) throws(AudioError) -> Transcoding.Made

    public static let inProcess: Make = { making, path throws(AudioError) in try making.run(to: path) }

    /// What a worker tells.
    public enum Event: Hashable, Sendable {
        case ready
        case made(name: String, audioSeconds: Double)
        case failed(name: String, reason: String)
        /// To be tried again, by whoever is next.
        case givenBack(name: String, reason: String)
        case buried(name: String, reason: String)
        /// No more jobs are taken.
        case draining
    }

    /// Its name in the queue: nobody else has it.
    public let id = RandomName(length: 12).description
    package let queue: JobQueue
    let roots: [WorkerRoot]
    private let lanes: Int
    private let scratch: WorkerScratch
    private let make: Make
    private let report: @Sendable (Event) -> Void
    let counter = WorkerCounter()
    private let held = HeldJobs()
    private let gate = LaneGate()
    private let isDraining = Atomic(false)

    /// How long a request for a job is left open: a worker that is told to stop must wait for its end.
    private static let wait = Duration.milliseconds(250)

    /// Connects, and makes the queue when there is none. Blocking.
    ///
    /// - Parameters:
    ///   - lanes: clips at once, 1 or more.
    ///   - temporary: a folder in which one of its own is made.
    public convenience init(
        _ settings: FleetSettings, lanes: Int, roots: [WorkerRoot], temporary: String,
        make: @escaping Make = FleetWorker.inProcess,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws(FleetError) {
        let queue = try JobQueue(settings)
        try queue.prepare()
        try self.init(queue, lanes: lanes, roots: roots, temporary: temporary, make: make, report: report)
    }

    package init(
        _ queue: JobQueue, lanes: Int, roots: [WorkerRoot], temporary: String,
        make: @escaping Make = FleetWorker.inProcess,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) throws(FleetError) {
        precondition(lanes >= 1)
        self.queue = queue
        self.lanes = lanes
        self.roots = roots
        self.make = make
        self.report = report
        scratch = try WorkerScratch(in: temporary)
    }

    public var figures: WorkerFigures { counter.current }

    /// Whether it can reach the queue; the reason when it cannot.
    public var trouble: String? { queue.isConnected ? nil : "the fleet's servers cannot be reached" }

    /// What is being made is finished, and nothing else begun.
    public func drain() {
        guard !isDraining.exchange(true, ordering: .relaxed) else { return }
        report(.draining)
    }

    /// Works until it is drained.
    ///
    /// - Throws: when the queue has shut it out; a queue that is away for a while is waited for.
    public func run() async throws(FleetError) {
        report(.ready)
        let signs = Task { await offPool { self.giveSigns() } }
        let failure = await withTaskGroup(of: FleetError?.self) { group in
            for _ in 0..<lanes {
                group.addTask { [self] in
                    do throws(FleetError) {
                        try await offPool { () throws(FleetError) in try lane() }
                        return nil
                    } catch {
                        drain()
                        return error
                    }
                }
            }
            var failure: FleetError?
            for await ended in group { failure = failure ?? ended }
            return failure
        }
        signs.cancel()
        await signs.value
        queue.connection.flush(within: .seconds(5))
        if let failure { throw failure }
    }

    /// A worker's thread.
    private func lane() throws(FleetError) {
        var inbox = try JobInbox(queue)
        while !isDraining.load(ordering: .relaxed) {
            do throws(FleetError) {
                guard let arrival = try inbox.next(within: Self.wait) else { continue }
                held.insert(arrival.ticket)
                defer { held.remove(arrival.ticket) }
                try work(arrival)
            } catch {
                // The job comes again, here or elsewhere. Only a closed connection does not come back.
                if queue.isClosed { throw error }
                try Wait.nap(.milliseconds(500))
            }
        }
        for late in try inbox.left() { try queue.giveBack(late.ticket, after: .zero) }
    }

    private func work(_ arrival: JobInbox.Arrival) throws(FleetError) {
        counter.count { $0.waiting = arrival.ticket.pending }
        guard let job = arrival.job else {
            return try bury(arrival, "it is no job record of version \(FleetJob.newest)", nil)
        }
        if let defect = job.defect {
            return try bury(arrival, defect, .unsupported(name: job.name, reason: "as a job, \(defect)"))
        }
        // A job that nobody has had before has no story.
        let tries = arrival.ticket.delivery > 1 ? try queue.tries(of: arrival.ticket) : JobTries()
        guard tries.unexplained(arrival.ticket.delivery) >= queue.settings.unexplained else {
            return try gate.together { () throws(FleetError) in try carryOut(job, arrival, tries, isAlone: false) }
        }
        guard tries.deaths < queue.settings.deaths else {
            let reason = "it was begun alone \(tries.deaths) times, and its worker died each time"
            return try bury(arrival, reason, .crashed(name: job.name, reason: reason))
        }
        try gate.alone { () throws(FleetError) in
            try queue.tell(.alone, of: arrival.ticket, by: id)
            try carryOut(job, arrival, tries, isAlone: true)
        }
    }

    /// Makes a job's clip and says what became of it.
    private func carryOut(
        _ job: FleetJob, _ arrival: JobInbox.Arrival, _ tries: JobTries, isAlone: Bool
    ) throws(FleetError) {
        let delivery = arrival.ticket.delivery
        counter.count { $0.running += 1 }
        defer { counter.count { $0.running -= 1 } }
        let begin = ContinuousClock.now
        let made: FleetResult.Made
        do throws(AudioError) {
            made = try FleetTranscoding(
                job: job, roots: roots, scratch: scratch.path,
                draft: StagedName.of(job: job.id, worker: id, delivery: delivery), make: make
            ).run()
        } catch {
            if isAlone { try queue.tell(.survived, of: arrival.ticket, by: id) }
            return try settle(arrival, job, error, tries)
        }
        let busy = (ContinuousClock.now - begin) / .seconds(1)
        if isAlone { try queue.tell(.survived, of: arrival.ticket, by: id) }
        let seconds = made.receipt.input.seconds
        try queue.finish(arrival.ticket, result(job, delivery, .made(made)))
        counter.count {
            $0.made += 1
            $0.audioSeconds += seconds
            $0.busySeconds += busy
        }
        report(.made(name: job.name, audioSeconds: seconds))
    }

    private func settle(
        _ arrival: JobInbox.Arrival, _ job: FleetJob, _ error: AudioError, _ tries: JobTries
    ) throws(FleetError) {
        let delivery = arrival.ticket.delivery
        switch error {
        case .undecodable, .nothingToHear, .unsupported, .settings, .outside:
            // The recording's own fault: the same everywhere and for ever.
            try queue.finish(arrival.ticket, result(job, delivery, .failed(.init(error))))
            counter.count { $0.failed += 1 }
            report(.failed(name: job.name, reason: error.whatHappened))
        case .cancelled: try queue.giveBack(arrival.ticket, after: .zero)
        case .missing, .uncreatable, .inputOutput, .library, .programMissing:
            guard tries.faults + 1 < queue.settings.tries else { return try bury(arrival, error.whatHappened, error) }
            try queue.tell(.fault, of: arrival.ticket, by: id)
            try giveBack(arrival, job, error, after: queue.settings.pause * (1 << min(tries.faults, 6)))
        case .crashed:
            guard tries.crashes + 1 < queue.settings.crashes else {
                return try bury(arrival, error.whatHappened, error)
            }
            try queue.tell(.crash, of: arrival.ticket, by: id)
            try giveBack(arrival, job, error, after: .zero)
        }
    }

    private func giveBack(
        _ arrival: JobInbox.Arrival, _ job: FleetJob, _ error: AudioError, after pause: Duration
    ) throws(FleetError) {
        try queue.giveBack(arrival.ticket, after: pause)
        counter.count { $0.givenBack += 1 }
        report(.givenBack(name: job.name, reason: error.whatHappened))
    }

    private func bury(_ arrival: JobInbox.Arrival, _ reason: String, _ error: AudioError?) throws(FleetError) {
        let told = arrival.job.flatMap { job in
            // A result needs a place that can be one.
            error.flatMap { job.hasPlace ? result(job, arrival.ticket.delivery, .failed(.init($0))) : nil }
        }
        try queue.bury(arrival, reason: reason, by: id, telling: told)
        counter.count { $0.buried += 1 }
        report(.buried(name: arrival.job?.name ?? "record \(arrival.ticket.sequence)", reason: reason))
    }

    private func result(_ job: FleetJob, _ delivery: Int, _ outcome: FleetResult.Outcome) -> FleetResult {
        FleetResult(id: job.id, batch: job.batch, worker: id, delivery: delivery, outcome: outcome)
    }

    /// Says that it lives, and of each job that it is being worked on. A thread.
    private func giveSigns() {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pause = min(queue.settings.silence / 3, .seconds(1))
        while !Task.isCancelled {
            let figures = figures
            let sign = WorkerSign(
                id: id, host: name, lanes: lanes, running: figures.running, made: figures.made,
                audioSeconds: figures.audioSeconds, isDraining: isDraining.load(ordering: .relaxed))
            // What cannot be said now is said next time.
            try? queue.connection.send(
                NatsLetter(subject: QueueNames.worker(id), payload: FleetJSON.encode(sign)))
            for ticket in held.all { try? queue.keep(ticket) }
            try? Wait.nap(pause)
        }
    }
}

/// The jobs that a worker holds at the moment, so that it can say that it still does.
final class HeldJobs: Sendable {
    private let tickets = Mutex<Set<JobTicket>>([])

    var all: Set<JobTicket> { tickets.withLock { $0 } }
    func insert(_ ticket: JobTicket) { tickets.withLock { _ = $0.insert(ticket) } }
    func remove(_ ticket: JobTicket) { tickets.withLock { _ = $0.remove(ticket) } }
}
