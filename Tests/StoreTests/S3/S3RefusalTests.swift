import ChirpCore
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// What a service may answer that real ones on this machine never do.
@Suite struct S3RefusalTests {
    private static let secret = "wJalrXUtnFEMI-very-secret"
    private static let token = "a-session-token"

    private static func error(_ code: String, _ more: String = "") -> String {
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>They say no</Message>\(more)</Error>"
    }

    private func store(
        _ root: String, bucket: String = "clips", isVirtualHosted: Bool = false, linkBase: String? = nil,
        settings: CurlSettings = CurlSettings(), partBytes: Int64 = 100_000
    ) throws -> S3Store {
        let keys = try #require(
            S3Keys(accessKeyID: "AKID", secret: Secret(Self.secret), sessionToken: Secret(Self.token)))
        var place = try S3Store.Settings(
            endpoint: try #require(WebAddress(root)), bucket: bucket, folder: "a/b", isVirtualHosted: isVirtualHosted,
            linkBase: linkBase)
        place.partBytes = partBytes
        return S3Store(place, keys: keys, transport: CurlTransport(settings: settings))
    }

    @Test(arguments: [
        (403, "InvalidAccessKeyId", ExitCode.signInNeeded), (403, "SignatureDoesNotMatch", .signInNeeded),
        (400, "ExpiredToken", .signInNeeded), (401, "", .signInNeeded), (403, "AccessDenied", .refused),
        (403, "RequestTimeTooSkewed", .refused), (404, "NoSuchBucket", .refused), (503, "SlowDown", .temporary),
        (500, "InternalError", .temporary), (502, "", .temporary), (429, "TooManyRequests", .temporary),
        (409, "OperationAborted", .temporary), (400, "RequestTimeout", .temporary),
        (307, "TemporaryRedirect", .temporary),
        (301, "PermanentRedirect", .refused), (400, "AuthorizationHeaderMalformed", .refused), (418, "", .refused),
    ])
    func `a refusal is told by what can be done about it`(status: Int, code: String, exit: ExitCode) async throws {
        let server = try LoopbackServer { request in
            let body = code.isEmpty || request.method == "HEAD" ? "" : Self.error(code)
            return LoopbackServer.Reply(status, body: Array(body.utf8))
        }
        defer { server.close() }
        let store = try store(server.base)
        let ofList = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        // HEAD has no content that says why; what a list of the bucket says is told then.
        let ofHead = await #expect(throws: StoreError.self) {
            _ = try await store.share(StoredObject.ID("0123456789.mp3"))
        }
        #expect(ofList?.exitCode == exit && ofHead?.exitCode == exit)
        #expect(ofList?.isPermanent == (exit != .temporary))
    }

    @Test(arguments: [(507, "InsufficientStorage"), (403, "QuotaExceeded"), (413, ""), (400, "XMinioStorageFull")])
    func `no room at the service is no room`(status: Int, code: String) async throws {
        let server = try LoopbackServer { request in
            request.method == "HEAD"
                ? LoopbackServer.Reply(404) : LoopbackServer.Reply(status, body: Array(Self.error(code).utf8))
        }
        defer { server.close() }
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        let store = try store(server.base)
        await #expect(throws: StoreError.full(needed: ByteCount(1000), free: nil)) {
            _ = try await store.save(payload, id: StoredObject.ID("x.mp3"), checkpoint: UploadCheckpoint())
        }
    }

    @Test(arguments: [(403, "AccessDenied"), (405, "MethodNotAllowed"), (501, "NotImplemented")])
    func `a sweep leaves to the service what it may not list`(status: Int, code: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(status, body: Array(Self.error(code).utf8)) }
        defer { server.close() }
        #expect(try await store(server.base).sweep(at: .distantFuture) == 0)
    }

    @Test func `the region of the bucket is named when another was signed for`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Reply(
                400, body: Array(Self.error("AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>").utf8))
        }
        defer { server.close() }
        let store = try store(server.base)
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.whatHappened.contains("'eu-west-3'") == true)
    }

    @Test func `a service that does not know the condition is asked without it`() async throws {
        let stored = Mutex(false)
        let server = try LoopbackServer { request in
            switch request.method {
            case "PUT" where request.headers["If-None-Match"] != nil: return LoopbackServer.Reply(501)
            case "PUT":
                stored.withLock { $0 = true }
                return LoopbackServer.Reply(200)
            default:
                guard stored.withLock({ $0 }) else { return LoopbackServer.Reply(404) }
                return LoopbackServer.Reply(200, body: Array(repeating: 0, count: 1000))
            }
        }
        defer { server.close() }
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 1000)
        let store = try store(server.base)
        // This one keeps no checksum either, so that what it has cannot be known again.
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.save(payload, id: StoredObject.ID("x.mp3"), checkpoint: UploadCheckpoint())
        }
        #expect(error?.whatHappened.contains("other bytes") == true)
        #expect(server.requests.filter { $0.method == "PUT" }.map { $0.bodyCount } == [1000, 1000])
    }

    @Test(arguments: [
        "", "<", "<html/>", "<!DOCTYPE x><ListBucketResult/>", "<ListBucketResult><IsTruncated>true",
        String(repeating: "<x>", count: 100),
    ])
    func `an answer that is none is no list`(text: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200, body: Array(text.utf8)) }
        defer { server.close() }
        let store = try store(server.base)
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.isPermanent == false)
    }

    @Test func `an answer without an end is broken off`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200, body: [UInt8](repeating: 0x20, count: 5 << 20))
        }
        defer { server.close() }
        let store = try store(server.base)
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.exitCode == .refused)
    }

    @Test(
        arguments: [
            (false, nil, "/clips/a/b/x.mp3"), (true, nil, "clips.localhost"),
            (false, "https://cdn.example/c", "cdn.example/c/x.mp3"),
            (true, "https://cdn.example/c/", "https://cdn.example/c/x.mp3"),
        ] as [(Bool, String?, String)])
    func `a link is the public address, or the object's own`(isVirtual: Bool, base: String?, part: String) async throws
    {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        defer { server.close() }
        let store = try store("http://localhost:\(server.port)", isVirtualHosted: isVirtual, linkBase: base)
        let link = try await store.share(StoredObject.ID("x.mp3"))
        #expect(link.contains(part) && link.hasSuffix("/x.mp3") && !link.contains("?"))
        #expect(server.requests.first?.path == (isVirtual ? "/a/b/x.mp3" : "/clips/a/b/x.mp3"))
    }

    @Test(arguments: ["../x", "a/b", ".hidden", "", "a\u{0}b", "x?y"])
    func `an id from outside is never asked for`(text: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        defer { server.close() }
        let store = try store(server.base)
        let id = StoredObject.ID(text)
        try await store.remove(id)
        await #expect(throws: StoreError.missing(id)) { _ = try await store.share(id) }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["", "ab", "a/b", "a b", "..x", "a..b", "ä-b-c", String(repeating: "a", count: 64)])
    func `what cannot be a bucket is refused`(bucket: String) throws {
        let endpoint = try #require(WebAddress("https://s3.example"))
        #expect(throws: StoreError.self) { _ = try S3Store.Settings(endpoint: endpoint, bucket: bucket) }
        #expect(throws: StoreError.self) {
            _ = try S3Store.Settings(endpoint: endpoint, bucket: "clips", folder: "a/../b")
        }
    }

    @Test func `plain http to another machine is refused before anything is sent`() async throws {
        let store = try store("http://s3.example")
        let error = await #expect(throws: StoreError.self) { _ = try await store.quota() }
        #expect(error?.isPermanent == true)
        #expect(error?.whatHappened.contains("plain http") == true)
    }

    @Test func `no error and no log line holds a secret`() async throws {
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 250_000)
        for status in [200, 301, 400, 401, 403, 404, 409, 412, 413, 500, 501, 503] {
            let server = try LoopbackServer { request in
                // Some services repeat in their refusals what was signed, and how.
                let text = Self.error("SignatureDoesNotMatch", "<StringToSign>AWS4 \(Self.token)</StringToSign>")
                return LoopbackServer.Reply(status, body: Array(text.utf8))
            }
            defer { server.close() }
            let log = Mutex<[String]>([])
            let observed = CurlSettings(observe: { event in log.withLock { $0.append("\(event)") } })
            let store = try store(server.base, settings: observed)
            let id = StoredObject.ID("x.mp3")
            var said: [String] = []
            func attempt(_ body: () async throws -> Void) async {
                do { try await body() } catch {
                    let explained = error as? any Explained
                    said.append("\(error) \(String(reflecting: error)) \(explained?.whatHappened ?? "")")
                }
            }
            await attempt { _ = try await store.quota() }
            await attempt { _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint()) }
            await attempt { _ = try await store.share(id) }
            await attempt { try await store.load(id, to: folder.path("out")) }
            await attempt { try await store.remove(id) }
            var dumped = ""
            dump(store, to: &dumped)
            let text = (said + log.withLock { $0 } + [dumped, "\(store)"]).joined(separator: "\n")
            for secret in [Self.secret, Self.token, "Signature=", "AWS4-HMAC"] {
                #expect(!text.contains(secret), "\(status): \(text.prefix(2000))")
            }
        }
    }
}
