public import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
public import ChirpFlows
internal import Glibc
internal import Synchronization

/// Clips of strangers, decoded in children that hold nothing and do one thing each.
///
/// Two spare children are kept ready, one to measure a clip and one to play it, so that neither waits for a program to start.
public final class Intake: Sendable {
    private let program: String
    private let spares = Mutex<[IntakeProcess]>([])

    /// What one clip may cost; ten minutes of MP3 take less than two seconds.
    private static let processorTime = Duration.seconds(120)

    private let patience: Duration

    /// What one picture may cost: with the start of a child and its end an answer comes within ten seconds.
    let pictureTime: Duration
    /// How long an answer about a picture is waited for, on a machine that is busy with other things too.
    static let picturePatience = Duration.seconds(60)

    /// What one preview may cost, and how large it may be: five minutes at 128 kbps are 4.8 MB.
    static let previewTime = Duration.seconds(180)
    static let mostPreviewBytes: Int64 = 6_000_000

    /// - Parameters:
    ///   - program: this one, or the built one in tests.
    ///   - pictureTime: of a processor, for one picture.
    ///   - patience: for how long a child is waited for that measures or plays a clip; nil: ten times the processor time that it has.
    public init(
        program: String = "/proc/self/exe", pictureTime: Duration = .seconds(8), patience: Duration? = nil
    ) {
        self.program = program
        self.patience = patience ?? IntakeProcess.patience(for: Self.processorTime)
        self.pictureTime = pictureTime
    }

    /// Has children ready before clips come. Blocking, for a millisecond each; they take some 20 of a processor meanwhile, so that
    /// the best moment is when nobody waits for a sound.
    public func warmUp(children: Int = 2) {
        spares.withLock { $0.removeAll { !$0.isWaiting } }
        while spares.withLock({ $0.count < children }), let child = try? start() {
            spares.withLock { $0.append(child) }
        }
    }

    /// What a fetched clip is: ``ClipFacts/init(measuring:name:longest:)``. Blocking.
    public func facts(of path: String, name: String, longest: Duration) throws(AudioError) -> ClipFacts {
        let file = try OpenedFile(path, name: name)
        let work = IntakeWork.hear(name: name, longestSeconds: longest / .seconds(1))
        defer { warmUp(children: 1) }
        do throws(AudioError) {
            return try facts(work, of: file.descriptor, longest: longest)
        } catch .crashed {
            // A child may have been killed for reasons of its own; two are the clip's.
            return try facts(work, of: file.descriptor, longest: longest)
        }
    }

    private func facts(_ work: IntakeWork, of file: Int32, longest: Duration) throws(AudioError) -> ClipFacts {
        let child = try child(for: work.name)
        try child.begin(work, descriptors: [file])
        guard case .heard(let facts) = try child.reply(to: work, patience: patience) else { throw child.nonsense(work) }
        // The child may be a stranger's by now. A clip may be louder than all others, and nothing is lowered without end.
        guard facts.seconds > 0, facts.seconds <= longest / .seconds(1) + 1,
            (-100...ClipFacts.mostGain.value).contains(facts.gain.value)
        else { throw child.nonsense(work) }
        return facts
    }

    /// The samples of a fetched clip. Blocking.
    public func reader(of path: String, name: String, longest: Duration) throws(AudioError) -> IntakeReader {
        let file = try OpenedFile(path, name: name)
        return try IntakeReader(
            .decode(name: name, longestSeconds: longest / .seconds(1)), of: file, longest: longest, patience: patience
        ) { [self] () throws(AudioError) in try child(for: name) }
    }

    func child(for name: String) throws(AudioError) -> IntakeProcess {
        while let child = spares.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            if child.isWaiting { return child }
        }
        do throws(SystemError) { return try start() } catch {
            throw .uncreatable(path: "a process for \(name)", reason: .system(error))
        }
    }

    func pictureChild(for name: String) throws(AudioError) -> IntakeProcess {
        do throws(SystemError) {
            return try IntakeProcess(
                program: program, processorTime: pictureTime, largestFile: ByteCount(0), isForPictures: true)
        } catch {
            throw .uncreatable(path: "a process for \(name)", reason: .system(error))
        }
    }

    func filmProcess(_ files: [Int32]) throws(SystemError) -> IntakeProcess {
        try IntakeProcess(
            program: program, processorTime: nil, largestFile: ByteCount(FilmRules.mostMadeBytes), film: files)
    }

    /// A child that makes one preview.
    func previewProcess() throws(SystemError) -> IntakeProcess {
        try IntakeProcess(
            program: program, processorTime: Self.previewTime, largestFile: ByteCount(Self.mostPreviewBytes))
    }

    private func start() throws(SystemError) -> IntakeProcess {
        try IntakeProcess(program: program, processorTime: Self.processorTime, largestFile: Rehearsal.fileSize)
    }
}
