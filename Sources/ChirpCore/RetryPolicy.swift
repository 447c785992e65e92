/// When to try again after a temporary failure: exponential back-off with full jitter, bounded in count and in time.
///
/// The caller waits and asks again; this value only counts. See "Exponential Backoff and Jitter" (AWS architecture blog,
/// 2015) for why the jitter spans the whole interval.
public struct RetryPolicy: Hashable, Sendable {
    /// The mean of the first wait is half of it.
    public var base: Duration
    /// No computed wait is longer.
    public var cap: Duration
    /// How often to try in all, the first time included; at least 1.
    public var attempts: Int

    public init(base: Duration = .seconds(1), cap: Duration = .seconds(64), attempts: Int = 6) {
        precondition(attempts >= 1)
        self.base = base
        self.cap = cap
        self.attempts = attempts
    }

    public static let never = RetryPolicy(attempts: 1)

    /// The wait before attempt `attempt + 1`, or nil when there shall be none.
    ///
    /// - Parameters:
    ///   - attempt: how many attempts have failed, from 1.
    ///   - asked: what the service asked for (`Retry-After`); never waits less than that.
    ///   - jitter: a number in 0..<1 from the caller's source of randomness.
    public func delay(afterAttempt attempt: Int, asked: Duration? = nil, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doublings = min(max(attempt - 1, 0), 30)
        let ceiling = min(cap, base * (1 << doublings))
        return max(asked ?? .zero, ceiling * jitter)
    }
}
