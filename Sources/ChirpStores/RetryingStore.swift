public import ChirpCore
internal import Synchronization

/// A store whose temporary failures (``StoreError/busy(retryAfter:)``, ``StoreError/unreachable(_:)``) are tried again.
///
/// Every operation of a ``Store`` may be repeated, so all are. An upload goes on in the session that the failed attempt had, and
/// as long as the store confirms more bytes from one failure to the next, the failures are counted anew.
public struct RetryingStore: Store {
    private let base: any Store
    private let retries: StoreRetries

    /// - Parameters:
    ///   - patience: when a store asks for a longer wait than this its failure is handed on, so that the work is kept for later.
    ///   - jitter: gives numbers in 0..<1.
    ///   - wait: sleeps; throws when the task is cancelled.
    public init(
        _ base: any Store, policy: RetryPolicy = RetryPolicy(), patience: Duration = .seconds(90),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.base = base
        retries = StoreRetries(policy: policy, patience: patience, jitter: jitter, wait: wait)
    }

    public var properties: StoreProperties { base.properties }

    public func quota() async throws(StoreError) -> Quota {
        try await retries.run { () async throws(StoreError) in try await base.quota() }
    }

    public func reserve() async throws(StoreError) -> StoredObject.ID {
        try await retries.run { () async throws(StoreError) in try await base.reserve() }
    }

    public func save(_ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint) async throws(StoreError)
        -> StoredObject
    {
        let latest = LatestSession(checkpoint.session)
        return try await retries.run(progress: { latest.bytes }) { () async throws(StoreError) in
            var resumed = UploadCheckpoint(session: latest.session) { session, confirmed in
                latest.set(session, confirmed)
                await checkpoint.record(session, confirmed)
            }
            resumed.sent = checkpoint.sent
            return try await base.save(payload, id: id, checkpoint: resumed)
        }
    }

    public func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) {
        try await retries.run { () async throws(StoreError) in try await base.load(id, to: path) }
    }

    public func remove(_ id: StoredObject.ID) async throws(StoreError) {
        try await retries.run { () async throws(StoreError) in try await base.remove(id) }
    }

    public func share(_ id: StoredObject.ID) async throws(StoreError) -> String {
        try await retries.run { () async throws(StoreError) in try await base.share(id) }
    }

    /// The upload session and the confirmed bytes as the store last gave them.
    private final class LatestSession: Sendable {
        private let state: Mutex<(session: String?, bytes: Int64)>
        init(_ session: String?) { state = Mutex((session, 0)) }
        var session: String? { state.withLock { $0.session } }
        var bytes: Int64 { state.withLock { $0.bytes } }
        func set(_ session: String?, _ bytes: Int64) { state.withLock { $0 = (session, bytes) } }
    }
}
