import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization

/// A loopback Drive, stores that use it over real sockets, and what they record.
final class DriveWorld: Sendable {
    /// The smallest chunk that the service takes, so that small files need several.
    static let chunk: Int64 = 262_144

    let drive: LoopbackDrive
    let folder: TemporaryFolder
    let log = Mutex<[String]>([])
    private let sessions = Mutex<[(session: String?, bytes: Int64)]>([])
    private let waits = Mutex<[Duration]>([])

    init(limit: Int64? = nil) throws {
        drive = try LoopbackDrive(limit: limit)
        folder = try TemporaryFolder()
    }

    deinit { drive.close() }

    /// A store as a new process would build it.
    func store(
        chunkBytes: Int64? = chunk, token: any TokenSource = FixedToken(Secret(LoopbackDrive.token), service: "drive")
    )
        throws -> DriveStore
    {
        let settings = CurlSettings(observe: { event in self.log.withLock { $0.append("\(event)") } })
        return try Self.store(drive, chunkBytes: chunkBytes, token: token, settings: settings)
    }

    static func store(
        _ drive: LoopbackDrive, chunkBytes: Int64? = chunk,
        token: any TokenSource = FixedToken(Secret(LoopbackDrive.token), service: "drive"),
        settings: CurlSettings = CurlSettings()
    ) throws -> DriveStore {
        guard let api = WebAddress(drive.api), let upload = WebAddress(drive.upload), let web = WebAddress(drive.base)
        else { throw StoreError.unsupported("use the loopback drive") }
        return DriveStore(
            DriveStore.Settings(api: api, upload: upload, web: web, chunkBytes: chunkBytes),
            transport: AuthorizedTransport(CurlTransport(settings: settings), tokens: token))
    }

    /// The same with temporary failures tried again, without waiting.
    func patient(attempts: Int = 6) throws -> RetryingStore {
        RetryingStore(
            try store(), policy: RetryPolicy(attempts: attempts), jitter: { 0.5 },
            wait: { wait in self.waits.withLock { $0.append(wait) } })
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
