internal import ChirpCore
internal import HTTPTypes
internal import Synchronization

/// Sees to it that one request at a time writes on an upload.
///
/// A sender whose connection has died comes back before the server knows of it. So a second request waits a little; and after some
/// that came in vain, while not a byte was written, the first one is taken for dead and ended.
final class TusTurns: Sendable {
    private final class Line: Sendable {
        let semaphore = AsyncSemaphore(width: 1)
        let state = Mutex(State())

        struct State {
            /// Those who wait and the one who writes.
            var users = 0
            /// Grows with everything that the one who writes receives.
            var progress = 0
            /// How many have waited in vain since it grew.
            var strikes = (at: 0, count: 0)
            var stop: AsyncStream<Void>.Continuation?
        }
    }

    private let lines = Mutex<[String: Line]>([:])
    private let clock: any Clock<Duration>

    /// How long a second request waits.
    private static let patience = Duration.seconds(2)
    /// After so many in vain the first is ended.
    private static let mostStrikes = 3

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Does something as the only one who writes on an upload.
    ///
    /// - Parameter body: calls its argument whenever it has received something. It is cancelled when it is taken for dead.
    /// - Throws: 423 while somebody else writes.
    func hold<T: Sendable>(
        _ id: String, _ body: @escaping @Sendable (_ alive: @escaping @Sendable () -> Void) async throws -> T
    ) async throws -> T {
        let (line, isAlone) = lines.withLock { lines in
            let line = lines[id] ?? Line()
            lines[id] = line
            return line.state.withLock { state in
                state.users += 1
                return (line, state.users == 1)
            }
        }
        defer {
            lines.withLock { lines in
                let isLast = line.state.withLock { state in
                    state.users -= 1
                    return state.users == 0
                }
                if isLast { lines[id] = nil }
            }
        }
        // Whoever is alone need not wait.
        let isMyTurn = isAlone ? await line.semaphore.enter() : await enter(line)
        guard isMyTurn else {
            try Task.checkCancellation()
            strike(line)
            throw Problem(
                HTTPResponse.Status(code: 423), "locked", "Another request writes on this upload", retryAfter: 1)
        }
        let (stopping, stop) = AsyncStream<Void>.makeStream()
        line.state.withLock { state in
            state.stop = stop
            state.progress += 1
        }
        defer {
            line.state.withLock { $0.stop = nil }
            stop.finish()
            line.semaphore.leave()
        }
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await body { line.state.withLock { $0.progress += 1 } } }
            group.addTask {
                for await _ in stopping {}
                return nil
            }
            defer { group.cancelAll() }
            guard let outcome = try await group.next() ?? nil else { throw CancellationError() }
            return outcome
        }
    }

    /// Waits until nobody writes on an upload, at most for the patience: then what is told of it is not out of date at once.
    func settle(_ id: String) async {
        guard let line = lines.withLock({ $0[id] }), await enter(line) else { return }
        line.semaphore.leave()
    }

    /// Waits for its turn, at most for the patience.
    private func enter(_ line: Line) async -> Bool {
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await line.semaphore.enter() }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.patience)
                return nil
            }
            var hasEntered = false
            for await outcome in group {
                if outcome == true { hasEntered = true }
                group.cancelAll()
            }
            return hasEntered
        }
    }

    private func strike(_ line: Line) {
        let dead = line.state.withLock { state -> AsyncStream<Void>.Continuation? in
            if state.strikes.at != state.progress { state.strikes = (state.progress, 0) }
            state.strikes.count += 1
            return state.strikes.count >= Self.mostStrikes ? state.stop : nil
        }
        dead?.finish()
    }
}
