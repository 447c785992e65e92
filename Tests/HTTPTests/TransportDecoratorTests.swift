import ChirpCore
import ChirpHTTP
import ChirpTestKit
import FoundationEssentials
import LoopbackService
import Synchronization
import Testing

/// Answers in turn, and remembers what it was asked.
private final class Script: HTTPTransport {
    typealias Answer = Result<HTTPResponse, HTTPError>
    private let state: Mutex<(answers: [Answer], seen: [HTTPRequest])>

    init(_ answers: [Answer]) {
        state = Mutex((answers, []))
    }

    var seen: [HTTPRequest] { state.withLock { $0.seen } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try state.withLock { state -> Answer in
            state.seen.append(request)
            return state.answers.isEmpty
                ? .failure(.malformed(host: "script", reason: "over")) : state.answers.removeFirst()
        }.get()
    }
}

private final class Waits: Sendable {
    private let list = Mutex<[Duration]>([])
    var all: [Duration] { list.withLock { $0 } }

    var pause: Sleeper {
        Sleeper(
            now: { Date(timeIntervalSince1970: 1_795_253_400) },
            wait: { duration in
                self.list.withLock { $0.append(duration) }
                return true
            }, jitter: { 0.5 })
    }
}

struct TransportDecoratorTests {
    private let address = WebAddress("https://api.example/v1")
    private static let broken = HTTPError.interrupted(host: "api.example", reason: "reset")

    private func request(_ method: HTTPMethod, repeatable: Bool? = nil) throws -> HTTPRequest {
        HTTPRequest(method, try #require(address), isRepeatable: repeatable)
    }

    @Test func `temporary failures are repeated with growing waits`() async throws {
        let script = Script([
            .failure(Self.broken), .success(HTTPResponse(status: 503)), .success(HTTPResponse(status: 200)),
        ])
        let waits = Waits()
        let transport = RetryingTransport(script, policy: RetryPolicy(base: .seconds(2)), pause: waits.pause)
        #expect(try await transport.send(try request(.get)).status == 200)
        #expect(waits.all == [.seconds(1), .seconds(2)])
    }

    @Test func `the service's own wish is the least wait, and too long a one is handed on`() async throws {
        let soon = HTTPResponse(status: 503, headers: ["Retry-After": "30"])
        let late = HTTPResponse(status: 429, headers: ["Retry-After": "Sat, 21 Nov 2026 10:30:00 GMT"])
        let script = Script([.success(soon), .success(late)])
        let waits = Waits()
        #expect(try await RetryingTransport(script, pause: waits.pause).send(try request(.get)).status == 429)
        #expect(waits.all == [.seconds(30)])
    }

    @Test(
        arguments: [
            (HTTPMethod.post, nil, Self.broken, 1), (.post, true, Self.broken, 3), (.move, nil, Self.broken, 1),
            (.post, nil, .unresolved(host: "x"), 3), (.get, nil, .untrusted(host: "x", reason: "y"), 1),
            (.put, nil, Self.broken, 3),
            (.get, nil, .cancelled, 1),
        ] as [(HTTPMethod, Bool?, HTTPError, Int)])
    func `only what can be done twice is sent twice`(
        _ method: HTTPMethod, repeatable: Bool?, error: HTTPError, expected: Int
    ) async throws {
        let script = Script(Array(repeating: .failure(error), count: 9))
        let transport = RetryingTransport(script, policy: RetryPolicy(attempts: 3), pause: Waits().pause)
        let request = try request(method, repeatable: repeatable)
        await #expect(throws: error) { try await transport.send(request) }
        #expect(script.seen.count == expected)
    }

    @Test func `a refused token is replaced once`() async throws {
        struct Tokens: TokenSource {
            func token(insteadOf rejected: Secret?) async throws(HTTPError) -> Secret {
                Secret(rejected == nil ? "old" : "new")
            }
        }
        let script = Script([.success(HTTPResponse(status: 401)), .success(HTTPResponse(status: 401))])
        let transport = AuthorizedTransport(script, tokens: Tokens())
        #expect(try await transport.send(try request(.post)).status == 401)
        #expect(script.seen.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        let fixed = AuthorizedTransport(
            Script([.success(HTTPResponse(status: 401))]), tokens: FixedToken(Secret("t"), service: "mastodon"))
        let again = try request(.get)
        await #expect { try await fixed.send(again) } throws: { ($0 as? HTTPError)?.exitCode == .signInNeeded }
    }

    @Test func `an answer that does not come to its end is given up, and a stream lasts`() async throws {
        struct Dripping: HTTPTransport {
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
                try await SilentTransport().send(request)
            }

            func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
                HTTPStream(status: 200, headers: [:]) { () throws(HTTPError) in nil }
            }
        }
        let transport = PatientTransport(Dripping(), patience: .seconds(30), clock: InstantClock())
        let asked = try request(.get)
        await #expect { try await transport.send(asked) } throws: { ($0 as? HTTPError)?.isTemporary == true }
        #expect(try await transport.stream(asked, silence: .seconds(60)).status == 200)
    }

    @Test func `redirects stay within the rules and tokens at home`() async throws {
        func to(_ location: String) -> Result<HTTPResponse, HTTPError> {
            .success(HTTPResponse(status: 303, headers: ["Location": location]))
        }
        let rule: @Sendable (WebAddress) -> Bool = { $0.host.hasSuffix(".example") }
        var asked = try request(.get)
        asked.headers["Authorization"] = "Bearer t"
        let script = Script([to("/v2"), to("https://cdn.example/x"), .success(HTTPResponse(status: 200))])
        #expect(try await RedirectingTransport(script, allows: rule).send(asked).status == 200)
        #expect(
            script.seen.map(\.address.text) == [
                "https://api.example/v1", "https://api.example/v2", "https://cdn.example/x",
            ])
        #expect(script.seen.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t", nil])
        for bad in ["http://cdn.example/", "https://evil.test/", "file:///etc/passwd"] {
            let request = asked
            await #expect(throws: HTTPError.self) {
                try await RedirectingTransport(Script([to(bad)]), allows: rule).send(request)
            }
        }
        let loop = Script(Array(repeating: to("/again"), count: 20))
        let request = asked
        await #expect(throws: HTTPError.self) {
            try await RedirectingTransport(loop, maximum: 3, allows: rule).send(request)
        }
        #expect(loop.seen.count == 4)
    }
}
