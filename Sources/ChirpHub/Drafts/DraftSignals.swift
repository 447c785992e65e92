package import ChirpCommunity
internal import Synchronization

/// Tells those who wait for a draft that something has become of it, so that nobody has to look again and again.
package final class DraftSignals: Sendable {
    private struct State {
        var ears: [HubID: [Int: AsyncStream<Void>.Continuation]] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    init() {}

    /// Listens for as long as the body runs. Of signals that were not taken, one says all.
    package func listening<T>(
        to id: HubID, _ body: (AsyncStream<Void>) async throws -> T
    ) async rethrows -> T {
        let (signals, ear) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.ears[id, default: [:]][state.next] = ear
            return state.next
        }
        defer {
            state.withLock { state in
                state.ears[id]?[number] = nil
                if state.ears[id]?.isEmpty == true { state.ears[id] = nil }
            }
        }
        return try await body(signals)
    }

    /// Something has become of it.
    package func tell(_ id: HubID) {
        for ear in state.withLock({ Array(($0.ears[id] ?? [:]).values) }) { ear.yield() }
    }

    /// Something may have become of any of them: another process has written.
    func tellAll() {
        for ears in state.withLock({ Array($0.ears.values) }) { for ear in ears.values { ear.yield() } }
    }
}
