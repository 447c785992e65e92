import ChirpCore
import ChirpHTTP
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Answers that are read while they arrive, over a real libcurl.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    private static let patience = Duration.seconds(60)

    private func serve(_ stream: LoopbackStream, status: Int = 200) throws -> LoopbackServer {
        try LoopbackServer { _ in
            var reply = LoopbackServer.Reply.events(stream)
            reply.status = status
            return reply
        }
    }

    private func request(_ server: LoopbackServer) throws -> HTTPRequest {
        HTTPRequest(.get, try #require(WebAddress(server.base + "/events")))
    }

    private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Runs a test with a short silence, and with longer ones when the machine was too busy for it.
    private func withSilence(_ body: (Duration) async throws -> Void) async throws {
        for silence in [Duration.milliseconds(300), .seconds(3)] {
            do {
                return try await body(silence)
            } catch HTTPError.interrupted(_, reason: "it fell silent") {}
        }
        try await body(Self.patience)
    }

    @Test func `content comes while the answer goes on, and ends with it`() async throws {
        let source = LoopbackStream()
        let server = try serve(source)
        defer { server.close() }
        let stream = try await CurlTransport().stream(try request(server), silence: Self.patience)
        #expect(stream.status == 200 && stream.headers["content-type"] == "text/event-stream")
        var pieces = stream.makeAsyncIterator()
        source.write("one")
        #expect(text(try await pieces.next()) == "one")
        source.write("two")
        #expect(text(try await pieces.next()) == "two")
        source.close()
        #expect(try await pieces.next() == nil)
        #expect(try await pieces.next() == nil)
    }

    @Test func `silence ends it, a heartbeat does not`() async throws {
        try await withSilence { silence in
            let source = LoopbackStream()
            let server = try serve(source)
            defer { server.close() }
            let stream = try await CurlTransport().stream(try request(server), silence: silence)
            var pieces = stream.makeAsyncIterator()
            for _ in 0..<5 {
                source.write(":\n")
                #expect(text(try await pieces.next()) == ":\n")
            }
            await #expect(throws: HTTPError.interrupted(host: "127.0.0.1", reason: "it fell silent")) {
                try await pieces.next()
            }
        }
    }

    @Test func `a slow reader slows the sender instead of filling memory`() async throws {
        try await withSilence { silence in
            let source = LoopbackStream()
            let server = try serve(source)
            defer { server.close() }
            let stream = try await CurlTransport().stream(try request(server), silence: silence)
            let (piece, count) = ((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, 40)
            for _ in 0..<count { source.write(piece) }
            source.close()
            var received = 0
            var isRight = true
            var most = 0
            var pieces = stream.makeAsyncIterator()
            while let bytes = try await pieces.next() {
                most = max(most, bytes.count)
                for (index, byte) in bytes.enumerated() {
                    if byte != piece[(received + index) % piece.count] { isRight = false }
                }
                received += bytes.count
                // Nothing came meanwhile, because nothing was taken: that is no silence.
                if received < 2_000_000 { await until { source.sentBytes > received } }
            }
            #expect(received == count * piece.count && isRight)
            #expect(most <= 600_000)
        }
    }

    @Test func `cancelling the reader ends the transfer`() async throws {
        let source = LoopbackStream()
        let server = try serve(source)
        defer { server.close() }
        let stream = try await CurlTransport().stream(try request(server), silence: Self.patience)
        let reader = Task {
            var pieces = stream.makeAsyncIterator()
            while try await pieces.next() != nil {}
        }
        source.write("x")
        reader.cancel()
        await #expect(throws: HTTPError.cancelled) { try await reader.value }
        let hasGone = await until {
            source.write("y")
            return source.clientHasGone
        }
        #expect(hasGone)
    }

    @Test func `a stream that nobody holds ends`() async throws {
        let source = LoopbackStream()
        let server = try serve(source)
        defer { server.close() }
        let transport = CurlTransport()
        do {
            let stream = try await transport.stream(try request(server), silence: Self.patience)
            #expect(stream.isSuccess)
        }
        let hasGone = await until {
            source.write("y")
            return source.clientHasGone
        }
        #expect(hasGone)
    }

    @Test func `a server that is silent from the start and one that is not there are told apart`() async throws {
        let silent = try LoopbackServer(gate: { _, _, _ in .stall }, handler: { _ in .init(200) })
        defer { silent.close() }
        await #expect(throws: HTTPError.interrupted(host: "127.0.0.1", reason: "it fell silent")) {
            try await CurlTransport().stream(try request(silent), silence: .milliseconds(200))
        }
        let gone = try ReservedPort()
        let address = HTTPRequest(.get, try #require(WebAddress("http://127.0.0.1:\(gone.number)/events")))
        await #expect {
            try await CurlTransport().stream(address, silence: Self.patience)
        } throws: {
            if case .unreachable? = $0 as? HTTPError { true } else { false }
        }
        withExtendedLifetime(gone) {}
    }

    @Test func `cancelled before the header it ends at once`() async throws {
        let silent = try LoopbackServer(gate: { _, _, _ in .stall }, handler: { _ in .init(200) })
        defer { silent.close() }
        let address = try request(silent)
        let opening = Task {
            let stream = try await CurlTransport().stream(address, silence: Self.patience)
            #expect(!stream.isSuccess)
        }
        #expect(await until { silent.connectionCount == 1 })
        opening.cancel()
        await #expect(throws: HTTPError.cancelled) { try await opening.value }
    }

    @Test func `a refusal keeps its words, a broken connection is an error`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/cut" ? .init(200, body: Array("12345".utf8), cutAfter: 46) : .json(404, "no")
        }
        defer { server.close() }
        let root = try #require(WebAddress(server.base))
        let refused = try await CurlTransport().stream(HTTPRequest(.get, root), silence: Self.patience)
        #expect(!refused.isSuccess)
        #expect(try await refused.response().text == "no")
        await #expect {
            let cut = HTTPRequest(.get, root.replacing(path: "/cut"))
            _ = try await CurlTransport().stream(cut, silence: Self.patience).response()
        } throws: { ($0 as? HTTPError)?.isTemporary == true }
    }
}
