internal import Synchronization

/// Wakes one who waits. A ring while nobody waits is heard by the next one who does; several are one.
package final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    package func ring() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isRung = true }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns after a ring, or when the time has passed.
    ///
    /// - Throws: `CancellationError`.
    package func wait(_ duration: Duration, _ clock: any Clock<Duration>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.heard() }
            group.addTask { try await clock.sleep(for: duration) }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Returns after a ring, or once the task is cancelled; an `AsyncStream` would end for good then.
    private func heard() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
