public import FoundationEssentials

/// Time and chance for whatever waits, so that tests need neither.
public struct Sleeper: Sendable {
    public var now: @Sendable () -> Date
    /// Waits; false when the task was cancelled meanwhile.
    public var wait: @Sendable (Duration) async -> Bool
    /// A number in 0..<1.
    public var jitter: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Date, wait: @escaping @Sendable (Duration) async -> Bool,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.wait = wait
        self.jitter = jitter
    }

    public static let real = Sleeper(
        now: { Date() },
        wait: { duration in
            do { try await Task.sleep(for: duration) } catch { return false }
            return true
        },
        jitter: { .random(in: 0..<1) })
}
