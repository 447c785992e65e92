public import ChirpCore
internal import Synchronization

/// A store whose temporary failures (``StoreError/busy(retryAfter:)``, ``StoreError/unreachable(_:)``) are tried again.
///
/// Every operation of a ``Store`` may be repeated, so all are. An upload goes on in the session that the failed attempt had.
public struct RetryingStore: Store {
    private let base: any Store
    private let policy: RetryPolicy
    private let jitter: @Sendable () -> Double
    private let wait: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - jitter: gives numbers in 0..<1.
    ///   - wait: sleeps; throws when the task is cancelled.
    public init(
        _ base: any Store, policy: RetryPolicy = RetryPolicy(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.base = base
        self.policy = policy
        self.jitter = jitter
        self.wait = wait
    }

    public var properties: StoreProperties { base.properties }

    public func quota() async throws(StoreError) -> Quota {
        try await retrying { () async throws(StoreError) in try await base.quota() }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try await retrying { () async throws(StoreError) in try await base.reserve() }
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        let latest = LatestSession(checkpoint.session)
        return try await retrying { () async throws(StoreError) in
            let resumed = UploadCheckpoint(session: latest.value) { session, confirmed in
                latest.value = session
                await checkpoint.record(session, confirmed)
            }
            return try await base.save(payload, id: id, checkpoint: resumed)
        }
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try await retrying { () async throws(StoreError) in try await base.load(id, to: path) }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        try await retrying { () async throws(StoreError) in try await base.remove(id) }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        try await retrying { () async throws(StoreError) in try await base.share(id) }
    }

    private func retrying<T>(_ call: () async throws(StoreError) -> T) async throws(StoreError) -> T {
        var failures = 0
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
            failures += 1
            guard let delay = policy.delay(afterAttempt: failures, asked: asked, jitter: jitter()) else {
                throw failure
            }
            do { try await wait(delay) } catch { throw .cancelled }
        }
    }

    /// The upload session as the store last gave it.
    private final class LatestSession: Sendable {
        private let state: Mutex<String?>
        init(_ session: String?) { state = Mutex(session) }
        var value: String? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }
}
