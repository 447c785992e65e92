import ChirpCore
import ChirpFiles
import ChirpHTTP
import ChirpStores
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// What is sent, looked at closely: the services of the other tests do not compare content with its signed hash, as Amazon's does.
@Suite struct S3RequestTests {
    /// Takes one upload in parts.
    private static func server(_ payload: Payload) throws -> LoopbackServer {
        let isThere = Mutex(false)
        return try LoopbackServer { request in
            func answer(_ text: String) -> LoopbackServer.Reply { LoopbackServer.Reply(200, body: Array(text.utf8)) }
            switch (request.method, request.query["uploadId"]) {
            case ("HEAD", _):
                guard isThere.withLock({ $0 }) else { return LoopbackServer.Reply(404) }
                return LoopbackServer.Reply(
                    200, headers: [("x-amz-meta-chirp-sha256", payload.sha256)],
                    body: [UInt8](repeating: 0, count: Int(payload.bytes)))
            case ("GET", _): return answer("<ListMultipartUploadsResult/>")
            case ("POST", nil):
                return answer("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
            case ("PUT", "u"): return LoopbackServer.Reply(200, headers: [("ETag", "\"\(request.bodyMD5)\"")])
            case ("POST", "u"):
                isThere.withLock { $0 = true }
                return answer("<CompleteMultipartUploadResult/>")
            default: return LoopbackServer.Reply(400)
            }
        }
    }

    @Test func `every request is signed with the hash of what it holds`() async throws {
        let folder = try TemporaryFolder()
        let payload = try TestPayload.make(folder.path("in"), bytes: 250_001)
        let server = try Self.server(payload)
        defer { server.close() }
        let keys = try #require(
            S3Keys(accessKeyID: "AKID", secret: Secret("secret"), sessionToken: Secret("a-session")))
        var settings = try S3Store.Settings(endpoint: try #require(WebAddress(server.base)), bucket: "clips")
        settings.partBytes = 100_000
        let time = Date(timeIntervalSince1970: 1_369_353_600)
        let store = S3Store(settings, keys: keys, transport: CurlTransport(), now: { time })
        _ = try await store.save(payload, id: StoredObject.ID("x.mp3"), checkpoint: UploadCheckpoint())

        let requests = server.requests
        #expect(
            requests.map { "\($0.method) \($0.bodyCount)" }.filter { !$0.hasPrefix("POST") }
                == ["HEAD 0", "GET 0", "PUT 100000", "PUT 100000", "PUT 50001", "HEAD 0"])
        let content = try Data(contentsOf: URL(filePath: payload.path))
        #expect(Data(requests.filter { $0.method == "PUT" }.flatMap(\.body)) == content)
        for request in requests {
            #expect(request.headers["x-amz-content-sha256"] == FileDigest.sha256(of: request.body))
            #expect(request.headers["x-amz-date"] == "20130524T000000Z")
            #expect(request.headers["x-amz-security-token"] == "a-session")
            let signed = try #require(request.headers["Authorization"]?.split(separator: " ").dropFirst(2).first)
            for name in ["host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"] {
                #expect(signed.contains(name))
            }
            if request.method == "PUT" {
                let md5 = try #require(request.headers["Content-MD5"].flatMap { Data(base64Encoded: $0) })
                #expect(Array(md5).hexadecimal == request.bodyMD5)
                #expect(signed.contains("content-md5"))
            }
        }
        let end = try #require(requests.last { $0.method == "POST" })
        #expect(end.headers["If-None-Match"] == "*")
        let parts = S3Answer(end.body)?.elements.map { [$0["PartNumber"], $0["ETag"]] }
        #expect(
            parts == requests.filter { $0.method == "PUT" }.enumerated().map { ["\($0 + 1)", "\"\($1.bodyMD5)\""] })
    }
}
