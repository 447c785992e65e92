internal import Synchronization

/// Permits for each key, as many as there are for one. Who comes when all of a key are taken waits behind those of the same key alone.
package final class KeyedSemaphore<Key: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Queue {
        var taken = 0
        /// In the order in which they came; empty unless all permits are taken.
        var waiting: [Waiting] = []
    }

    private struct State {
        var queues: [Key: Queue] = [:]
        var next: UInt64 = 0
    }

    private let permits: Int
    private let state = Mutex(State())

    /// - Parameter permits: of each key; 1 or more.
    package init(permits: Int) { self.permits = permits }

    /// How many keys hold a permit. Others are forgotten.
    package var count: Int { state.withLock { $0.queues.count } }
    /// How many wait, for whichever key.
    package var waiting: Int { state.withLock { $0.queues.values.reduce(0) { $0 + $1.waiting.count } } }

    /// Takes a permit, when it is the caller's turn. It has to be released.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before; then nothing was taken.
    package func acquire(_ key: Key) async throws {
        let number = state.withLock { state -> UInt64? in
            guard !Self.take(key, permits, &state) else { return nil }
            state.next += 1
            return state.next
        }
        guard let number else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    // Whoever cancels looks for it behind this lock: either now or there it is seen.
                    guard !Task.isCancelled else { return .failure(CancellationError()) }
                    guard !Self.take(key, permits, &state) else { return .success(()) }
                    state.queues[key]?.waiting.append(Waiting(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel(key, number)
        }
    }

    /// Gives a permit back, to the next of the same key if there is one.
    package func release(_ key: Key) {
        let next = state.withLock { state -> Waiting? in
            guard var queue = state.queues[key] else { return nil }
            let next = queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
            if next == nil { queue.taken -= 1 }
            state.queues[key] = queue.taken > 0 ? queue : nil
            return next
        }
        next?.continuation.resume()
    }

    private static func take(_ key: Key, _ permits: Int, _ state: inout State) -> Bool {
        let taken = state.queues[key]?.taken ?? 0
        guard taken < permits else { return false }
        state.queues[key, default: Queue()].taken = taken + 1
        return true
    }

    private func cancel(_ key: Key, _ number: UInt64) {
        let found = state.withLock { state -> Waiting? in
            guard let index = state.queues[key]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.queues[key]?.waiting.remove(at: index)
        }
        found?.continuation.resume(throwing: CancellationError())
    }
}
