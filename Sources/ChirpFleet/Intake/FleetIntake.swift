public import ChirpAudio
public import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpJournal
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Has clips made by a fleet for a server that takes in what others send, one job for each recording.
///
/// A job's name follows from what it is for, so asking twice, also after a death, is asking once. A result leaves the queue when its
/// clip lies in its place. Whatever the fleet cannot do (no server, no worker, no way for the file) is the caller's to do.
public final class FleetIntake: Sendable {
    /// A clip that is wanted.
    public struct Order: Sendable {
        /// What it is for: the same for every try.
        public var id: String
        /// Where the recording lies.
        public var input: String
        /// What it hashes to, in lower-case hexadecimal.
        public var sha256: String
        public var request: ClipRequest
        /// Where the clip is to appear, whole.
        public var goal: String

        public init(id: String, input: String, sha256: String, request: ClipRequest, goal: String) {
            (self.id, self.input, self.sha256, self.goal) = (id, input, sha256, goal)
            self.request = request
        }
    }

    private struct State {
        var line: FleetLine?
        var failed: ContinuousClock.Instant?
    }

    private let settings: FleetSettings
    private let roots: [FleetRoot]
    private let folder: String
    private let batch: String
    private let patience: Duration
    private let isOn: @Sendable () -> Bool
    private let report: @Sendable (FleetError) -> Void
    private let state = Mutex(State())
    private let connecting = AsyncSemaphore(width: 1)

    /// So long after servers could not be used they are not asked again.
    private static let rest = Duration.seconds(30)
    /// A clip of more bytes is taken from nobody.
    private static let largest = Int64(1) << 31

    /// Blocks for a moment; the servers are asked later.
    ///
    /// - Parameters:
    ///   - folder: the server's own, for drafts and the name by which the queue knows it; made when it is not there.
    ///   - patience: after so long without a sign of any worker a clip is not waited for.
    ///   - isOn: whether this process may ask now. The results of a name go to one process at a time, so of several with one folder one may.
    ///   - report: hears why the fleet could not be used.
    /// - Throws: `noScratch`.
    public init(
        _ settings: FleetSettings, roots: [FleetRoot], folder: String, patience: Duration = .seconds(20),
        isOn: @escaping @Sendable () -> Bool = { true }, report: @escaping @Sendable (FleetError) -> Void = { _ in }
    ) throws(FleetError) {
        self.settings = settings
        self.roots = roots
        self.folder = folder
        self.patience = patience
        self.isOn = isOn
        self.report = report
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .noScratch(path: folder, reason: SystemError.current.description)
        }
        batch = try LastingName.read("\(folder)/queue")
    }

    /// Has a clip made and puts it into its place.
    ///
    /// - Returns: what was found and done; nil: the fleet cannot make this one now.
    /// - Throws: what is wrong with the recording; `cancelled` leaves the job in the queue for whoever asks again.
    public func make(_ order: Order) async throws(AudioError) -> Receipt? {
        guard isOn() else { return nil }
        let result: Result<Receipt, AudioError>?
        do throws(FleetError) { result = try await attempt(order) } catch {
            if error == .cancelled || Task.isCancelled { throw .cancelled }
            report(error)
            state.withLock { $0 = State(line: nil, failed: .now) }
            return nil
        }
        return try result?.get()
    }

    private func attempt(_ order: Order) async throws(FleetError) -> Result<Receipt, AudioError>? {
        guard let line = try await line(), let job = await offPool({ self.job(order, line) }) else { return nil }
        while let arrival = try await wait(for: job, line) {
            let outcome = await offPool { self.take(arrival, of: job, at: order.goal, line) }
            try await offPool { () throws(FleetError) in try line.settle([arrival]) }
            switch outcome {
            case .made(let receipt): return .success(receipt)
            case .failed(let error): return .failure(error)
            case .unfit: return nil
            // Its draft went with whoever has removed it, so it is asked for again.
            case .gone: continue
            }
        }
        return nil
    }

    // MARK: asking

    /// The connection; nil while the servers are left alone.
    private func line() async throws(FleetError) -> FleetLine? {
        guard await connecting.enter() else { throw .cancelled }
        defer { connecting.leave() }
        let now = state.withLock { $0 }
        if let line = now.line, !line.isClosed { return line }
        if let failed = now.failed, .now - failed < Self.rest { return nil }
        let line = try await offPool { [settings, batch, folder] () throws(FleetError) in
            try FleetLine(settings, batch: batch, folder: folder)
        }
        state.withLock { $0 = State(line: line, failed: nil) }
        return line
    }

    /// The record of a job; nil when there is no way for the recording to a worker.
    private func job(_ order: Order, _ line: FleetLine) -> FleetJob? {
        let descriptor = open(order.input, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0, let file = try? SourceFile(adoptingRegular: descriptor, name: order.input),
            let bytes = file.facts?.bytes
        else { return nil }
        let source: FleetJob.Source
        if let place = place(of: canonical(order.input)) {
            source = .file(root: place.root, path: place.path)
        } else if bytes <= FleetJob.largestInline, let data = FileManager.default.contents(atPath: file.path) {
            source = .inline(data)
        } else {
            return nil
        }
        let target = place(of: canonical(line.drafts.path)).map { FleetJob.Target.folder(root: $0.root, path: $0.path) }
        let words = ["intake 1", batch, order.id, order.sha256].map { "\($0)\n" }.joined()
        return FleetJob(
            id: JobID(rawValue: String(FileDigest.sha256(of: Array(words.utf8)).prefix(32))), batch: batch,
            name: order.request.source.name, sha256: order.sha256, bytes: bytes, source: source,
            target: target ?? .inline, order: order.request, keepsTags: false)
    }

    private func place(of path: String) -> (root: String, path: FleetPath)? {
        for root in roots {
            if let place = root.place(of: Array(path.utf8)) { return (root.name, place) }
        }
        return nil
    }

    /// Waits for the result of a job; nil: nobody is there who could make it.
    private func wait(for job: FleetJob, _ line: FleetLine) async throws(FleetError) -> ResultInbox.Arrival? {
        try await offPool { () throws(FleetError) in try line.ask(job) }
        var heard = ContinuousClock.now
        var (audited, isSuspect) = (heard, false)
        while true {
            if Task.isCancelled { throw .cancelled }
            if let arrival = line.result(of: job.id) { return arrival }
            try await offPool { () throws(FleetError) in try line.look() }
            let now = ContinuousClock.now
            if line.workers > 0 { heard = now }
            if now - heard > patience {
                try await offPool { () throws(FleetError) in
                    try line.withdraw(job.id)
                    try line.look()
                }
                return line.result(of: job.id)
            }
            guard now - audited > settings.audit else { continue }
            audited = now
            // Neither in the queue nor here, twice: a server has lost it.
            let isThere = try await offPool { () throws(FleetError) in try line.isQueued(job.id) || line.has(job.id) }
            if !isThere, isSuspect { try await offPool { () throws(FleetError) in try line.ask(job) } }
            isSuspect = !isThere && !isSuspect
        }
    }

    // MARK: taking

    private enum Outcome: Sendable {
        case made(Receipt)
        /// Something is wrong with the recording.
        case failed(AudioError)
        /// Something is wrong with the worker, or with the way between.
        case unfit
        case gone
    }

    /// Takes what a worker says, which may be a stranger: a clip that is not the one it tells of is none.
    private func take(_ arrival: ResultInbox.Arrival, of job: FleetJob, at goal: String, _ line: FleetLine) -> Outcome {
        guard let result = arrival.result, result.defect == nil else { return .unfit }
        switch result.outcome {
        case .failed(let fault):
            switch fault.error {
            // Too large for a message is not too large, and a worker of an earlier release refuses what it does not know.
            case .unsupported where job.target == .inline || job.v > 1: return .unfit
            case .undecodable, .nothingToHear, .unsupported, .settings, .outside, .crashed: return .failed(fault.error)
            case .missing, .uncreatable, .inputOutput, .library, .programMissing, .cancelled: return .unfit
            }
        case .made(let made):
            guard let clip = made.receipt.clip, clip.bytes <= Self.largest else { return .unfit }
            do throws(FileError) {
                let found = try copy(made, of: job, to: goal, expecting: clip, line)
                return found.map { $0 ? .made(made.receipt) : .unfit } ?? .gone
            } catch {
                return .failed(.inputOutput(path: goal, reason: .system(error.error)))
            }
        }
    }

    /// Copies the clip, since whoever wrote the draft may have it open still.
    ///
    /// - Returns: whether it is the one; nil when it is not there.
    private func copy(
        _ made: FleetResult.Made, of job: FleetJob, to goal: String, expecting clip: Receipt.Clip, _ line: FleetLine
    ) throws(FileError) -> Bool? {
        if let data = made.clip {
            let bytes = [UInt8](data)
            guard Int64(bytes.count) == clip.bytes, FileDigest.sha256(of: bytes) == clip.sha256 else { return false }
            let file = try AtomicFile.create(at: goal)
            try file.write(bytes)
            try file.commit()
            return true
        }
        guard let name = made.draft, StagedName.isOne(name, of: job.id) else { return false }
        guard let draft = line.drafts.draft(name) else { return nil }
        guard draft.facts?.bytes == clip.bytes else { return false }
        let file = try AtomicFile.create(at: goal)
        let found = try FileDigest.reading(
            draft.path, limit: clip.bytes, each: { (piece) throws(FileError) in try file.write(piece) })
        guard found.bytes == clip.bytes, found.sha256 == clip.sha256 else { return false }
        try file.commit()
        return true
    }
}
