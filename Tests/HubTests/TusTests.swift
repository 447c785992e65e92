import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Crypto
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Resumable uploads, rule by rule (tus 1.0.0).
@Suite struct TusTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func with<T>(
        quota: Int64 = 1_000_000,
        _ body: (TusSender) async throws -> T
    ) async throws -> T {
        var settings = try HubHousehold.settings()
        settings.quotaPerAccount = ByteCount(quota)
        let clock = PatientClock()
        return try await house.application(settings, clock: clock).application().test(.router) { client in
            let ann = try await Member("ann", at: house, client)
            let eve = try await Member("eve", at: house, client)
            clock.hurry()
            return try await body(
                TusSender(
                    ask: { try await ann.ask($0, $1, $2, $3) }, other: { try await eve.ask($0, $1, $2, $3) },
                    visitor: { try await client.execute(uri: $1, method: $0, headers: $2, body: $3) },
                    stream: { path, headers, body in
                        var headers = headers.merging(try ann.proof)
                        headers[.cookie] = ann.cookies
                        return try await client.execute(
                            uri: path, method: .patch, headers: headers,
                            content: Hummingbird.RequestBody(asyncSequence: body)
                        ) { $0 }
                    }))
        }
    }

    private func content(_ id: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: house.folder.path("hub/uploads/\(id)"))))
    }

    @Test func `an upload in pieces is the bytes in order, and what comes twice is told where it is`() async throws {
        try await with { tus in
            let path = try await tus.create(length: 10, metadata: "filename d29ybGQ=,title SGVsbG8=")
            #expect(path.hasPrefix("/api/uploads/") && path.count == 13 + 22)
            var head = try await tus.head(path)
            #expect(head.status == .ok && head["Upload-Offset"] == "0" && head["Upload-Length"] == "10")
            #expect(head["Upload-Metadata"] == "filename d29ybGQ=,title SGVsbG8=")
            #expect(head["Cache-Control"] == "no-store" && head["Tus-Resumable"] == "1.0.0")
            #expect(head["Upload-Expires"] == HTTPDate.text(house.now.addingTimeInterval(24 * 3600)))
            let first = try await tus.patch(path, at: 0, [1, 2, 3, 4])
            #expect(first.status == .noContent && first["Upload-Offset"] == "4")
            #expect(try await tus.patch(path, at: 0, [1, 2, 3, 4]).status == .conflict)
            #expect(try await tus.patch(path, at: 5, [6]).status == .conflict)
            head = try await tus.head(path)
            #expect(head["Upload-Offset"] == "4")
            #expect(try content(String(path.dropFirst(13))) == [1, 2, 3, 4])
            let last = try await tus.patch(path, at: 4, [5, 6, 7, 8, 9, 10])
            #expect(last["Upload-Offset"] == "10" && last["Upload-Expires"] == nil)
            #expect(try content(String(path.dropFirst(13))) == Array(1...10))
            // The answer was lost: it is given again.
            #expect(try await tus.head(path)["Upload-Offset"] == "10")
            #expect(try await tus.patch(path, at: 10, nil)["Upload-Offset"] == "10")
            let what = try await tus.ask(.get, "/api/hub/v1/uploads/\(path.dropFirst(13))", [:], nil)
            #expect(what.text.contains("\"state\":\"checking\"") && what.text.contains("\"bytes\":10"))
        }
    }

    @Test func `a name of a file is never a path`() async throws {
        let names = [
            "../../evil.mp3", "../evil.mp3", "/tmp/evil.mp3", "..\\evil.mp3", "evil/../../evil.mp3", "..%2Fevil.mp3",
            "....//evil.mp3", "hub.sqlite", ".", "..", "~/evil.mp3", "file:///evil.mp3", "-evil",
        ]
        let root = house.folder.path("")
        let kept = try Data(contentsOf: URL(filePath: house.folder.path("hub/hub.sqlite"))).count
        try await with { tus in
            for name in names {
                let text = Data(name.utf8).base64EncodedString()
                let path = try await tus.create(length: 4, metadata: "filename \(text),title \(text),name \(text)")
                #expect(try await tus.patch(path, at: 0, [1, 2, 3, 4]).status == .noContent, "\(name)")
                #expect(try content(String(path.dropFirst(13))) == [1, 2, 3, 4], "\(name)")
            }
        }
        let found = try FileManager.default.subpathsOfDirectory(atPath: root)
        #expect(!found.contains { $0.contains("evil") })
        #expect(found.count { $0.hasSuffix("hub.sqlite") } == 1)
        #expect(try Data(contentsOf: URL(filePath: house.folder.path("hub/hub.sqlite"))).count >= kept)
        for above in ["../evil.mp3", "../../evil.mp3"] {
            #expect(!FileManager.default.fileExists(atPath: root + above))
        }
    }

    @Test func `versions, types and lengths that are not the protocol's are refused`() async throws {
        try await with { tus in
            let options = try await tus.visitor(.options, "/api/uploads", [:], nil)
            #expect(options.status == .noContent && options["Tus-Version"] == "1.0.0")
            #expect(options["Tus-Max-Size"] == "1000000" && options["Tus-Checksum-Algorithm"] == "sha1,sha256")
            let extensions = Set((options["Tus-Extension"] ?? "").split(separator: ",").map(String.init))
            #expect(
                extensions.isSuperset(of: [
                    "creation", "creation-defer-length", "checksum", "expiration", "termination",
                ]))
            for version in ["", "0.2.2", "1.0.1"] {
                let answer = try await tus.ask(.post, "/api/uploads", tus.fields(["Tus-Resumable": version]), nil)
                #expect(answer.status == .preconditionFailed && answer["Tus-Version"] == "1.0.0", "\(version)")
            }
            for (name, fields) in [
                ("neither", [:]), ("both", ["Upload-Length": "1", "Upload-Defer-Length": "1"]),
                ("defer 2", ["Upload-Defer-Length": "2"]), ("negative", ["Upload-Length": "-1"]),
                ("text", ["Upload-Length": "ten"]), ("huge", ["Upload-Length": "99999999999999999999"]),
                ("metadata", ["Upload-Length": "1", "Upload-Metadata": "a !!"]),
                ("twice", ["Upload-Length": "1", "Upload-Metadata": "a YQ==,a YQ=="]),
                ("use", ["Upload-Length": "1", "Upload-Metadata": "use ZmFrZQ=="]),
                ("sha256", ["Upload-Length": "1", "Upload-Metadata": "sha256 ZmFrZQ=="]),
            ] as [(String, [String: String])] {
                let answer = try await tus.ask(
                    .post, "/api/uploads", tus.fields(fields.merging(["Tus-Resumable": "1.0.0"]) { $1 }), nil)
                #expect(answer.status == .badRequest, "\(name)")
            }
            let path = try await tus.create(length: 10)
            let plain = try tus.fields([
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/octet-stream",
            ])
            #expect(try await tus.ask(.patch, path, plain, ByteBuffer(bytes: [1])).status == .unsupportedMediaType)
            #expect(try await tus.patch(path, at: nil, [1]).status == .badRequest)
            #expect(try await tus.patch(path, at: 0, Array(1...11)).status == .contentTooLarge)
            #expect(try await tus.head(path)["Upload-Offset"] == "0")
        }
    }

    @Test func `a chunk with a wrong checksum is dropped`() async throws {
        try await with { tus in
            let path = try await tus.create(length: 6)
            let sha1 = Data(Insecure.SHA1.hash(data: [1, 2, 3])).base64EncodedString()
            let sha256 = Data(SHA256.hash(data: [4, 5, 6])).base64EncodedString()
            let wrong = try await tus.patch(path, at: 0, [1, 2, 4], ["Upload-Checksum": "sha1 \(sha1)"])
            #expect(wrong.status.code == 460)
            #expect(try await tus.head(path)["Upload-Offset"] == "0")
            let md5 = try await tus.patch(path, at: 0, [1], ["Upload-Checksum": "md5 AAAA"])
            #expect(md5.status == .badRequest)
            #expect(try await tus.patch(path, at: 0, [1], ["Upload-Checksum": "sha1"]).status == .badRequest)
            #expect(
                try await tus.patch(path, at: 0, [1, 2, 3], ["Upload-Checksum": "sha1 \(sha1)"]).status == .noContent)
            #expect(
                try await tus.patch(path, at: 3, [4, 5, 6], ["Upload-Checksum": "sha256 \(sha256)"])["Upload-Offset"]
                    == "6")
            #expect(try content(String(path.dropFirst(13))) == Array(1...6))
        }
    }

    @Test func `a length may come later, once, and not below what is here`() async throws {
        try await with { tus in
            let path = try await tus.create(length: nil)
            let head = try await tus.head(path)
            #expect(head["Upload-Defer-Length"] == "1" && head["Upload-Length"] == nil)
            #expect(try await tus.patch(path, at: 0, [1, 2, 3]).status == .noContent)
            #expect(try await tus.patch(path, at: 3, [4], ["Upload-Length": "2"]).status == .badRequest)
            #expect(try await tus.patch(path, at: 3, [4], ["Upload-Length": "5"])["Upload-Offset"] == "4")
            #expect(try await tus.patch(path, at: 4, [5], ["Upload-Length": "6"]).status == .badRequest)
            #expect(try await tus.patch(path, at: 4, [5])["Upload-Offset"] == "5")
            #expect(try await house.library.waitingMedia().count == 1)
            // The end may also come without a byte.
            let other = try await tus.create(length: nil)
            #expect(try await tus.patch(other, at: 0, [1, 2, 3]).status == .noContent)
            #expect(try await tus.patch(other, at: 3, nil, ["Upload-Length": "3"]).status == .noContent)
            #expect(try await house.library.waitingMedia().count == 2)
        }
    }

    @Test func `over the share it is 413 and says so, also for what has no length`() async throws {
        try await with(quota: 1000) { tus in
            let large = try await tus.ask(
                .post, "/api/uploads", tus.fields(["Tus-Resumable": "1.0.0", "Upload-Length": "1001"]), nil)
            #expect(large.status == .contentTooLarge)
            _ = try await tus.create(length: 600)
            let second = try await tus.ask(
                .post, "/api/uploads", tus.fields(["Tus-Resumable": "1.0.0", "Upload-Length": "401"]), nil)
            #expect(
                second.status == .contentTooLarge
                    && second.text.contains("Each account has 1.0 kB; 400 bytes of yours are left"))
            #expect(second.text.contains("over-quota"))
            let path = try await tus.create(length: nil)
            #expect(try await tus.patch(path, at: 0, [UInt8](repeating: 7, count: 400)).status == .noContent)
            #expect(try await tus.patch(path, at: 400, [8]).status == .contentTooLarge)
            #expect(try await tus.head(path)["Upload-Offset"] == "400")
        }
    }

    @Test func `what others send is not there, and visitors are asked who they are`() async throws {
        try await with { tus in
            let path = try await tus.create(length: 3)
            let fields = try tus.fields([
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
            ])
            for method in [HTTPRequest.Method.head, .patch, .delete] {
                let body = method == .patch ? ByteBuffer(bytes: [1, 2, 3]) : nil
                #expect(try await tus.other(method, path, fields, body).status == .notFound, "\(method)")
                let stranger = try await tus.visitor(method, path, fields, body)
                #expect(stranger.status == .unauthorized && stranger["Tus-Resumable"] == "1.0.0", "\(method)")
            }
            #expect(
                try await tus.other(.get, path.replacing("/api/", with: "/api/hub/v1/"), [:], nil).status == .notFound)
            for odd in ["x", "..%2F..%2Fkey", String(repeating: "1", count: 22)] {
                #expect(try await tus.head("/api/uploads/\(odd)").status == .notFound, "\(odd)")
            }
            #expect(try await tus.head(path)["Upload-Offset"] == "0")
        }
    }

    @Test func `an upload is ended, also by a browser that knows only POST`() async throws {
        try await with { tus in
            let path = try await tus.create(length: 3)
            var fields = [
                "Tus-Resumable": "1.0.0", "X-HTTP-Method-Override": "PATCH", "Upload-Offset": "0",
                "Content-Type": "application/offset+octet-stream",
            ]
            let patched = try await tus.ask(.post, path, tus.fields(fields), ByteBuffer(bytes: [1, 2]))
            #expect(patched.status == .noContent && patched["Upload-Offset"] == "2")
            fields["X-HTTP-Method-Override"] = "DELETE"
            #expect(try await tus.ask(.post, path, tus.fields(fields), nil).status == .noContent)
            #expect(try await tus.head(path).status == .notFound)
            fields["X-HTTP-Method-Override"] = "GET"
            #expect(try await tus.ask(.post, path, tus.fields(fields), nil).status == .methodNotAllowed)
            #expect(throws: (any Error).self) { try content(String(path.dropFirst(13))) }
        }
    }

    @Test func `the first chunk may come with the creation`() async throws {
        try await with { tus in
            let answer = try await tus.ask(
                .post, "/api/uploads",
                tus.fields([
                    "Tus-Resumable": "1.0.0", "Upload-Length": "3", "Content-Type": "application/offset+octet-stream",
                ]), ByteBuffer(bytes: [1, 2]))
            #expect(answer.status == .created && answer["Upload-Offset"] == "2")
            #expect(try await tus.head(answer.location)["Upload-Offset"] == "2")
        }
    }

    @Test
    func `who has lost the answer and begins again with the first chunk is told how far it is, and goes on from there`()
        async throws
    {
        try await with { tus in
            let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
            func text(_ value: String) -> String { Data(value.utf8).base64EncodedString() }
            let digest = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
            let fields = try tus.fields([
                "Tus-Resumable": "1.0.0", "Upload-Length": "6", "Content-Type": "application/offset+octet-stream",
                "Upload-Metadata": "use \(text("keep")),id \(text(HubID().text)),sha256 \(text(digest))",
            ])
            var places: Set<String> = []
            for _ in 0..<3 {
                let answer = try await tus.ask(.post, "/api/uploads", fields, ByteBuffer(bytes: bytes.prefix(3)))
                #expect(answer.status == .created && answer["Upload-Offset"] == "3")
                places.insert(answer.location)
            }
            let path = try #require(places.first)
            #expect(places.count == 1)
            #expect(try content(String(path.dropFirst(13))) == [1, 2, 3])
            #expect(try await tus.patch(path, at: 3, [4, 5, 6])["Upload-Offset"] == "6")
        }
    }

    @Test func `a second request waits in vain, and takes over from one that is dead`() async throws {
        try await with { tus in
            let path = try await tus.create(length: 6)
            let (body, sender) = AsyncStream<ByteBuffer>.makeStream()
            let fields = try tus.fields([
                "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
            ])
            let (started, start) = AsyncStream<Void>.makeStream()
            async let first = tus.stream(
                path, fields,
                body.map { piece in
                    start.yield()
                    return piece
                })
            // The body is read by whoever has the turn.
            sender.yield(ByteBuffer(bytes: [1, 2]))
            for await _ in started { break }
            for _ in 0..<3 {
                let answer = try await tus.patch(path, at: 0, [9])
                #expect(answer.status.code == 423 && answer["Retry-After"] == "1")
            }
            // It was taken for dead and ended; what it had brought counts.
            _ = try? await first
            #expect(try await tus.head(path)["Upload-Offset"] == "2")
            #expect(try await tus.patch(path, at: 2, [3, 4, 5, 6])["Upload-Offset"] == "6")
            sender.finish()
        }
    }

    @Test func `what arrives before a connection is lost counts, except a chunk with a checksum`() async throws {
        try await with { tus in
            for (checksum, kept) in [(nil, "2"), ("sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "0")] as [(String?, String)] {
                let path = try await tus.create(length: 6)
                var fields = try tus.fields([
                    "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Length": "6",
                    "Content-Type": "application/offset+octet-stream",
                ])
                fields[try #require(HTTPField.Name("Upload-Checksum"))] = checksum
                let (body, sender) = AsyncStream<ByteBuffer>.makeStream()
                sender.yield(ByteBuffer(bytes: [1, 2]))
                // A connection that is lost ends the body, as far as the router sees.
                sender.finish()
                _ = try await tus.stream(path, fields, body.map { $0 })
                #expect(try await tus.head(path)["Upload-Offset"] == kept)
            }
        }
    }
}

/// Somebody who sends by tus, and others who try.
struct TusSender: Sendable {
    typealias Ask = @Sendable (HTTPRequest.Method, String, HTTPFields, ByteBuffer?) async throws -> TestResponse

    let ask: Ask
    let other: Ask
    let visitor: Ask
    let stream:
        @Sendable (String, HTTPFields, AsyncMapSequence<AsyncStream<ByteBuffer>, ByteBuffer>) async throws
            -> TestResponse

    func fields(_ values: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in values { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    func create(length: Int?, metadata: String? = nil) async throws -> String {
        var values = ["Tus-Resumable": "1.0.0"]
        values[length == nil ? "Upload-Defer-Length" : "Upload-Length"] = "\(length ?? 1)"
        values["Upload-Metadata"] = metadata
        let answer = try await ask(.post, "/api/uploads", fields(values), nil)
        #expect(answer.status == .created)
        return answer.location
    }

    func head(_ path: String) async throws -> TestResponse {
        try await ask(.head, path, fields(["Tus-Resumable": "1.0.0"]), nil)
    }

    func patch(
        _ path: String, at offset: Int?, _ bytes: [UInt8]?, _ more: [String: String] = [:]
    ) async throws -> TestResponse {
        var values = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]
        values["Upload-Offset"] = offset.map { "\($0)" }
        return try await ask(
            .patch, path, fields(values.merging(more) { $1 }), bytes.map { ByteBuffer(bytes: $0) })
    }
}

extension TestResponse {
    subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
