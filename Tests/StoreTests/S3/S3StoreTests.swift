import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Against services that were not written here.
// One at a time: a case starts a server program, which must answer within half a minute.
@Suite(.serialized) struct S3StoreTests {
    /// The smallest that services take.
    private static let part: Int64 = 5 << 20

    @Test(arguments: RealS3.Kind.allCases)
    func `the S3 store conforms on a real server, in one request and in parts`(kind: RealS3.Kind) async throws {
        let server = try await RealS3.started(kind)
        // SeaweedFS takes no parts as small as that, like Amazon.
        for partBytes in kind == .rclone ? [nil, 400] : [nil] as [Int64?] {
            for check in StoreConformance.Check.allCases {
                let folder = "conformance/\(RandomName(length: 8))"
                let conformance = StoreConformance { limit in
                    try server.store(folder: folder, limit: limit, partBytes: partBytes)
                }
                #expect(try await conformance.violations(of: check) == [], "\(check.rawValue)")
                #expect(try await server.begun(in: folder) == [], "\(check.rawValue)")
            }
        }
    }

    @Test(arguments: RealS3.Kind.allCases)
    func `a clip in parts lies under its own name alone`(kind: RealS3.Kind) async throws {
        let server = try await RealS3.started(kind)
        let folder = try TemporaryFolder()
        let store = try server.store(folder: "clips", partBytes: Self.part)
        let payload = try TestPayload.make(folder.path("in"), bytes: 2 * Int(Self.part) + 12_345)
        let (id, journal) = (try await store.reserve(), UploadJournal())
        _ = try await store.save(payload, id: id, checkpoint: journal.checkpoint)
        #expect(journal.confirmed == [0, Self.part, 2 * Self.part, payload.bytes, payload.bytes])
        #expect(journal.session == nil)
        #expect(try await server.names(in: "clips") == ["clips/\(id)"])
        #expect(try await server.begun(in: "clips") == [])
        #expect(try await store.share(id) == "https://clips.example/\(id)")
        try await store.load(id, to: folder.path("out"))
        #expect(FileManager.default.contentsEqual(atPath: payload.path, andPath: folder.path("out")))
        try await store.remove(id)
        #expect(try await server.names(in: "clips") == [])
    }

    @Test(arguments: RealS3.Kind.allCases)
    func `what begins so is listed, and nothing else`(kind: RealS3.Kind) async throws {
        let server = try await RealS3.started(kind)
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        for (place, name) in [("a", "hub-1.tar"), ("a", "hub-2.tar"), ("a", "hob.tar"), ("ab", "hub-3.tar")] {
            let store = try server.store(folder: place)
            _ = try await store.save(payload, id: StoredObject.ID(name), checkpoint: UploadCheckpoint())
        }
        let ids = try await server.store(folder: "a").ids(beginningWith: "hub-")
        #expect(ids.map(\.text).sorted() == ["hub-1.tar", "hub-2.tar"])
        #expect(try await server.store(folder: "none").ids(beginningWith: "hub-") == [])
    }

    @Test(arguments: RealS3.Kind.allCases)
    func `keys that the service does not know are a missing sign-in that says so`(kind: RealS3.Kind) async throws {
        let server = try await RealS3.started(kind)
        let folder = try TemporaryFolder()
        let store = try server.store(folder: "clips", secret: "wrong")
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        let id = try await store.reserve()
        for error in [
            await #expect(throws: StoreError.self) { _ = try await store.quota() },
            await #expect(throws: StoreError.self) { _ = try await store.share(id) },
            await #expect(throws: StoreError.self) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            },
        ] {
            #expect(error?.exitCode == .signInNeeded)
            #expect(error?.cure == .signIn(service: "s3"))
        }
        #expect(try await server.names(in: "clips") == [])
    }

    @Test func `a bucket that is not there is named`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let keys = try #require(S3Keys(accessKeyID: RealS3.accessKeyID, secret: Secret(RealS3.secretKey)))
        let settings = try S3Store.Settings(endpoint: try #require(WebAddress(server.root)), bucket: "another-one")
        let store = S3Store(settings, keys: keys, transport: CurlTransport())
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.whatHappened.contains("there is no bucket 'another-one'") == true)
        #expect(error?.exitCode == .refused)
    }

    @Test func `a bucket in the host is the same bucket`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        let keys = try #require(S3Keys(accessKeyID: RealS3.accessKeyID, secret: Secret(RealS3.secretKey)))
        let settings = try S3Store.Settings(
            endpoint: try #require(WebAddress("http://localhost:\(server.port)")), bucket: RealS3.bucket, folder: "a/b",
            isVirtualHosted: true)
        let store = S3Store(settings, keys: keys, transport: CurlTransport())
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        let id = try await store.reserve()
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        #expect(try await server.names(in: "a") == ["a/b/\(id)"])
        #expect(try await store.share(id) == "http://\(RealS3.bucket).localhost:\(server.port)/a/b/\(id)")
    }

    // MARK: uploads that break

    @Test func `a new process goes on with the parts that have arrived`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let relay = try FaultyRelay(to: server.port) { method, target in
            method == "PUT" && target.contains("partNumber=3") ? .refusal(500) : nil
        }
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 5 * Int(Self.part))
        let journal = UploadJournal()
        let first = try server.store(folder: "clips", at: relay.base, partBytes: Self.part)
        let id = try await first.reserve()
        await #expect(throws: StoreError.busy(retryAfter: nil)) {
            _ = try await first.save(payload, id: id, checkpoint: journal.checkpoint)
        }
        let counting = try FaultyRelay(to: server.port) { _, _ in nil }
        let second = try server.store(folder: "clips", at: counting.base, partBytes: Self.part)
        _ = try await second.save(payload, id: id, checkpoint: journal.checkpoint)
        #expect(try await server.names(in: "clips") == ["clips/\(id)"])
        // Three parts, and the list of all five.
        #expect((3 * Self.part..<3 * Self.part + 2000).contains(counting.contentBytes))
        relay.close()
        counting.close()
    }

    @Test func `parts of another file are never used`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        let journal = UploadJournal()
        let store = try server.store(
            folder: "clips", partBytes: Self.part, transport: MortalTransport(CurlTransport(), requests: 5))
        let id = try await store.reserve()
        let before = try TestPayload.make(folder.path("before"), bytes: 3 * Int(Self.part), seed: 1)
        await #expect(throws: StoreError.cancelled) {
            _ = try await store.save(before, id: id, checkpoint: journal.checkpoint)
        }
        #expect(journal.session?.hasPrefix(before.sha256) == true && journal.confirmed.last == Self.part)
        let after = try TestPayload.make(folder.path("after"), bytes: 3 * Int(Self.part), seed: 2)
        let next = try server.store(folder: "clips", partBytes: Self.part)
        _ = try await next.save(after, id: id, checkpoint: journal.checkpoint)
        try await next.load(id, to: folder.path("out"))
        #expect(FileManager.default.contentsEqual(atPath: after.path, andPath: folder.path("out")))
        #expect(try await server.begun(in: "clips") == [])
    }

    @Test func `what was begun and dropped goes with its clip, or after a week`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 3 * Int(Self.part))
        func begin() async throws -> StoredObject.ID {
            let store = try server.store(
                folder: "clips", partBytes: Self.part, transport: MortalTransport(CurlTransport(), requests: 4))
            let id = try await store.reserve()
            await #expect(throws: StoreError.cancelled) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            }
            return id
        }
        let (dropped, forgotten) = (try await begin(), try await begin())
        #expect(try await server.begun(in: "clips").count == 2)
        let store = try server.store(folder: "clips")
        try await store.remove(dropped)
        #expect(try await server.begun(in: "clips") == ["clips/\(forgotten)"])
        #expect(try await store.sweep(at: Date() + 6 * 86_400) == 0)
        #expect(try await server.store(folder: "other").sweep(at: Date() + 8 * 86_400) == 0)
        #expect(try await store.sweep(at: Date() + 8 * 86_400) == 1)
        #expect(try await server.begun(in: "clips") == [])
    }

    @Test func `nobody's object is overwritten`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        let mine = try TestPayload.make(folder.path("mine"), bytes: 1000, seed: 1)
        let theirs = try TestPayload.make(folder.path("theirs"), bytes: 1000, seed: 2)
        let large = try TestPayload.make(folder.path("large"), bytes: 2 * Int(Self.part), seed: 3)
        for payload in [mine, large] {
            let other = try server.store(folder: "clips")
            let id = try await other.reserve()
            // They come between the look whether the name is free and the upload.
            let late = LateTransport(CurlTransport()) {
                _ = try? await other.save(theirs, id: id, checkpoint: UploadCheckpoint())
            }
            let store = try server.store(folder: "clips", partBytes: Self.part, transport: late)
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            }
            #expect(error?.whatHappened.contains("already holds other bytes") == true)
            try await other.load(id, to: folder.path("out-\(id)"))
            #expect(FileManager.default.contentsEqual(atPath: theirs.path, andPath: folder.path("out-\(id)")))
        }
        #expect(try await server.begun(in: "clips") == [])
    }

    @Test func `a file that changes while it is sent is not stored`() async throws {
        let server = try await RealS3.started(.seaweedfs)
        let folder = try TemporaryFolder()
        for bytes in [1000, 3 * Int(Self.part)] {
            let payload = try TestPayload.make(folder.path("in"), bytes: bytes)
            let late = LateTransport(CurlTransport()) {
                _ = try? TestPayload.make(folder.path("in"), bytes: bytes, seed: 9)
            }
            let store = RetryingStore(
                try server.store(folder: "clips", partBytes: Self.part, transport: late), wait: { _ in })
            let id = try await store.reserve()
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            }
            // The refused part leads to another reading, which finds another file.
            #expect(error?.exitCode == .inputOutput, "\(String(describing: error))")
        }
        #expect(try await server.names(in: "clips") == [])
    }
}

/// Lets something happen once, after the first answer.
private actor LateTransport: HTTPTransport {
    private let base: any HTTPTransport
    private var happens: (@Sendable () async -> Void)?

    init(_ base: any HTTPTransport, happens: @escaping @Sendable () async -> Void) {
        self.base = base
        self.happens = happens
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let response = try await base.send(request)
        if let happens {
            self.happens = nil
            await happens()
        }
        return response
    }
}
