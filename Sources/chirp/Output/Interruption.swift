import ChirpCore
import Dispatch
import Glibc
import Synchronization

/// The user has ended the run with Ctrl-C, or the system with TERM.
struct Interruption: Explained {
    var whatHappened: String { "interrupted" }
    /// What has become of the work.
    var whatToDo = "What was begun is in the journal; see: chirp outbox"
    var exitCode: ChirpCore.ExitCode { .interrupted }

    /// Runs the work of a command so that the first INT or TERM cancels it, and a second one ends the process at once.
    ///
    /// The work finishes or undoes its current step and throws; whatever it throws after a signal becomes ``Interruption``.
    /// Also when INT was ignored from the start, as in a script's background job: whoever sends it means it.
    static func cancels<T: Sendable>(_ work: @escaping @Sendable () async throws -> T) async throws -> T {
        let task = Task { try await work() }
        let counter = SignalCounter()
        let sources = [SIGINT, SIGTERM].map { watch($0, counter, task.cancel) }
        defer { sources.forEach { $0.cancel() } }
        do {
            return try await task.value
        } catch {
            if counter.count.load(ordering: .relaxed) > 0 { throw Interruption() }
            throw error
        }
    }

    /// Runs work that can be stopped in good order: the first INT or TERM asks for that, a second one ends the process at once.
    ///
    /// - Parameters:
    ///   - stop: what the first signal does; the work then ends as it always does.
    ///   - atOnce: what must still be done before the process ends.
    /// - Returns: the work's result, and whether it was a signal that stopped it.
    static func stops<T: Sendable>(
        _ stop: @escaping @Sendable () -> Void, atOnce: @escaping @Sendable () -> Void = {},
        _ work: @Sendable () async throws -> T
    ) async throws -> (value: T, wasInterrupted: Bool) {
        let counter = SignalCounter()
        let sources = [SIGINT, SIGTERM].map { watch($0, counter, atOnce: atOnce, stop) }
        defer { sources.forEach { $0.cancel() } }
        let value = try await work()
        return (value, counter.count.load(ordering: .relaxed) > 0)
    }

    private final class SignalCounter: Sendable {
        let count = Atomic(0)
    }

    private static func watch(
        _ number: Int32, _ counter: SignalCounter, atOnce: @escaping @Sendable () -> Void = {},
        _ cancel: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // The source sees the signal although its default action is off.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
        source.setEventHandler {
            guard counter.count.add(1, ordering: .relaxed).newValue == 1 else {
                atOnce()
                _exit(ChirpCore.ExitCode.interrupted.rawValue)
            }
            cancel()
        }
        source.activate()
        return source
    }
}
