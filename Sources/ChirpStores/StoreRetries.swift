package import ChirpCore

/// Tries again what fails for a while (``StoreError/busy(retryAfter:)``, ``StoreError/unreachable(_:)``), and waits in between.
package struct StoreRetries: Sendable {
    private let policy: RetryPolicy
    private let patience: Duration
    private let jitter: @Sendable () -> Double
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - patience: when a store asks for a longer wait than this its failure is handed on.
    ///   - jitter: gives numbers in 0..<1.
    ///   - wait: sleeps; throws when the task is cancelled.
    package init(
        policy: RetryPolicy = RetryPolicy(), patience: Duration = .seconds(90),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.policy = policy
        self.patience = patience
        self.jitter = jitter
        self.wait = wait
    }

    /// - Parameter progress: what the store has confirmed so far, in bytes.
    package func run<T>(
        progress: () -> Int64 = { 0 }, _ call: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        var failures = 0
        var confirmed = progress()
        while true {
            let asked: Duration?
            let failure: StoreError
            do throws(StoreError) {
                return try await call()
            } catch {
                failure = error
            }
            switch failure {
            case .busy(let retryAfter): asked = retryAfter
            case .unreachable: asked = nil
            default: throw failure
            }
            if let asked, asked > patience { throw failure }
            let now = progress()
            failures = now > confirmed ? 1 : failures + 1
            confirmed = now
            guard let delay = policy.delay(afterAttempt: failures, asked: asked, jitter: jitter()) else {
                throw failure
            }
            do { try await wait(delay) } catch { throw .cancelled }
        }
    }
}
