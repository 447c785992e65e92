public import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
public import ChirpFlows
internal import Glibc
internal import Synchronization

/// Clips made in children: as many as there are pieces of work at once. One that dies is replaced, and only the work it had in hand has
/// failed. A fleet's worker uses them again; a hub has one for each recording, so that a child that is a stranger's by now reads
/// nothing of anybody else.
public final class IntakeLanes: Sendable {
    private let program: String
    private let idle = Mutex<[IntakeProcess]>([])

    private let reuses: Bool
    private let longest: Duration
    private let patience: Duration?

    /// What one recording may cost: a minute, and an eighth of the sound that its bytes can hold at 8 kbit/s, below which nothing is heard.
    /// 24 hours of sound, the most there may be, take half an hour, a 48th; being made anew up to three times, and a slow processor, are in it.
    package static func processorTime(forBytes bytes: Int64, longest: Duration) -> Duration {
        .seconds(60 + min(longest.components.seconds, max(0, bytes) / 1000) / 8)
    }
    private static let largestClip = ByteCount(Int64(16) << 30)
    /// Children that somebody else may kill over one recording before it is blamed.
    private static let mostKilled = 4

    /// - Parameters:
    ///   - program: this one, or the built one in tests.
    ///   - reusesChildren: for recordings of one owner.
    ///   - longest: the sound for which there is processor time; what has more is read as far as that lasts.
    ///   - patience: for how long an answer is waited for; nil: ten times the processor time (``IntakeProcess/patience(for:)``).
    public init(
        program: String = "/proc/self/exe", reusesChildren: Bool = true, longest: Duration = .seconds(24 * 3600),
        patience: Duration? = nil
    ) {
        self.program = program
        reuses = reusesChildren
        self.longest = longest
        self.patience = patience
    }

    /// Makes a clip: ``Transcoding/run(to:by:progress:)`` in a child. Blocking.
    ///
    /// - Parameter path: where it appears when it is whole and on the disk.
    @Sendable public func make(_ making: Transcoding, path: String) throws(AudioError) -> Transcoding.Made {
        var children = 1
        while true {
            var child: IntakeProcess?
            do throws(AudioError) { return try attempt(making, path: path, child: &child) } catch {
                guard case .crashed = error, child?.wasKilledFromOutside == true, children < Self.mostKilled else {
                    throw error
                }
                children += 1
            }
        }
    }

    /// - Parameter child: the one that has worked.
    private func attempt(
        _ making: Transcoding, path: String, child: inout IntakeProcess?
    ) throws(AudioError) -> Transcoding.Made {
        let name = making.request.source.name
        let source = try OpenedFile(making.request.source.path, name: name)
        let time = try processorTime(for: source.descriptor, name: name)
        let draft: AtomicFile
        do throws(FileError) { draft = try AtomicFile.create(at: path, mode: 0o666) } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
        let made: Transcoding.Made
        do throws(AudioError) {
            let lane = try self.child(for: name, time)
            child = lane
            made = try make(making, from: source.descriptor, to: draft.file.raw, in: lane, time, mayGoOn: reuses)
        } catch .programMissing {
            // Not for a child that is used again; one for this recording alone may.
            let single = try start(name) { () throws(SystemError) in
                try IntakeProcess(
                    program: program, processorTime: time, largestFile: Self.largestClip,
                    source: source.descriptor)
            }
            child = single
            made = try make(making, from: source.descriptor, to: draft.file.raw, in: single, time, mayGoOn: false)
        }
        // Or it could still write to what counts from now on.
        if !reuses { child?.finish() }
        do throws(FileError) { try draft.commit() } catch {
            throw .inputOutput(path: path, reason: .system(error.error))
        }
        return made
    }

    private func make(
        _ making: Transcoding, from source: Int32, to draft: Int32, in child: IntakeProcess, _ time: Duration,
        mayGoOn: Bool
    ) throws(AudioError) -> Transcoding.Made {
        let work = IntakeWork.transcode(making)
        let limit = (child.processorTime ?? .zero) + time
        try child.begin(work, descriptors: [source, draft])
        do throws(AudioError) {
            guard
                case .made(let made) = try child.reply(
                    to: work, within: limit, patience: patience ?? IntakeProcess.patience(for: time))
            else { throw child.nonsense(work) }
            if mayGoOn { idle.withLock { $0.append(child) } }
            return made
        } catch {
            switch error {
            case .crashed, .cancelled: break
            default: if mayGoOn { idle.withLock { $0.append(child) } }
            }
            throw error
        }
    }

    private func processorTime(for source: Int32, name: String) throws(AudioError) -> Duration {
        var facts = stat()
        guard fstat(source, &facts) == 0 else { throw .inputOutput(path: name, reason: .system(.current)) }
        return Self.processorTime(forBytes: Int64(facts.st_size), longest: longest)
    }

    private func child(for name: String, _ time: Duration) throws(AudioError) -> IntakeProcess {
        while let child = idle.withLock({ $0.popLast() }) { if child.isWaiting { return child } }
        return try start(name) { () throws(SystemError) in
            try IntakeProcess(
                program: program, processorTime: reuses ? nil : time, largestFile: Self.largestClip)
        }
    }

    private func start(
        _ name: String, _ start: () throws(SystemError) -> IntakeProcess
    ) throws(AudioError) -> IntakeProcess {
        do throws(SystemError) { return try start() } catch {
            throw .uncreatable(path: "a process for \(name)", reason: .system(error))
        }
    }
}
