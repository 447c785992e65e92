import ChirpCore
import ChirpStores
import ChirpTestKit
import Synchronization
import Testing

@Suite struct DecoratorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A retrying store that writes its waits down instead of waiting.
    private func retrying(_ base: any Store, attempts: Int = 4, waits: Waits) -> RetryingStore {
        RetryingStore(
            base, policy: RetryPolicy(base: .seconds(1), cap: .seconds(8), attempts: attempts), jitter: { 0.5 },
            wait: { waits.add($0) })
    }

    private final class Waits: Sendable {
        private let state = Mutex<[Duration]>([])
        var all: [Duration] { state.withLock { $0 } }
        func add(_ wait: Duration) { state.withLock { $0.append(wait) } }
    }

    @Test func `temporary failures are tried again, longer each time and never shorter than asked`() async throws {
        let waits = Waits()
        let script: [StoreError] = [.unreachable("reset"), .busy(retryAfter: .seconds(30)), .unreachable("reset")]
        let store = retrying(ScriptedStore(MemoryStore(), [.quota: script]), waits: waits)
        #expect(try await store.quota().unlimited)
        #expect(waits.all == [.seconds(0.5), .seconds(30), .seconds(2)])
    }

    @Test func `after the last attempt the last failure is told`() async throws {
        let waits = Waits()
        let script: [StoreError] = [.unreachable("1"), .unreachable("2"), .unreachable("3")]
        let store = retrying(ScriptedStore(MemoryStore(), [.share: script]), attempts: 3, waits: waits)
        await #expect(throws: StoreError.unreachable("3")) { _ = try await store.share(StoredObject.ID("x")) }
        #expect(waits.all.count == 2)
    }

    @Test(arguments: [
        StoreError.full(needed: ByteCount(2), free: ByteCount(1)), .signedOut(store: "drive"), .forbidden(""),
        .cancelled,
        .refused(status: 400, detail: ""), .unsupported(""), .inputOutput(path: "", reason: ""),
    ])
    func `what waiting cannot cure is not tried again`(failure: StoreError) async throws {
        let waits = Waits()
        let store = retrying(ScriptedStore(MemoryStore(), [.quota: [failure]]), waits: waits)
        await #expect(throws: failure) { _ = try await store.quota() }
        #expect(waits.all.isEmpty)
    }

    @Test func `an upload goes on in the session of the attempt that failed`() async throws {
        let base = SessionStore()
        let waits = Waits()
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        let store = retrying(base, waits: waits)
        _ = try await store.save(payload, id: StoredObject.ID("x"), checkpoint: UploadCheckpoint(session: "old"))
        #expect(base.sessions == ["old", "new"])
    }

    /// Opens the session "new" and loses the connection, once.
    private final class SessionStore: Store {
        private let state = Mutex<[String?]>([])
        var sessions: [String?] { state.withLock { $0 } }
        let properties = StoreProperties(name: "session", canShare: false)
        func quota() async throws(StoreError) -> Quota { Quota() }
        func reserve() async throws(StoreError) -> StoredObject.ID { StoredObject.ID("x") }
        func save(
            _ payload: Payload, id: StoredObject.ID, checkpoint: UploadCheckpoint
        ) async throws(StoreError) -> StoredObject {
            let count = state.withLock { state in
                state.append(checkpoint.session)
                return state.count
            }
            await checkpoint.record("new", 5)
            if count == 1 { throw .unreachable("cut") }
            return StoredObject(id: id, bytes: payload.bytes)
        }
        func load(_ id: StoredObject.ID, to path: String) async throws(StoreError) { throw .missing(id) }
        func remove(_ id: StoredObject.ID) async throws(StoreError) {}
        func share(_ id: StoredObject.ID) async throws(StoreError) -> String { throw .unsupported("share") }
    }

    @Test func `a dry run asks for the room and changes nothing`() async throws {
        let base = MemoryStore(limit: ByteCount(100))
        let store = DryRunStore(base)
        let payload = try TestPayload.make(folder.path("in"), bytes: 10)
        let id = try await store.reserve()
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(try await store.share(id).hasPrefix("https://"))
        try await store.remove(id)
        #expect(try await store.quota().free == ByteCount(100))
        #expect(base.operations == [.quota])
    }
}
