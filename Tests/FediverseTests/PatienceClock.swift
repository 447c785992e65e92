import Synchronization

/// A clock on which every patience lasts until it is said to be over.
final class PatienceClock: Clock {
    private struct State {
        var isOver = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(continuation) }
            return state.isOver
        }
        if isOver { continuation.finish() }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Answers nothing for longer than anybody waits.
    func outlast() async {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        state.withLock { $0 = State() }
    }
}
