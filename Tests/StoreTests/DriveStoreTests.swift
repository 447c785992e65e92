import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

// CH-5, CH-6, W-4, W-5 against a service on loopback that speaks Drive's shapes.
// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct DriveStoreTests {
    @Test(arguments: StoreConformance.Check.allCases)
    func `the Drive store conforms`(check: StoreConformance.Check) async throws {
        let world = try DriveWorld()
        let conformance = StoreConformance { limit in
            world.drive.setLimit(limit?.bytes)
            return try world.store()
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test func `a clip goes to one folder that anyone with the link can read`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        var links: Set<String> = []
        for number in 0..<3 {
            let id = try await store.reserve()
            let payload = try world.payload(bytes: 1000, seed: UInt8(number), name: "in\(number)")
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            links.insert(try await store.share(id))
            #expect(world.drive.isPublic(id.text))
        }
        #expect(links.count == 3)
        #expect(world.drive.folders.map(\.name) == ["Chirp"])
        #expect(world.drive.folders.first?.appProperties == ["chirp": "root"])
        #expect(world.drive.clips.allSatisfy { $0.parents == world.drive.folders.map(\.id) && $0.name == "A take.mp3" })
        #expect(world.drive.count(.permit) == 1)
        #expect(world.drive.clips.allSatisfy { $0.permissions.isEmpty && $0.mimeType == "audio/mpeg" })
    }

    @Test func `the next process finds the folder and does not make it public again`() async throws {
        let world = try DriveWorld()
        for number in 0..<3 {
            let store = try world.store()
            let id = try await store.reserve()
            _ = try await store.save(
                try world.payload(bytes: 10, name: "in\(number)"), id: id, checkpoint: UploadCheckpoint())
            _ = try await store.share(id)
        }
        #expect(world.drive.count(.create) == 1)
        #expect(world.drive.count(.permit) == 1)
    }

    @Test func `two tasks that need the folder at once make one`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        let payload = try world.payload(bytes: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let id = try await store.reserve()
                    _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
                }
            }
            try await group.waitForAll()
        }
        #expect(world.drive.folders.count == 1)
        #expect(world.drive.clips.count == 4)
    }

    @Test func `two processes that make the folder at once end with the same one`() async throws {
        let world = try DriveWorld()
        let (a, b) = (try world.store(), try world.store())
        let payload = try world.payload(bytes: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [a, b] {
                group.addTask {
                    let id = try await store.reserve()
                    _ = try await RetryingStore(store, wait: { _ in }).save(
                        payload, id: id, checkpoint: UploadCheckpoint())
                    _ = try await store.share(id)
                }
            }
            try await group.waitForAll()
        }
        #expect(world.drive.folders.count == 1)
        #expect(world.drive.clips.count == 2)
        #expect(world.drive.clips.allSatisfy { world.drive.isPublic($0.id) })
    }

    @Test func `a folder whose making lost its answer is not made twice`() async throws {
        let world = try DriveWorld()
        world.drive.plan(.lost, at: .create)
        let store = try world.patient()
        let id = try await store.reserve()
        _ = try await store.save(try world.payload(bytes: 10), id: id, checkpoint: UploadCheckpoint())
        #expect(world.drive.folders.count == 1)
    }

    @Test func `a folder in the trash is no folder`() async throws {
        let world = try DriveWorld()
        let payload = try world.payload(bytes: 10)
        let first = try world.store()
        _ = try await first.save(payload, id: try await first.reserve(), checkpoint: UploadCheckpoint())
        let old = try #require(world.drive.folders.first)
        world.drive.change(old.id) { $0.isTrashed = true }
        let second = try world.store()
        _ = try await second.save(payload, id: try await second.reserve(), checkpoint: UploadCheckpoint())
        #expect(world.drive.folders.count == 2)
        #expect(world.drive.clips.last?.parents != [old.id])
    }

    @Test func `pages of a list are followed to the end, empty ones too`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        for number in 0..<5 {
            var payload = try world.payload(bytes: 10, name: "in\(number)")
            payload.expires = Date(timeIntervalSince1970: 1000)
            _ = try await store.save(payload, id: try await store.reserve(), checkpoint: UploadCheckpoint())
        }
        world.drive.setPageSize(2)
        #expect(try await store.sweep(at: Date(timeIntervalSince1970: 1000), pause: {}).count == 5)
    }

    @Test func `an organization that forbids public links is named`() async throws {
        let world = try DriveWorld()
        world.drive.setMayShare(false)
        let store = try world.store()
        let payload = try world.payload(bytes: 10)
        let id = try await store.reserve()
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }
        guard case .forbidden(let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("your organization does not allow links for anyone"))
        #expect(world.drive.clips.isEmpty)
    }

    // MARK: room

    @Test func `no limit in the answer is unlimited, and no answer is unknown`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        #expect(try await store.quota() == Quota(used: ByteCount(0), unlimited: true))
        world.drive.setLimit(15_000_000_000)
        world.drive.setOtherUse(14_999_999_000)
        let quota = try await store.quota()
        #expect(Admission(needed: ByteCount(1000), quota: quota) == .admitted(free: ByteCount(1000)))
        #expect(
            Admission(needed: ByteCount(1001), quota: quota)
                == .refused(needed: ByteCount(1001), free: ByteCount(1000)))
        world.drive.setTellsQuota(false)
        #expect(try await store.quota() == Quota())
    }

    /// The service writes sizes as texts, of any length.
    @Test(
        arguments: [
            ("9223372036854775807", "-9223372036854775808", nil), ("-9223372036854775808", "9223372036854775807", nil),
            ("9223372036854775808", "0", .max), ("999999999999999999999999999999", "9223372036854775807", 0),
            ("5", "99999999999999999999999", 0), ("-1", "5", nil), ("1e18", "5", nil), ("", "", nil),
            ("0x10", "5", nil), ("+5", "5", nil), ("\u{661}\u{662}", "5", nil), ("00010", "3", 7),
        ] as [(String, String, Int64?)])
    func `a room of any size is read without harm`(limit: String, usage: String, free: Int64?) async throws {
        let server = try LoopbackServer { _ in
            .json(200, #"{"storageQuota":{"limit":"\#(limit)","usage":"\#(usage)"}}"#)
        }
        let root = try #require(WebAddress(server.base))
        let store = DriveStore(
            DriveStore.Settings(api: root, upload: root, web: root), transport: CurlTransport())
        let quota = try await store.quota()
        #expect(quota.free == free.map { ByteCount($0) })
        _ = Admission(needed: ByteCount(1000), quota: quota)
    }

    @Test func `a drive that others fill meanwhile refuses with the size that was needed`() async throws {
        for call in [DriveCall.start, .chunk] {
            let world = try DriveWorld(limit: 10_000_000)
            world.drive.plan(.filledUp, at: call)
            let store = try world.patient()
            let payload = try world.payload(bytes: 600_000)
            let id = try await store.reserve()
            await #expect(throws: StoreError.full(needed: ByteCount(600_000), free: nil)) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            }
            #expect(world.drive.clips.isEmpty)
            #expect(world.waited.isEmpty)
        }
    }

    // MARK: removal and expiry

    @Test func `sweeping removes what has expired, with a pause between two`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        for (number, seconds) in [1000.0, 2000, 3000].enumerated() {
            var payload = try world.payload(bytes: 10, name: "in\(number)")
            payload.expires = Date(timeIntervalSince1970: seconds)
            _ = try await store.save(payload, id: try await store.reserve(), checkpoint: UploadCheckpoint())
        }
        _ = try await store.save(
            try world.payload(bytes: 10, name: "for ever"), id: try await store.reserve(),
            checkpoint: UploadCheckpoint())
        let before = world.drive.clips.map(\.id)
        let pauses = Counter()
        let removed = try await store.sweep(at: Date(timeIntervalSince1970: 2000)) { pauses.add() }
        #expect(removed == Array(before.prefix(2)))
        #expect(world.drive.clips.map(\.id) == Array(before.suffix(2)))
        #expect(removed.allSatisfy { !world.drive.isPublic($0) })
        #expect(pauses.count == 1)
        #expect(try await store.sweep(at: Date(timeIntervalSince1970: 2000), pause: {}) == [])
    }

    @Test(arguments: ["root", "", "..", "a/b/c/d/e/f/g", "ä123456789012", String(repeating: "a", count: 201)])
    func `an id that cannot be one of a file is never asked for`(text: String) async throws {
        let world = try DriveWorld()
        let store = try world.store()
        let id = StoredObject.ID(text)
        let payload = try world.payload(bytes: 10)
        try await store.remove(id)
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
        await #expect(throws: StoreError.missing(id)) { try await store.load(id, to: world.folder.path("out")) }
        await #expect(throws: StoreError.self) {
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }
        #expect(world.drive.requests.isEmpty)
    }

    @Test func `a clip in the trash is missing`() async throws {
        let world = try DriveWorld()
        let store = try world.store()
        let id = try await store.reserve()
        _ = try await store.save(try world.payload(bytes: 10), id: id, checkpoint: UploadCheckpoint())
        world.drive.change(id.text) { $0.isTrashed = true }
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
    }
}
