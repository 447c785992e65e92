internal import ChirpCore
internal import Synchronization

/// Tells listeners when the library has changed, whichever process changed it.
///
/// It asks for ``LibraryVersion`` only while somebody listens: every 25 ms this took 1.2 % of one core, and nothing while nobody listened. The
/// alternative, inotify on the write-ahead log, would save that and 12 ms on average, but hears nothing on network file
/// systems, cannot tell a commit from a checkpoint, and needs a thread of its own.
///
/// Where hints come (``Hints``) it looks at each of them and seldom by itself. A hint says nothing: what has changed is in the library, so one that
/// is lost, late or twice changes nothing but when that is found.
package final class LibraryWatch: Sendable {
    /// What a listener is told.
    package enum Signal: Sendable {
        /// The feed may hold more than before.
        case changed
        /// It is time to show that the connection is alive. May stand for `changed` too, so listeners look in any case.
        case alive
    }

    /// That somebody says when it is worth looking.
    package struct Hints: Sendable {
        /// How often to look by itself while hints come: the longest that a lost one delays anything.
        let poll: Duration
        /// Whether they come at this moment.
        let areComing: @Sendable () -> Bool

        package init(poll: Duration, areComing: @escaping @Sendable () -> Bool) {
            (self.poll, self.areComing) = (poll, areComing)
        }
    }

    private struct State {
        var ears: [Int: @Sendable (Signal) -> Void] = [:]
        var next = 0
    }

    private let version: LibraryVersion
    private let poll: Duration
    private let heartbeat: Duration
    private let hints: Hints?
    private let hinted = Bell()
    private let clock: any Clock<Duration>
    private let onFailure: @Sendable (LibraryError) -> Void
    private let state = Mutex(State())
    private let arrivals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Opens a connection of its own: blocks for a moment.
    ///
    /// - Parameters:
    ///   - poll: how often to look, and only while somebody listens.
    ///   - heartbeat: how often to say that nothing is wrong when nothing happens.
    ///   - hints: nil: ``hint()`` is never called.
    ///   - onFailure: hears of every look that failed; looking continues.
    package init(
        _ library: HubLibrary, poll: Duration = .milliseconds(25), heartbeat: Duration = .seconds(15),
        hints: Hints? = nil, clock: any Clock<Duration> = ContinuousClock(),
        onFailure: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) throws(LibraryError) {
        version = try LibraryVersion(library)
        self.poll = poll
        self.heartbeat = heartbeat
        self.hints = hints
        self.clock = clock
        self.onFailure = onFailure
    }

    /// Starts to listen.
    ///
    /// - Parameter tell: called at every signal, and must not wait. Of those that a busy listener has not taken, one says all.
    /// - Returns: what ends it, see ``leave(_:)``.
    package func listen(_ tell: @escaping @Sendable (Signal) -> Void) -> Int {
        let ear = state.withLock { state in
            state.next += 1
            state.ears[state.next] = tell
            return state.next
        }
        arrivals.continuation.yield()
        return ear
    }

    /// Ends listening.
    package func leave(_ ear: Int) { state.withLock { _ = $0.ears.removeValue(forKey: ear) } }

    /// It is worth looking now. Does not wait; several are one.
    package func hint() { hinted.ring() }

    /// How many listen at this moment.
    private var listeners: Int { state.withLock { $0.ears.count } }

    /// Looks while somebody listens, until it is cancelled.
    package func run() async throws {
        for await _ in arrivals.stream {
            do { try await look() } catch is CancellationError {}
        }
    }

    private func look() async throws {
        var known: Int?
        var silent = Duration.zero
        while listeners > 0 {
            do throws(LibraryError) {
                let found = try version.current
                // The first look has nothing to compare with; whoever listens already may have missed something.
                if found != known { signal(.changed) }
                known = found
            } catch {
                onFailure(error)
            }
            silent += try await rest()
            if silent >= heartbeat {
                signal(.alive)
                silent = .zero
            }
        }
    }

    /// Hints are looked at no more often than this: who writes much does not make all listeners look each time.
    private static let shortest = Duration.milliseconds(5)

    /// Waits until it is time to look.
    ///
    /// - Returns: how long that was.
    private func rest() async throws -> Duration {
        guard let hints else {
            try await clock.sleep(for: poll)
            return poll
        }
        let poll = hints.areComing() ? hints.poll : poll
        return try await clock.measure {
            try await clock.sleep(for: Self.shortest)
            try await hinted.wait(poll, clock)
        }
    }

    private func signal(_ signal: Signal) {
        for ear in state.withLock({ Array($0.ears.values) }) { ear(signal) }
    }
}
