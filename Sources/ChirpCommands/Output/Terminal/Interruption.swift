package import ChirpCore
package import ChirpFlows

/// The user has ended the run with Ctrl-C, or the system with TERM.
package struct Interruption: Explained {
    package var whatHappened: String { "interrupted" }
    /// What has become of the work.
    package let whatToDo: String
    package var cure: Cure { .advice(whatToDo) }
    package var exitCode: ChirpCore.ExitCode { .interrupted }

    package init(whatToDo: String = "What was begun is in the journal; see: chirp outbox") { self.whatToDo = whatToDo }

    /// Runs the work of a command so that the first INT or TERM cancels it, and a second one ends the process at once.
    ///
    /// The work finishes or undoes its current step and throws; whatever it throws after a signal becomes ``Interruption``.
    /// Also when INT was ignored from the start, as in a script's background job: whoever sends it means it.
    ///
    /// - Parameters:
    ///   - cure: what the user can do after an interruption.
    ///   - publications: what is written into the journal first of all, also when the process then ends at once.
    package static func cancels<T: Sendable>(
        cure: String = Interruption().whatToDo, stopping publications: PublicationStop? = nil,
        _ work: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        let task = Task { try await work() }
        SignalWatch.shared.begin(atOnce: { publications?.wish() }) {
            publications?.wish()
            task.cancel()
        }
        defer { SignalWatch.shared.end() }
        do {
            return try await task.value
        } catch {
            if SignalWatch.shared.hasCome {
                let stopped = publications?.inHand.sorted().first
                throw Interruption(
                    whatToDo: stopped.map { "It waits for you: chirp outbox resume \($0), or chirp outbox drop \($0)" }
                        ?? cure)
            }
            throw error
        }
    }

    /// Runs work that can be stopped in good order: the first INT or TERM asks for that, a second one ends the process at once.
    ///
    /// - Parameters:
    ///   - stop: what the first signal does; the work then ends as it always does.
    ///   - atOnce: what must still be done before the process ends.
    /// - Returns: the work's result, and whether it was a signal that stopped it.
    package static func stops<T: Sendable>(
        _ stop: @escaping @Sendable () -> Void, atOnce: @escaping @Sendable () -> Void = {},
        _ work: @Sendable () async throws -> T
    ) async throws -> (value: T, wasInterrupted: Bool) {
        SignalWatch.shared.begin(atOnce: atOnce, stop)
        defer { SignalWatch.shared.end() }
        let value = try await work()
        return (value, SignalWatch.shared.hasCome)
    }
}
