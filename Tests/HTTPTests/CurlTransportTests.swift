import ChirpCore
import ChirpHTTP
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

struct CurlTransportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func address(_ server: LoopbackServer, _ path: String) throws -> WebAddress {
        try #require(WebAddress(server.base + path))
    }

    @Test func `a request and its answer arrive whole over one connection`() async throws {
        let server = try LoopbackServer { request in
            .init(201, headers: [("X-Seen", request.headers["X-Mine"] ?? "")], body: request.body)
        }
        defer { server.close() }
        let transport = CurlTransport()
        for method in [HTTPMethod.post, .put, .patch] {
            let response = try await transport.send(
                HTTPRequest(
                    method, try address(server, "/a?b=c"), headers: ["X-Mine": "yes"], body: .text("hello"),
                    isRepeatable: true))
            #expect(response.status == 201)
            #expect(response.text == "hello")
            #expect(response.headers["x-seen"] == "yes")
        }
        #expect(server.requests.map(\.method) == ["POST", "PUT", "PATCH"])
        #expect(server.requests.allSatisfy { $0.query["b"] == "c" && $0.headers["Expect"] == nil })
        #expect(server.connectionCount == 1)
    }

    @Test func `requests without content carry none, and empty ones say so`() async throws {
        let server = try LoopbackServer { _ in .init(204) }
        defer { server.close() }
        let transport = CurlTransport()
        for method in [HTTPMethod.get, .head, .delete, .propfind, .put, .post] {
            #expect(try await transport.send(HTTPRequest(method, try address(server, "/"))).status == 204)
        }
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "DELETE", "PROPFIND", "PUT", "POST"])
        #expect(server.requests.map { $0.headers["Content-Length"] } == [nil, nil, nil, nil, "0", "0"])
    }

    @Test func `a body of memory and parts of files is sent in order`() async throws {
        let server = try LoopbackServer { .init(200, body: $0.body) }
        defer { server.close() }
        let file = folder.path("part")
        try Data("0123456789".utf8).write(to: URL(fileURLWithPath: file))
        let body = HTTPBody.text("<") + .file(path: file, offset: 3, count: 4) + .text(">")
        let response = try await CurlTransport().send(HTTPRequest(.post, try address(server, "/"), body: body))
        #expect(response.text == "<3456>")
    }

    @Test func `a file that became shorter is an error, not a hang`() async throws {
        let server = try LoopbackServer { _ in .init(200) }
        defer { server.close() }
        let file = folder.path("short")
        try Data("0123".utf8).write(to: URL(fileURLWithPath: file))
        let request = HTTPRequest(.put, try address(server, "/"), body: .file(path: file, count: 10))
        await #expect(throws: HTTPError.inputOutput(path: file, reason: "it became shorter while it was sent")) {
            try await CurlTransport().send(request)
        }
    }

    @Test func `an answer above the limit is refused`() async throws {
        let server = try LoopbackServer { _ in .init(200, body: Array(repeating: 65, count: 100_000)) }
        defer { server.close() }
        let request = HTTPRequest(.get, try address(server, "/"), sink: .memory(limit: 1000))
        await #expect(throws: HTTPError.tooLarge(host: "127.0.0.1", limit: ByteCount(1000))) {
            try await CurlTransport().send(request)
        }
    }

    // CH-10
    @Test func `a broken download goes on where it stopped`() async throws {
        let whole = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try LoopbackServer { request in
            guard let range = request.headers["Range"], let start = Int(range.dropFirst(6).dropLast()) else {
                return .init(200, body: whole, cutAfter: 150_000)
            }
            return .init(
                206, headers: [("Content-Range", "bytes \(start)-\(whole.count - 1)/\(whole.count)")],
                body: Array(whole[start...]))
        }
        defer { server.close() }
        let transport = CurlTransport()
        let file = folder.path("clip")
        var request = HTTPRequest(.get, try address(server, "/"), sink: .file(path: file, offset: 0, limit: 1 << 20))
        await #expect { try await transport.send(request) } throws: { ($0 as? HTTPError)?.isTemporary == true }
        let kept = try #require(FileManager.default.contents(atPath: file)).count
        #expect(kept > 0 && kept < 150_000)
        request.sink = .file(path: file, offset: Int64(kept), limit: 1 << 20)
        let response = try await transport.send(request)
        #expect(response.fileBytes == Int64(whole.count))
        #expect(FileManager.default.contents(atPath: file) == Data(whole))
    }

    @Test func `a server that ignores the range starts the file anew`() async throws {
        let server = try LoopbackServer { _ in .init(200, body: Array("fresh".utf8)) }
        defer { server.close() }
        let file = folder.path("anew")
        try Data("stale and longer".utf8).write(to: URL(fileURLWithPath: file))
        let request = HTTPRequest(.get, try address(server, "/"), sink: .file(path: file, offset: 5, limit: 100))
        #expect(try await CurlTransport().send(request).fileBytes == 5)
        #expect(FileManager.default.contents(atPath: file) == Data("fresh".utf8))
    }

    @Test func `an error answer leaves the file alone`() async throws {
        let server = try LoopbackServer { _ in .json(404, #"{"error":"gone"}"#) }
        defer { server.close() }
        let file = folder.path("none")
        let request = HTTPRequest(.get, try address(server, "/"), sink: .file(path: file, offset: 0, limit: 100))
        let response = try await CurlTransport().send(request)
        #expect(response.status == 404)
        #expect(response.text.contains("gone"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `cancelling ends a transfer at once`() async throws {
        let (stalled, stalling) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer(gate: { _, _, _ in
            stalling.yield()
            return .stall
        }) { _ in .init(200) }
        defer { server.close() }
        let transport = CurlTransport()
        let request = HTTPRequest(.get, try address(server, "/"))
        let task = Task { try await transport.send(request) }
        for await _ in stalled { break }
        task.cancel()
        // The server will never answer: only cancelling ends it like this.
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        // A task that was cancelled before it asked never asks.
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(request)
        }
        await #expect(throws: HTTPError.cancelled) { try await early.value }
        #expect(server.requests.isEmpty)
    }

    @Test func `a silent server is given up by its silence`() async throws {
        let server = try LoopbackServer(gate: { _, _, _ in .stall }) { _ in .init(200) }
        defer { server.close() }
        let transport = CurlTransport(settings: CurlSettings(slowTime: .seconds(1)))
        let request = HTTPRequest(.get, try address(server, "/"))
        await #expect(throws: HTTPError.interrupted(host: "127.0.0.1", reason: "it fell silent")) {
            try await transport.send(request)
        }
    }

    @Test func `nobody there and plain http are told apart`() async throws {
        let transport = CurlTransport(settings: CurlSettings(connectTimeout: .seconds(2)))
        func failure(_ text: String) async throws -> HTTPError? {
            let request = HTTPRequest(.get, try #require(WebAddress(text)))
            do throws(HTTPError) { _ = try await transport.send(request) } catch { return error }
            return nil
        }
        #expect(try await failure("http://chirp.example/") == .insecure(host: "chirp.example"))
        #expect(
            try await failure("http://127.0.0.1:1/").map { if case .unreachable = $0 { true } else { false } } == true)
    }

    @Test func `a private address is refused after the name is known`() async throws {
        let server = try LoopbackServer { _ in .init(200) }
        defer { server.close() }
        let transport = CurlTransport(settings: CurlSettings(onlyPublicAddresses: true))
        let request = HTTPRequest(.get, try #require(WebAddress("http://localhost:\(server.port)/")))
        await #expect(throws: HTTPError.privateAddress(host: "localhost")) { try await transport.send(request) }
        #expect(server.requests.isEmpty)
    }

    @Test func `many requests at once all come back`() async throws {
        let server = try LoopbackServer { .init(200, body: Array($0.path.utf8)) }
        defer { server.close() }
        let transport = CurlTransport()
        let root = try address(server, "/")
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask { try await transport.send(HTTPRequest(.get, root.appending("\(number)"))).text }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<50).map { "/\($0)" }))
    }

    @Test func `progress counts to the end and events hold no query`() async throws {
        let server = try LoopbackServer { _ in .init(200) }
        defer { server.close() }
        let counts = Mutex<[Int64]>([])
        let events = Mutex<[String]>([])
        let transport = CurlTransport(
            settings: CurlSettings(observe: { event in events.withLock { $0.append("\(event)") } }))
        let request = HTTPRequest(
            .put, try address(server, "/up?upload_id=SECRET"), body: .bytes(Array(repeating: 1, count: 1 << 20)),
            progress: { sent, _ in counts.withLock { $0.append(sent) } })
        _ = try await transport.send(request)
        let seen = counts.withLock { $0 }
        #expect(seen == seen.sorted())
        #expect(seen.last.map { $0 > (1 << 20) - 65_536 } == true)
        let text = events.withLock { $0.joined() }
        #expect(text.contains("PUT http://127.0.0.1:\(server.port)/up: 200, 1048576 bytes sent"))
        #expect(!text.contains("SECRET"))
    }

    @Test func `an upload survives a connection that died while idle`() async throws {
        let isFirst = Mutex(true)
        let server = try LoopbackServer { request in
            // The first connection is closed behind the client's back after its answer.
            let first = isFirst.withLock { value in
                defer { value = false }
                return value
            }
            return first
                ? .init(200, headers: [("Connection", "keep-alive")], cutAfter: 10_000) : .init(200, body: request.body)
        }
        defer { server.close() }
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(.get, try address(server, "/")))
        let response = try await transport.send(HTTPRequest(.put, try address(server, "/"), body: .text("again")))
        #expect(response.text == "again")
    }

    @Test(arguments: [HTTPBody.none, .text("once"), .bytes(Array(repeating: 7, count: 400_000))])
    func `what is not repeatable is sent once, even over a connection that dies`(body: HTTPBody) async throws {
        let server = try LoopbackServer { request in
            request.path == "/post" ? .init(200, cutAfter: 0) : .init(200, headers: [("Connection", "keep-alive")])
        }
        defer { server.close() }
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(.get, try address(server, "/")))
        let request = HTTPRequest(.post, try address(server, "/post"), body: body)
        await #expect { try await transport.send(request) } throws: { ($0 as? HTTPError)?.isTemporary == true }
        #expect(server.requests.filter { $0.path == "/post" }.count == 1)
    }
}
