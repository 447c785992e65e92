public import ChirpAudio
internal import ChirpClips
internal import ChirpCore
internal import ChirpFiles
public import ChirpFlows
internal import Glibc
internal import Synchronization

/// Clips of a fleet, made in children that are used again: as many as there are pieces of work at once. One that dies is
/// replaced, and only the work it had in hand has failed.
public final class IntakeLanes: Sendable {
    private let program: String
    private let idle = Mutex<[IntakeProcess]>([])

    /// What one recording may cost. 24 hours of sound, the most there may be, take half an hour.
    private static let processorTime = Duration.seconds(7200)
    private static let largestClip = ByteCount(Int64(16) << 30)
    /// Children that somebody else may kill over one recording before it is blamed.
    private static let mostKilled = 4

    /// - Parameter program: this one, or the built one in tests.
    public init(program: String = "/proc/self/exe") { self.program = program }

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
        let draft: AtomicFile
        do throws(FileError) { draft = try AtomicFile.create(at: path, mode: 0o666) } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
        let made: Transcoding.Made
        do throws(AudioError) {
            let lane = try self.child(for: name)
            child = lane
            made = try make(making, from: source.descriptor, to: draft.file.raw, in: lane)
        } catch .programMissing {
            // Not for a child that is used again; one for this recording alone may.
            let single = try start(name) { () throws(SystemError) in
                try IntakeProcess(
                    program: program, processorTime: Self.processorTime, largestFile: Self.largestClip,
                    source: source.descriptor)
            }
            child = single
            made = try make(making, from: source.descriptor, to: draft.file.raw, in: single, mayGoOn: false)
        }
        do throws(FileError) { try draft.commit() } catch {
            throw .inputOutput(path: path, reason: .system(error.error))
        }
        return made
    }

    private func make(
        _ making: Transcoding, from source: Int32, to draft: Int32, in child: IntakeProcess, mayGoOn: Bool = true
    ) throws(AudioError) -> Transcoding.Made {
        let work = IntakeWork.transcode(making)
        let limit = (child.processorTime ?? .zero) + Self.processorTime
        try child.begin(work, descriptors: [source, draft])
        do throws(AudioError) {
            guard case .made(let made) = try child.reply(to: work, within: limit) else { throw child.nonsense(work) }
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

    private func child(for name: String) throws(AudioError) -> IntakeProcess {
        while let child = idle.withLock({ $0.popLast() }) { if child.isWaiting { return child } }
        return try start(name) { () throws(SystemError) in
            try IntakeProcess(program: program, processorTime: nil, largestFile: Self.largestClip)
        }
    }

    private func start(
        _ name: String, _ start: () throws(SystemError) -> IntakeProcess
    ) throws(AudioError) -> IntakeProcess {
        do throws(SystemError) { return try start() } catch {
            throw .inputOutput(path: name, reason: "no process can be started for it: \(error)")
        }
    }
}
