package import ChirpCore

/// When to try again to get a lost device back, and when to give up. Pure: instants come from the caller.
package struct Reconnection: Sendable {
    private let policy: RetryPolicy
    private let patience: Duration
    private var failures = 0
    private var since: ContinuousClock.Instant?

    package init(policy: RetryPolicy, patience: Duration) {
        self.policy = policy
        self.patience = patience
    }

    /// Whether something is lost at the moment.
    package var isLost: Bool { since != nil }

    /// The device is gone. Repeating it changes nothing.
    package mutating func lost(at now: ContinuousClock.Instant) {
        if since == nil { since = now }
    }

    /// An attempt failed.
    ///
    /// - Parameter jitter: a random number in 0..<1.
    /// - Returns: how long to wait before the next attempt; nil to give up.
    package mutating func failed(at now: ContinuousClock.Instant, jitter: Double) -> Duration? {
        failures += 1
        let began = since ?? now
        since = began
        let left = began + patience - now
        guard left > .zero, let delay = policy.delay(afterAttempt: failures, jitter: jitter) else { return nil }
        return min(delay, left)
    }

    /// It is back.
    ///
    /// - Returns: how long it was gone.
    package mutating func succeeded(at now: ContinuousClock.Instant) -> Duration {
        defer {
            failures = 0
            since = nil
        }
        return since.map { now - $0 } ?? .zero
    }
}
