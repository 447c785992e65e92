internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc
internal import Synchronization

/// A child that decodes what strangers send, seen from the process it works for: this program again, which binds itself before it
/// reads anything (``IntakeChild``). It does one piece of work at a time; whoever has it, has it alone.
final class IntakeProcess: Sendable {
    private let process: ConfinedProcess
    private let channel: IntakeChannel
    /// It was ended from here.
    private let isEnded = Atomic(false)

    /// - Parameters:
    ///   - program: this program.
    ///   - processorTime: over its whole life; nil for a child that is used again.
    ///   - source: of a child that may read this one file through the program `ffmpeg`; it has no other rights more.
    ///   - film: of a child that makes what is shown of one film through the program `ffmpeg`: the film, and the files that it may write.
    ///   - isForPictures: of a child that reads pictures of all kinds, which take less memory than sound.
    init(
        program: String, processorTime: Duration?, largestFile: ByteCount, source: Int32? = nil,
        film: [Int32] = [], isForPictures: Bool = false
    ) throws(SystemError) {
        let (here, there) = try IntakeChannel.pair()
        channel = IntakeChannel(adopting: here)
        defer { close(there) }
        let files = (source.map { [$0] } ?? []) + film
        process = try ConfinedProcess(
            program,
            arguments: [
                isForPictures
                    ? IntakeChild.argumentForPictures
                    : !film.isEmpty
                        ? IntakeChild.argumentForFilm
                        : source == nil ? IntakeChild.argument : IntakeChild.argumentWithPrograms
            ] + IntakeChild.landlockArguments,
            // Beside the socket nothing to read, nowhere to write, and the files it may open again.
            descriptors: [there, nil, nil] + files,
            limits: ConfinedProcess.Limits(
                processorTime: processorTime,
                memory: ByteCount(isForPictures ? 512 << 20 : files.isEmpty ? 1 << 30 : 3 << 30), file: largestFile,
                isForeign: !files.isEmpty, isSelf: !files.isEmpty))
    }

    /// Whether it waits for work; false when it has died meanwhile.
    var isWaiting: Bool { channel.isOpen }

    /// - Throws: `crashed` when it is not there any more.
    func begin(_ work: IntakeWork, descriptors: [Int32]) throws(AudioError) {
        guard channel.send(work, descriptors: descriptors) else { throw crash(work) }
    }

    /// Waits for what it says next.
    ///
    /// - Parameters:
    ///   - processorTime: the most it may have used by then; it is killed when it has used more.
    ///   - patience: for how long it is waited for; a child that is a stranger's by now could say nothing for ever.
    /// - Throws: `cancelled` when the task is (the child is killed), `crashed`, or what the child found wrong.
    func reply(
        to work: IntakeWork, within processorTime: Duration? = nil, patience: Duration? = nil
    ) throws(AudioError) -> IntakeReply {
        var overdue: String?
        let deadline = patience.map { ContinuousClock.now + $0 }
        let found = channel.receive(IntakeReply.self) {
            if let processorTime, let used = process.processorTime, used > processorTime {
                overdue = "it took more processor time than it may"
            } else if let deadline, ContinuousClock.now > deadline {
                overdue = "it gave no answer in time"
            }
            return Task.isCancelled || overdue != nil
        }
        // Nobody sends descriptors in this direction.
        found?.descriptors.forEach { close($0) }
        switch found?.document {
        case .failed(let fault): throw fault.error
        case let reply?: return reply
        case nil:
            if let overdue {
                end()
                throw .crashed(name: work.name, reason: overdue)
            }
            guard Task.isCancelled else { throw crash(work) }
            end()
            throw .cancelled
        }
    }

    /// What has become of it, when it says nothing any more.
    private func crash(_ work: IntakeWork) -> AudioError {
        process.kill()
        return .crashed(name: work.name, reason: "it \(process.ending())")
    }

    /// For work that was answered in a way that makes no sense.
    func nonsense(_ work: IntakeWork) -> AudioError {
        end()
        return .crashed(name: work.name, reason: "it answered what cannot be")
    }

    private func end() {
        isEnded.store(true, ordering: .relaxed)
        process.kill()
    }

    /// Whether somebody else has killed it (SIGKILL), which says nothing about what it read: a decoder that fails ends by another
    /// signal, and memory is refused to it long before the system runs short. To be asked once it is not there any more.
    var wasKilledFromOutside: Bool {
        !isEnded.load(ordering: .relaxed) && process.ending() == .killed(signal: SIGKILL)
    }

    /// Processor time used so far.
    var processorTime: Duration? { process.processorTime }
}
