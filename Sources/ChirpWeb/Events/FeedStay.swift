internal import ServiceLifecycle
internal import Synchronization

/// The time that a listener stays. Its task waits here and is woken once: nothing that is written to the listener wakes it.
final class FeedStay: Sendable {
    private enum State {
        case fresh
        case waiting(CheckedContinuation<Void, Never>)
        case over
    }

    private let state = Mutex(State.fresh)

    /// Waits for ``end()``, for the task to be cancelled, or for a graceful shutdown: that waits for answers to end, so this one
    /// ends at once, and the listener comes back by itself.
    func wait() async {
        await withGracefulShutdownHandler {
            await waitForEnd()
        } onGracefulShutdown: {
            self.end()
        }
    }

    private func waitForEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .over = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.end()
        }
    }

    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .over }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }
}
