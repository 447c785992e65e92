import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Against servers that were not written here, for what they can, and against a scripted one for limits and faults.
// One at a time: a case starts a server program, which must answer within 10 s.
@Suite(.serialized) struct WebDAVStoreTests {
    /// Real servers have no limit that a test could set.
    private static let unlimited = StoreConformance.Check.allCases.filter {
        $0 != .`a full store refuses and keeps nothing` && $0 != .`the quota counts what is stored`
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `the WebDAV store conforms on a real server`(kind: RealWebDAV.Kind) async throws {
        let server = try RealWebDAV(kind)
        for check in Self.unlimited {
            let conformance = StoreConformance { _ in try server.store(path: "conformance/\(RandomName(length: 8))") }
            #expect(try await conformance.violations(of: check) == [], "\(check.rawValue)")
        }
        #expect(server.names().allSatisfy { !$0.contains("chirp-tmp-") })
    }

    @Test(arguments: StoreConformance.Check.allCases)
    func `the WebDAV store conforms`(check: StoreConformance.Check) async throws {
        let world = try WebDAVWorld()
        let conformance = StoreConformance { limit in
            world.service.setLimit(limit?.bytes)
            return try world.store()
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `the folder is made with those above it, and its room is asked for`(kind: RealWebDAV.Kind) async throws {
        let server = try RealWebDAV(kind)
        let store = try server.store(path: "a/b/c d")
        let quota = try await store.quota()
        #expect(!quota.unlimited)  // these servers do not tell: unknown stays unknown
        #expect(FileManager.default.fileExists(atPath: "\(server.files)/a/b/c d"))
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `what begins so is listed, and nothing else`(kind: RealWebDAV.Kind) async throws {
        let (server, folder) = (try RealWebDAV(kind), try TemporaryFolder())
        // Before the server is asked: some remember for minutes what lies in a folder. Its user may be another one.
        let place = "\(server.files)/a/of chirp"
        let stray = "\(place)/chirp-tmp-hub-20261001T030000Z.tar"
        try FileManager.default.createDirectory(atPath: "\(place)/hub-folder", withIntermediateDirectories: true)
        for path in ["\(server.files)/a", place, "\(place)/hub-folder"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        }
        try Data("half".utf8).write(to: URL(filePath: stray))
        let store = try server.store(path: "a/of chirp")
        #expect(try await store.ids(beginningWith: "hub-") == [])
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        for name in ["hub-20261126T030000Z.tar", "hub-20261127T030000Z.tar", "hob.tar"] {
            _ = try await store.save(payload, id: StoredObject.ID(name), checkpoint: UploadCheckpoint())
        }
        let names = try await store.ids(beginningWith: "hub-").map(\.text).sorted()
        #expect(names == ["hub-20261126T030000Z.tar", "hub-20261127T030000Z.tar"])
        // What an attempt has left is removed when nobody can want it any more.
        try await store.tidy(at: Date())
        #expect(FileManager.default.fileExists(atPath: stray))
        try await store.tidy(at: Date().addingTimeInterval(8 * 86_400))
        #expect(!FileManager.default.fileExists(atPath: stray))
        #expect(try await store.ids(beginningWith: "hub-").count == 2)
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `a clip lies under its own name alone, and its link begins with the public address`(
        kind: RealWebDAV.Kind
    ) async throws {
        let server = try RealWebDAV(kind)
        let folder = try TemporaryFolder()
        let store = try server.store(path: "clips")
        let id = try await store.reserve()
        let payload = try TestPayload.make(folder.path("in"), bytes: 300_000)
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(server.names() == ["clips/\(id)"])
        #expect(try await store.share(id) == "https://clips.example/\(id)")
        try await store.remove(id)
        #expect(server.names().isEmpty)
    }

    @Test(arguments: RealWebDAV.Kind.allCases)
    func `a wrong password is a missing sign-in that says what to set`(kind: RealWebDAV.Kind) async throws {
        let server = try RealWebDAV(kind)
        let store = try server.store(password: "wrong")
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.exitCode == .signInNeeded)
        #expect(error?.cure == .signIn(service: "webdav"))
        #expect(server.names().isEmpty)
    }

    // MARK: faults

    @Test(arguments: [
        WebDAVFault.refusal(500), .refusal(503, retryAfter: "7"), .refusal(423), .refusal(429), .lost,
        .reset(afterBytes: 100),
    ])
    func `every temporary fault at every call ends as one file`(fault: WebDAVFault) async throws {
        for method in ["PUT", "MOVE", "MKCOL", "PROPFIND"] {
            let world = try WebDAVWorld()
            world.service.plan(fault, at: method)
            let payload = try TestPayload.make(world.folder.path("in"), bytes: 100_000)
            let store = RetryingStore(try world.store(), wait: { _ in })
            _ = try await store.quota()
            let id = try await store.reserve()
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            #expect(world.service.names == [id.text], "\(method)")
            #expect(world.service.plannedFaults == 0, "\(method) never came")
        }
    }

    @Test func `a refused upload leaves nothing behind`() async throws {
        for fault in [WebDAVFault.refusal(507), .refusal(413), .refusal(403)] {
            let world = try WebDAVWorld()
            world.service.plan(fault, at: "MOVE")
            let payload = try TestPayload.make(world.folder.path("in"), bytes: 1000)
            let store = try world.store()
            let id = try await store.reserve()
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            }
            #expect(error?.isPermanent == true)
            #expect(world.service.names.isEmpty)
        }
    }

    @Test func `what an interrupted upload left goes with its clip`() async throws {
        let world = try WebDAVWorld()
        world.service.plan(.refusal(503), at: "MOVE")
        let payload = try TestPayload.make(world.folder.path("in"), bytes: 1000)
        let store = try world.store()
        let id = try await store.reserve()
        await #expect(throws: StoreError.busy(retryAfter: nil)) {
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        }
        #expect(world.service.names == ["chirp-tmp-\(id)"])
        try await store.remove(id)
        #expect(world.service.names.isEmpty)
    }

    @Test func `without a public address nothing can be shared`() async throws {
        let world = try WebDAVWorld()
        let store = try world.store(linkBase: nil)
        #expect(!store.properties.canShare)
    }

    @Test(arguments: ["../x", "a/b", ".hidden", "", "a\u{0}b"])
    func `an id from outside is never asked for`(text: String) async throws {
        let world = try WebDAVWorld()
        let store = try world.store()
        let id = StoredObject.ID(text)
        try await store.remove(id)
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
        #expect(world.service.requests.isEmpty)
    }
}
