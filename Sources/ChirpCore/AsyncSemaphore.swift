internal import Synchronization

/// Lets a fixed number of tasks in at once; the others wait in order of arrival and may give up.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var nextTicket: UInt64 = 0
        var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// - Parameter width: how many at once, 1 or more.
    package init(width: Int) {
        precondition(width >= 1)
        state = Mutex(State(free: width))
    }

    /// Waits for a place.
    ///
    /// - Returns: false when the task was cancelled before there was one; then ``leave()`` must not be called.
    package func enter() async -> Bool {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // Asked inside the lock: a cancellation either shows here or finds the ticket in the queue below.
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).continuation }
            }
            waiting?.resume(returning: false)
        }
    }

    /// Gives the place to the one who has waited longest.
    package func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
