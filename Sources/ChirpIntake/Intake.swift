public import ChirpAudio
internal import ChirpCore
public import ChirpFlows
internal import Glibc
internal import Synchronization

/// Clips of strangers, decoded in children that hold nothing and do one thing each.
///
/// A spare child is kept ready, so that a clip does not wait for a program to start.
public final class Intake: Sendable {
    private let program: String
    private let spare = Mutex<IntakeProcess?>(nil)

    /// What one clip may cost; ten minutes of MP3 take less than two seconds.
    private static let processorTime = Duration.seconds(120)

    /// - Parameter program: this one, or the built one in tests.
    public init(program: String = "/proc/self/exe") { self.program = program }

    /// Has a child ready before the first clip comes. Blocking, for a millisecond.
    public func warmUp() {
        guard spare.withLock({ $0?.isWaiting != true }), let child = try? start() else { return }
        spare.withLock { $0 = child }
    }

    /// What a fetched clip is: ``ClipFacts/init(measuring:name:longest:)``. Blocking.
    public func facts(of path: String, name: String, longest: Duration) throws(AudioError) -> ClipFacts {
        let file = try OpenedFile(path, name: name)
        let work = IntakeWork.hear(name: name, longestSeconds: longest / .seconds(1))
        defer { warmUp() }
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
        guard case .heard(let facts) = try child.reply(to: work) else { throw child.nonsense(work) }
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
            .decode(name: name, longestSeconds: longest / .seconds(1)), of: file, longest: longest
        ) { [self] () throws(AudioError) in try child(for: name) }
    }

    private func child(for name: String) throws(AudioError) -> IntakeProcess {
        if let child = spare.withLock({ $0.take() }), child.isWaiting { return child }
        do throws(SystemError) { return try start() } catch {
            throw .inputOutput(path: name, reason: "no process can be started for it: \(error)")
        }
    }

    private func start() throws(SystemError) -> IntakeProcess {
        try IntakeProcess(program: program, processorTime: Self.processorTime, largestFile: ByteCount(0))
    }
}
