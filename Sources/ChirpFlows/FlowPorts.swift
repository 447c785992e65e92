public import ChirpAudio
public import ChirpClips
public import ChirpCore
public import ChirpJournal
public import ChirpNetworks
public import ChirpStores
public import FoundationEssentials

/// Everything the publishing flows need of the outside world. The executable builds live ones, tests build fakes.
public struct FlowPorts: Sendable {
    /// Analyses and plans: ``ClipMaker/live(_:progress:)``, or a fake.
    public var plan:
        @Sendable (_ request: ClipRequest, _ progress: @escaping ClipMaker.Progress) async throws(AudioError) ->
            ClipMaker
    /// The store of a row: by name and ``StoreProperties/place``, retrying short outages by itself.
    public var store: @Sendable (_ name: String, _ place: String) async throws(StoreError) -> any Store
    /// The network of a row: by name and ``NetworkProperties/place``.
    public var network: @Sendable (_ name: String, _ place: String) async throws(NetworkError) -> any Network
    public var journal: Journal
    public var outbox: OutboxFolder
    /// When a failed publication is due again; the count is not bounded.
    public var backOff = RetryPolicy(base: .seconds(30), cap: .seconds(3600), attempts: .max)
    /// The time of day, for rows and expiry.
    public var now: @Sendable () -> Date = { Date() }
    /// A clock that only goes forward, for timings.
    public var uptime: @Sendable () -> Duration = { ContinuousClock.now - Self.start }
    /// Numbers in 0..<1.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Makes room in a store for a clip that does not fit; nil to refuse the clip.
    public var makeRoom:
        (
            @Sendable (_ needed: ByteCount, _ free: ByteCount, _ store: StoreProperties) async throws(PublishFailure) ->
                Void
        )?
    /// How a person stops what is in hand; nil when nobody is there to do so.
    public var stop: PublicationStop?
    public var report: @Sendable (FlowEvent) -> Void = { _ in }
    /// Asked at each fault point; true stops the flow there as if the process had died.
    public var fault: @Sendable (FaultPoint) -> Bool = { _ in false }

    private static let start = ContinuousClock.now

    public init(
        plan:
            @escaping @Sendable (_ request: ClipRequest, _ progress: @escaping ClipMaker.Progress)
            async throws(AudioError) -> ClipMaker = ClipMaker.live,
        store: @escaping @Sendable (_ name: String, _ place: String) async throws(StoreError) -> any Store,
        network: @escaping @Sendable (_ name: String, _ place: String) async throws(NetworkError) -> any Network,
        journal: Journal, outbox: OutboxFolder
    ) {
        self.plan = plan
        self.store = store
        self.network = network
        self.journal = journal
        self.outbox = outbox
    }

    /// Stops here if fault injection says so.
    func pass(_ point: FaultPoint) throws(PublishFailure) {
        if fault(point) { throw .halted(point) }
    }

    /// Reports the beginning and the end of a step.
    ///
    /// - Returns: what the step returns, and the seconds it took.
    func timed<T, E: Error>(
        _ step: FlowEvent.Step, _ body: () async throws(E) -> T
    ) async throws(E) -> (value: T, seconds: Double) {
        let begin = uptime()
        report(.started(step))
        let value = try await body()
        let seconds = (uptime() - begin) / .seconds(1)
        report(.finished(step, seconds: seconds))
        return (value, seconds)
    }

    /// Changes a row.
    func update(
        _ record: PublicationRecord, _ change: @Sendable (inout PublicationRecord) -> Void
    ) async throws(PublishFailure) -> PublicationRecord {
        do throws(JournalError) {
            return try await journal.update(record.id, now: now(), change)
        } catch {
            throw .journal(error)
        }
    }
}

/// What a flow tells while it works: for the progress view, the log and the benchmarks.
public enum FlowEvent: Hashable, Sendable {
    /// The parts of a publication that take time.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        case read, analyse, admit, render, verify, upload, share, post, withdraw
    }

    case started(Step)
    /// Of this step, 0...1.
    case progress(Step, fraction: Double)
    /// With the seconds it took.
    case finished(Step, seconds: Double)
    case note(Receipt.Note)
    /// Something of several was left out.
    case skipped(String, because: String)
}
