import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

// CH-5: an upload survives whatever happens on the way, sends nothing twice that was confirmed, and ends as one file.
// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct DriveUploadTests {
    private static let chunk = Int(DriveWorld.chunk)

    private func save(
        _ store: any Store, _ payload: Payload, _ id: StoredObject.ID, _ checkpoint: UploadCheckpoint
    ) async throws -> StoredObject {
        try await store.save(payload, id: id, checkpoint: checkpoint)
    }

    /// One file with the payload's bytes under the id, and nothing else.
    private func expectOne(_ world: DriveWorld, _ payload: Payload, _ id: StoredObject.ID) throws {
        #expect(world.drive.clips.map(\.id) == [id.text])
        let content = try Data(contentsOf: URL(filePath: payload.path))
        #expect(world.drive.clips.first.map { Data($0.content) } == content)
    }

    @Test func `a file of several chunks is sent in order and recorded after each`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        let payload = try world.payload(bytes: 3 * Self.chunk + 17)
        let id = try await store.reserve()
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        let ranges = world.drive.requests.compactMap { $0.headers["Content-Range"] }
        let (c, total) = (Self.chunk, payload.bytes)
        #expect(
            ranges == [
                "bytes 0-\(c - 1)/\(total)", "bytes \(c)-\(2 * c - 1)/\(total)", "bytes \(2 * c)-\(3 * c - 1)/\(total)",
                "bytes \(3 * c)-\(total - 1)/\(total)",
            ])
        #expect(world.recorded.map(\.bytes) == [0, Int64(c), 2 * Int64(c), 3 * Int64(c), total])
        #expect(world.recorded.dropLast().allSatisfy { $0.session?.hasPrefix(world.drive.upload) == true })
        #expect(world.lastSession == nil)  // the secret is not kept longer than it is needed
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 524_288])
    func `every size around a chunk arrives whole`(bytes: Int) async throws {
        let world = try DriveWorld()
        let store = try world.store()
        let payload = try world.payload(bytes: bytes)
        let id = try await store.reserve()
        #expect(try await save(store, payload, id, world.checkpoint()) == StoredObject(id: id, bytes: Int64(bytes)))
        try expectOne(world, payload, id)
    }

    @Test func `a new process asks the session what it has and goes on there`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 4 * Self.chunk)
        let first = try world.store()
        let id = try await first.reserve()
        world.drive.plan(.refusal(503), at: .chunk)  // used up by the first chunk below
        await #expect(throws: StoreError.busy(retryAfter: nil)) {
            _ = try await save(first, payload, id, world.checkpoint())
        }
        let session = try #require(world.lastSession)
        world.drive.plan(.reset(afterBytes: Self.chunk), at: .chunk)
        await #expect { _ = try await save(try world.store(), payload, id, world.checkpoint(session)) } throws: {
            ($0 as? StoreError)?.isPermanent == false
        }
        _ = try await save(try world.store(), payload, id, world.checkpoint(session))
        try expectOne(world, payload, id)
        #expect(world.drive.count(.start) == 1)
        #expect(world.drive.count(.status) == 2)
    }

    @Test func `without a chunk size all that is left is one request, and a broken one goes on where the service says`()
        async throws
    {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 8 * Self.chunk + 5)
        let store = RetryingStore(try world.store(chunkBytes: nil), wait: { _ in })
        world.drive.plan(.reset(afterBytes: 3 * Self.chunk + 1000), at: .chunk)
        let id = try await store.reserve()
        let told = Mutex<[Int64]>([])
        var checkpoint = world.checkpoint()
        checkpoint.sent = { bytes in told.withLock { $0.append(bytes) } }
        _ = try await save(store, payload, id, checkpoint)
        try expectOne(world, payload, id)
        let (kept, total) = (Int64(3 * Self.chunk), payload.bytes)
        #expect(
            world.drive.requests.compactMap { $0.headers["Content-Range"] } == [
                "bytes 0-\(total - 1)/\(total)", "bytes */\(total)", "bytes \(kept)-\(total - 1)/\(total)",
            ])
        // What was kept is written down before more is sent, so that a line that breaks every minute still gets there.
        #expect(world.recorded.map(\.bytes) == [0, kept, total])
        let progress = told.withLock { $0 }
        #expect(progress.count > 8 && progress.allSatisfy { $0 <= total })
    }

    @Test func `of a chunk that broke only what the service kept is not sent again`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 8 * Self.chunk)
        let store = RetryingStore(try world.store(chunkBytes: 4 * DriveWorld.chunk), wait: { _ in })
        world.drive.plan(.reset(afterBytes: 3 * Self.chunk + 1000), at: .chunk)
        let id = try await store.reserve()
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        // Three quarters of the chunk were whole units and stayed.
        #expect(world.drive.uploadedBytes == payload.bytes + 1000)
    }

    @Test func `the range of the answer counts, not what was sent`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 6 * Self.chunk)
        let store = try world.store(chunkBytes: 2 * DriveWorld.chunk)
        world.drive.plan(.keep(bytes: Self.chunk), at: .chunk)
        world.drive.plan(.keep(bytes: 0), at: .chunk)
        let id = try await store.reserve()
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        #expect(world.recorded.map(\.bytes).prefix(3) == [0, Int64(Self.chunk), Int64(Self.chunk)])
    }

    @Test func `a service that keeps nothing is not fed for ever`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 2 * Self.chunk)
        let store = try world.store()
        for _ in 0..<10 { world.drive.plan(.keep(bytes: 0), at: .chunk) }
        let id = try await store.reserve()
        await #expect(throws: StoreError.unreachable("Google Drive keeps nothing of what it is sent")) {
            _ = try await save(store, payload, id, world.checkpoint())
        }
        #expect(world.drive.count(.chunk) == 3)
    }

    @Test(arguments: [404, 410])
    func `a dead session starts again with the same id`(status: Int) async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 3 * Self.chunk)
        let store = try world.store()
        let id = try await store.reserve()
        world.drive.plan(.keep(bytes: Self.chunk), at: .chunk)
        world.drive.plan(.deadSession(status: status), at: .chunk)
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        #expect(world.drive.count(.start) == 2)
    }

    @Test func `a session that died between two processes starts again with the same id`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 2 * Self.chunk)
        let id = try await world.store().reserve()
        world.drive.plan(.refusal(500), at: .chunk)
        await #expect(throws: StoreError.self) {
            _ = try await save(try world.store(), payload, id, world.checkpoint())
        }
        world.drive.endSessions(status: 404)
        _ = try await save(try world.store(), payload, id, world.checkpoint(world.lastSession))
        try expectOne(world, payload, id)
    }

    @Test func `sessions that die again and again are given up for now`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 2 * Self.chunk)
        let store = try world.store()
        for _ in 0..<5 { world.drive.plan(.deadSession(), at: .chunk) }
        let id = try await store.reserve()
        let error = await #expect(throws: StoreError.self) {
            _ = try await save(store, payload, id, world.checkpoint())
        }
        #expect(error?.exitCode == .temporary)
        #expect(world.drive.count(.start) == 2)
    }

    @Test func `a lost answer after the last byte costs one question`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 2 * Self.chunk)
        let store = try world.patient()
        world.drive.plan(.keep(bytes: Self.chunk), at: .chunk)  // the first chunk goes well
        world.drive.plan(.lost, at: .chunk)
        let id = try await store.reserve()
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        #expect(world.drive.uploadedBytes == payload.bytes)
        #expect(world.drive.calls.last == .status)
    }

    @Test func `a file that is there although the session was forgotten is success`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 1000)
        let id = try await world.store().reserve()
        _ = try await save(try world.store(), payload, id, world.checkpoint())
        _ = try await save(try world.store(), payload, id, world.checkpoint())  // 409 at the start
        world.drive.endSessions()
        try expectOne(world, payload, id)
        #expect(world.drive.uploadedBytes == 1000)
    }

    @Test func `two processes with one id end with one file`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 3 * Self.chunk)
        let id = try await world.store().reserve()
        // The second opens its session before the first is complete, and hears of the other file at its own end.
        world.drive.plan(.refusal(503), at: .chunk)
        await #expect(throws: StoreError.self) {
            _ = try await save(try world.store(), payload, id, world.checkpoint())
        }
        let early = world.lastSession
        _ = try await save(try world.store(), payload, id, world.checkpoint())
        _ = try await save(try world.store(), payload, id, world.checkpoint(early))
        try expectOne(world, payload, id)
    }

    @Test(arguments: [
        DriveFault.refusal(500), .refusal(502), .refusal(503, retryAfter: "7"),
        .refusal(429, reason: "rateLimitExceeded"),
        .refusal(403, reason: "userRateLimitExceeded"), .refusal(403, reason: "rateLimitExceeded"), .lost,
        .reset(afterBytes: 100), .page(503),
    ])
    func `every temporary fault at every call ends as one file`(fault: DriveFault) async throws {
        let calls: [DriveCall] = [.generateIDs, .list, .create, .permit, .start, .chunk, .status, .get]
        for call in calls {
            let world = try DriveWorld()
            let payload = try world.payload(bytes: 2 * Self.chunk + 5)
            let store = try world.patient()
            world.drive.plan(fault, at: call)
            if call == .status { world.drive.plan(.refusal(500), at: .chunk) }
            let id = try await store.reserve()
            _ = try await save(store, payload, id, world.checkpoint())
            let link = try await store.share(id)
            #expect(link.contains(id.text))
            try expectOne(world, payload, id)
            #expect(world.drive.folders.count == 1, "\(call)")
            #expect(world.drive.isPublic(id.text))
            #expect(world.drive.plannedFaults == 0, "\(call) never came")
            if case .refusal(503, _, _) = fault { #expect(world.waited.contains { $0 >= .seconds(7) }, "\(call)") }
        }
    }

    @Test func `what asks for more patience than there is goes to the outbox`() async throws {
        let world = try DriveWorld()
        world.drive.plan(.refusal(503, retryAfter: "3600"), at: .about)
        let store = try world.patient()
        await #expect(throws: StoreError.busy(retryAfter: .seconds(3600))) { _ = try await store.quota() }
        #expect(world.waited.isEmpty)
    }

    @Test func `an expired token is replaced once in the middle of an upload`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 1000)
        let tokens = TwoTokens()
        let store = try world.store(token: tokens)
        let id = try await store.reserve()
        world.drive.replaceToken(by: "second")
        _ = try await save(store, payload, id, world.checkpoint())
        try expectOne(world, payload, id)
        #expect(tokens.asked == ["first"])
        world.drive.replaceToken(by: "third")
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.exitCode == .signInNeeded)
    }

    @Test(arguments: [true, false])
    func `damage on the way is noticed, removed and told`(tellsSHA256: Bool) async throws {
        let world = try DriveWorld()
        world.drive.setTellsSHA256(tellsSHA256)
        world.drive.plan(.damage, at: .chunk)
        let store = try world.store()
        let payload = try world.payload(bytes: 1000)
        let id = try await store.reserve()
        let error = await #expect(throws: StoreError.self) {
            _ = try await save(store, payload, id, world.checkpoint())
        }
        guard case .refused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(world.drive.clips.isEmpty)
        #expect(world.lastSession == nil)
    }

    @Test func `a service that tells only MD5 is compared by that`() async throws {
        let world = try DriveWorld()
        world.drive.setTellsSHA256(false)
        let payload = try world.payload(bytes: 300_000)
        let id = try await world.store().reserve()
        _ = try await save(try world.store(), payload, id, world.checkpoint())
        _ = try await save(try world.store(), payload, id, world.checkpoint())  // 409, and the same bytes
        try expectOne(world, payload, id)
    }

    @Test func `a session address that leads elsewhere is not used`() async throws {
        let world = try DriveWorld()
        let thief = try DriveWorld()
        let payload = try world.payload(bytes: 1000)
        let store = try world.store()
        let id = try await store.reserve()
        let elsewhere = "\(thief.drive.upload)/files?uploadType=resumable&upload_id=x"
        _ = try await save(store, payload, id, world.checkpoint(elsewhere))
        try expectOne(world, payload, id)
        #expect(thief.drive.requests.isEmpty)
    }

    @Test(
        arguments: [
            (nil, 0), ("", 0), ("bytes=0-0", 1), ("bytes=0-262143", 262_144), ("bytes=5-9", 0), ("bytes=0--1", 0),
            ("0-99", 0),
            ("bytes=0-99999999999999999999", 0), ("bytes=0-9223372036854775807", 0), ("bytes=0-9 ", 0),
        ] as [(String?, Int64)])
    func `what a 308 answer confirms`(field: String?, bytes: Int64) {
        #expect(ConfirmedRange.bytes(field) == bytes)
    }

    /// Gives "first", then "second", then nothing.
    private final class TwoTokens: TokenSource {
        private let state = Journal()
        var asked: [String] { state.all }
        func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
            guard let rejected else { return Secret(state.all.isEmpty ? LoopbackDrive.token : "second") }
            guard rejected != Secret("second") else { throw .signedOut(service: "drive", cause: "revoked") }
            state.add("first")
            return Secret("second")
        }
    }
}
