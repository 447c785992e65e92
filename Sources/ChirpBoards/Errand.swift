internal import Synchronization

/// What a board does after somebody has changed something, and nobody waits for: it is done by a service of the hub after the answer, again for
/// all that came meanwhile. What there is to do stands in the library, so a hub that dies leaves it to the next one.
package final class Errand: Sendable {
    private let clock: any Clock<Duration>
    private let work: @Sendable (Pace) async -> Duration?
    private enum Doer {
        case nobody
        /// Another process, which looks by itself for what has come.
        case elsewhere
        /// Is woken by this.
        case here(AsyncStream<Void>.Continuation)
    }
    private let doer = Mutex(Doer.nobody)

    /// - Parameters:
    ///   - clock: for rests between the pieces of it.
    ///   - work: does all that there is to do, piece by piece.
    package convenience init(
        clock: any Clock<Duration> = ContinuousClock(), _ work: @escaping @Sendable (Pace) async -> Void
    ) {
        self.init(
            work: { pace in
                await work(pace)
                return nil
            }, clock: clock)
    }

    private init(work: @escaping @Sendable (Pace) async -> Duration?, clock: any Clock<Duration>) {
        self.clock = clock
        self.work = work
    }

    /// One that is done again though nothing has come, as of what failed.
    ///
    /// - Parameters:
    ///   - clock: for rests between the pieces of it, and for the time until it is done again.
    ///   - work: does all that there is to do, piece by piece, and says after how long it is to be done again; nil: not by itself.
    package static func repeating(
        clock: any Clock<Duration> = ContinuousClock(), _ work: @escaping @Sendable (Pace) async -> Duration?
    ) -> Errand { Errand(work: work, clock: clock) }

    /// There is something to do. Without a service, as in a process that does not serve, it is done before this returns.
    package func arise() async {
        let isHeard = doer.withLock { doer in
            switch doer {
            case .nobody: return false
            case .elsewhere: break
            case .here(let bell): bell.yield()
            }
            return true
        }
        if !isHeard { _ = await work(.unresting) }
    }

    /// Another process does it, until this one serves it.
    package func leaveToOthers() { doer.withLock { $0 = .elsewhere } }

    /// Does what there is and what comes, until the task is cancelled. One at a time.
    package func serve() async {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        doer.withLock { $0 = .here(bell) }
        // A hub before this one may have left something.
        bell.yield()
        var alarm: Task<Void, Never>?
        defer {
            alarm?.cancel()
            doer.withLock { $0 = .nobody }
        }
        for await _ in rings {
            alarm?.cancel()
            guard !Task.isCancelled else { return }
            alarm = await work(Pace(clock)).map { wait in
                Task { [clock] in
                    guard (try? await clock.sleep(for: wait)) != nil else { return }
                    bell.yield()
                }
            }
        }
    }
}

/// How fast something is done that nobody waits for.
package struct Pace: Sendable {
    private let clock: (any Clock<Duration>)?

    private init(resting clock: (any Clock<Duration>)?) { self.clock = clock }

    /// With rests by a clock.
    package init(_ clock: any Clock<Duration>) { self.init(resting: clock) }

    /// One piece after the other, where somebody waits for it.
    package static let unresting = Pace(resting: nil)

    /// Does a piece of it, then rests three times as long: whoever asks for something else meanwhile finds a processor free. (Listings were
    /// compared without a rest; on two processors a listing that was placed meanwhile took 15.5 ms in one case of twenty, and 8.8 with
    /// nothing to compare.)
    ///
    /// - Throws: what the work throws, and `CancellationError` in the rest.
    package func piece<Done>(_ work: () async throws -> Done) async throws -> Done {
        guard let clock else { return try await work() }
        return try await Self.rested(work, clock)
    }

    private static func rested<Done>(
        _ work: () async throws -> Done, _ clock: some Clock<Duration>
    ) async throws -> Done {
        let begin = clock.now
        let done = try await work()
        try await clock.sleep(for: begin.duration(to: clock.now) * 3)
        return done
    }
}
