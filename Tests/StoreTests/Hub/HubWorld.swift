import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization

/// A loopback hub, stores that use it over real sockets, and what they record. Nobody waits for anything; waits are counted.
final class HubWorld: Sendable {
    let hub: LoopbackHub
    let folder: TemporaryFolder
    private let token: String
    private let sessions = Mutex<[(session: String?, bytes: Int64)]>([])
    private let waits = Mutex<[Duration]>([])

    init(limit: Int64? = nil) throws {
        hub = try LoopbackHub(limit: limit)
        folder = try TemporaryFolder()
        token = hub.mastodon.oauth.grant(scope: "read write follow").access
    }

    deinit { hub.close() }

    /// A store as a new process would build it.
    func store(chunkBytes: Int64? = nil) throws -> RemoteHubStore {
        guard let root = WebAddress(hub.base) else { throw StoreError.unsupported("use the loopback hub") }
        let pause = Sleeper(
            now: { Date(timeIntervalSince1970: 1_795_253_400) },
            wait: { time in
                self.waits.withLock { $0.append(time) }
                return !Task.isCancelled
            }, jitter: { 0.5 })
        return RemoteHubStore(
            hub: root,
            transport: AuthorizedTransport(CurlTransport(), tokens: FixedToken(Secret(token), service: "hub")),
            chunkBytes: chunkBytes, pause: pause)
    }

    /// A store of some other server.
    static func store(at base: String) throws -> RemoteHubStore {
        guard let root = WebAddress(base) else { throw StoreError.unsupported("use a loopback server") }
        return RemoteHubStore(hub: root, transport: CurlTransport())
    }

    /// The same with temporary failures tried again, without waiting.
    func patient(chunkBytes: Int64? = nil, attempts: Int = 6) throws -> RetryingStore {
        RetryingStore(
            try store(chunkBytes: chunkBytes), policy: RetryPolicy(attempts: attempts), jitter: { 0.5 }, wait: { _ in })
    }

    func payload(bytes: Int, seed: UInt8 = 1, name: String = "in") throws -> Payload {
        try TestPayload.make(folder.path(name), bytes: bytes, seed: seed)
    }

    /// A journal: remembers what a store recorded.
    func checkpoint(_ session: String? = nil) -> UploadCheckpoint {
        UploadCheckpoint(session: session) { session, bytes in self.sessions.withLock { $0.append((session, bytes)) } }
    }

    var recorded: [(session: String?, bytes: Int64)] { sessions.withLock { $0 } }
    /// What a next process would find.
    var lastSession: String? { recorded.last?.session }
    var waited: [Duration] { waits.withLock { $0 } }
}
