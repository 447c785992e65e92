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
    ///   - patience: for how long it is waited for; a child that is a stranger's by now could say nothing for ever. It also ends when the child
    ///     has not used a processor for ``longestSilence``.
    /// - Throws: `cancelled` when the task is (the child is killed), `crashed`, or what the child found wrong.
    func reply(
        to work: IntakeWork, within processorTime: Duration? = nil, patience: Duration
    ) throws(AudioError) -> IntakeReply {
        var overdue: String?
        let begin = ContinuousClock.now
        var (worked, lastUsed) = (begin, Duration.zero)
        let found = channel.receive(IntakeReply.self) {
            let (now, used) = (ContinuousClock.now, process.processorTime)
            if let used, used != lastUsed { (worked, lastUsed) = (now, used) }
            if let processorTime, let used, used > processorTime {
                overdue = "it took more processor time than it may"
            } else if now - begin > patience || now - worked > Self.longestSilence {
                overdue = Self.late
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

    /// No honest child goes without a processor for so long, however busy the machine is.
    static let longestSilence = Duration.seconds(900)
    private static let late = "it gave no answer in time"

    /// For how long a child is waited for that may use so much of a processor: it may get a tenth of one.
    static func patience(for processorTime: Duration) -> Duration { max(.seconds(600), processorTime * 10) }

    /// For work that was waited for in vain.
    func overdue(_ work: IntakeWork) -> AudioError {
        end()
        return .crashed(name: work.name, reason: Self.late)
    }

    /// Ends it after its work, and waits for that: from now on it writes nothing more to what it was given.
    func finish() {
        end()
        _ = process.ending()
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
