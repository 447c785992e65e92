import ChirpTestKit
import ChirpWeb
import Foundation
import HubHousehold
import Testing

/// One visitor leaves room for the others.
@Suite struct ConnectionTests {
    /// Nobody is in front of the hub.
    private static let plainURL = "http://127.0.0.1:4747"
    private static let large = [UInt8](repeating: 7, count: 24_000_000)

    private func status(_ url: String, from address: String = "127.0.0.1") async throws -> String {
        try await curl(["--interface", address, "--output", "/dev/null", "--write-out", "%{http_code}", url]).text
    }

    @Test func `one address that opens many connections and reads nothing leaves room for another`() async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.large)
        var limits = ConnectionLimits()
        limits.total = 20
        limits.perAddress = 8
        // A busy machine may ask for longer than those that read nothing are usually borne.
        limits.stall = .seconds(600)
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            let url = "http://127.0.0.1:\(port)"
            // Those that are refused at once may be gone before they have asked.
            let greedy = (0..<60).map { _ in OpenAnswer(port: port, path: "/media/\(id).mp3") }
            for _ in 0..<5 {
                let page = try await status("\(url)/c/\(id)", from: "127.0.0.2")
                let clip = try await status("\(url)/media/\(id).mp3", from: "127.0.0.3")
                #expect(page == "200" && clip == "200")
            }
            let refused = try await status(url)
            #expect(refused == "000")
            withExtendedLifetime(greedy) {}
        }
    }

    @Test func `an answer that nobody reads is ended, and its place is free again`() async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.large)
        var limits = ConnectionLimits()
        limits.perAddress = 1
        limits.stall = .milliseconds(200)
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            let stalled = try #require(OpenAnswer(port: port, path: "/media/\(id).mp3"))
            while try await status("http://127.0.0.1:\(port)/") != "200" { try Task.checkCancellation() }
            let rest = try #require(await stalled.rest())
            #expect(rest.count < Self.large.count)
        }
    }

    @Test func `a slow reader gets all of it`() async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.large)
        var limits = ConnectionLimits()
        // Shorter than the whole takes, longer than a busy machine lets a reader wait.
        limits.stall = .seconds(2)
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            let url = "http://127.0.0.1:\(port)/media/\(id).mp3"
            let bytes = try await curl(["--max-time", "300", "--limit-rate", "6M", url]).output
            #expect(bytes.count == Self.large.count)
        }
    }

    @Test
    func
        `one address that holds as many answers as it may leaves room for another, and has room again when it lets go`()
        async throws
    {
        let house = try HubHousehold()
        let id = try await house.save(Self.large)
        var limits = ConnectionLimits()
        limits.requestsPerAddress = 3
        limits.stall = .seconds(600)
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            let url = "http://127.0.0.1:\(port)"
            var held: [OpenAnswer] = []
            for _ in 0..<3 {
                let answer = try #require(OpenAnswer(port: port, path: "/media/\(id).mp3"))
                #expect(await answer.lines { $0.isEmpty }?.first == "HTTP/1.1 200 OK")
                held.append(answer)
            }
            let refused = try #require(OpenAnswer(port: port, path: "/media/\(id).mp3"))
            let refusal = try #require(await refused.lines { $0.isEmpty })
            #expect(refusal.first == "HTTP/1.1 429 Too Many Requests" && refusal.contains("Retry-After: 1"))
            // Pages have a share beside files.
            #expect(try await status(url) == "200")
            #expect(try await status(url, from: "127.0.0.2") == "200")
            // Event streams have a count of their own.
            let events = try #require(OpenAnswer(port: port, path: "/api/v1/events", from: "127.0.0.2"))
            #expect(await events.lines { $0.hasPrefix("id: ") }?.first == "HTTP/1.1 200 OK")
            held = []
            while true {
                try Task.checkCancellation()
                let again = try #require(OpenAnswer(port: port, path: "/media/\(id).mp3"))
                if await again.lines(until: { $0.isEmpty })?.first == "HTTP/1.1 200 OK" { break }
            }
        }
    }

    @Test func `who asks and leaves without an answer leaves nothing counted`() async throws {
        let house = try HubHousehold()
        let id = try await house.save(Self.large)
        var limits = ConnectionLimits()
        limits.requestsPerAddress = 1
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            for path in ["/", "/media/\(id).mp3", "/api/v1/timelines/public"] {
                for _ in 0..<20 { _ = OpenAnswer(port: port, path: path) }
            }
            while try await status("http://127.0.0.1:\(port)") != "200" { try Task.checkCancellation() }
        }
    }

    @Test func `listeners are not counted among the answers that their address has in hand`() async throws {
        let house = try HubHousehold()
        var limits = ConnectionLimits()
        limits.requestsPerAddress = 1
        limits.workingPerAddress = 1
        try await withLiveHub(house, clock: HurriedClock(), publicURL: Self.plainURL, connections: limits) { port in
            var answers: [OpenAnswer] = []
            for _ in 0..<4 {
                let answer = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
                #expect(await answer.lines { $0.hasPrefix("id: ") }?.first == "HTTP/1.1 200 OK")
                answers.append(answer)
            }
            #expect(try await status("http://127.0.0.1:\(port)") == "200")
        }
    }

    @Test func `a request of more than a hundred fields is refused`() async throws {
        try await withLiveHub(try HubHousehold()) { port in
            for (count, expected) in [(99, "HTTP/1.1 200"), (101, "HTTP/1.1 431")] {
                let fields = (0..<count).map { "X-\($0): 1" }
                let answer = try #require(OpenAnswer(port: port, path: "/health", headers: fields))
                #expect(await answer.lines { $0.isEmpty }?.first?.hasPrefix(expected) == true)
            }
        }
    }

    @Test func `event streams of one address are limited, and a place that is left is free`() async throws {
        let house = try HubHousehold()
        var limits = ConnectionLimits()
        limits.streamsPerAddress = 2
        try await withLiveHub(house, clock: HurriedClock(), publicURL: Self.plainURL, connections: limits) { port in
            let url = "http://127.0.0.1:\(port)/api/v1/events"
            for _ in 0..<5 { _ = try await curl(["--head", url]) }
            let first = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
            var second = OpenAnswer(port: port, path: "/api/v1/events")
            for answer in [first, try #require(second)] { #expect(await answer.lines { $0.hasPrefix("id: ") } != nil) }
            let third = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
            let refusal = try #require(await third.lines { $0.isEmpty })
            #expect(refusal.first == "HTTP/1.1 429 Too Many Requests" && refusal.contains("Retry-After: 10"))
            let other = try #require(OpenAnswer(port: port, path: "/api/v1/events", from: "127.0.0.2"))
            #expect(await other.lines { $0.hasPrefix("id: ") }?.first == "HTTP/1.1 200 OK")
            second = nil
            while true {
                let next = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
                if await next.lines(until: { $0.isEmpty })?.first == "HTTP/1.1 200 OK" { break }
            }
        }
    }

    @Test func `a listener that reads nothing is cut, and the others hear all`() async throws {
        let house = try HubHousehold()
        // More than the system keeps for a reader.
        let text = String(repeating: "x", count: 40_000)
        for number in 1...400 { try await house.post("\(number) \(text)") }
        var limits = ConnectionLimits()
        limits.stall = .milliseconds(200)
        limits.streamsPerAddress = 2
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            let stalled = try #require(OpenAnswer(port: port, path: "/api/v1/events?after=0"))
            // It has begun, and nothing more is read of it.
            #expect(await stalled.lines { $0.hasPrefix("id: ") } != nil)
            let reader = try #require(OpenAnswer(port: port, path: "/api/v1/events?after=400"))
            #expect(await reader.lines { $0 == "id: 400" } != nil)
            // It has one place, which is free again when it is cut.
            while true {
                let next = try #require(OpenAnswer(port: port, path: "/api/v1/events?after=400"))
                if await next.lines(until: { $0.isEmpty })?.first == "HTTP/1.1 200 OK" { break }
            }
            try await house.post("last")
            #expect(await reader.lines { $0 == "id: 401" } != nil)
            let rest = try #require(await stalled.rest())
            #expect(!String(decoding: rest, as: UTF8.self).contains("id: 401\n"))
        }
    }

    @Test func `a listener that hangs up frees its place at once`() async throws {
        let house = try HubHousehold()
        var limits = ConnectionLimits()
        limits.streamsPerAddress = 1
        try await withLiveHub(house, publicURL: Self.plainURL, connections: limits) { port in
            var first = OpenAnswer(port: port, path: "/api/v1/events")
            #expect(await first?.lines { $0.hasPrefix("id: ") } != nil)
            first = nil
            // No heartbeat is due for 15 s.
            while true {
                let next = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
                if await next.lines(until: { $0.isEmpty })?.first == "HTTP/1.1 200 OK" { break }
            }
        }
    }

    @Test func `visitors behind a reverse proxy on this machine are not one visitor`() async throws {
        let house = try HubHousehold()
        var limits = ConnectionLimits()
        limits.perAddress = 2
        limits.streamsPerAddress = 1
        try await withLiveHub(house, publicURL: "https://clips.example.org", connections: limits) { port in
            var answers: [OpenAnswer] = []
            for _ in 0..<10 {
                let answer = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
                #expect(await answer.lines { $0.hasPrefix("id: ") }?.first == "HTTP/1.1 200 OK")
                answers.append(answer)
            }
        }
    }

    @Test(
        arguments: ["GET", "HEAD", "POST"],
        [
            ("Transfer-Encoding: chunked", "5\r\nhello\r\n"), ("Content-Length: 1000000", "hello"),
            ("Content-Length: 5", "hello"),
        ])
    func `a request with a body ends its connection`(method: String, body: (field: String, rest: String)) async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            let answer = try #require(
                OpenAnswer(port: port, path: "/", method: method, headers: [body.field], rest: body.rest))
            let text = String(decoding: try #require(await answer.rest()), as: UTF8.self)
            #expect(text.hasPrefix(method == "POST" ? "HTTP/1.1 405" : "HTTP/1.1 413"), "\(text)")
            #expect(text.contains("Connection: close"))
            #expect(text.components(separatedBy: "HTTP/1.1").count == 2)
        }
    }

    @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
    func `a form that is longer than one may be is refused at once`(field: String) async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            let answer = try #require(
                OpenAnswer(port: port, path: "/signin", method: "POST", headers: [field], rest: "5\r\nhello\r\n"))
            let text = String(decoding: try #require(await answer.rest()), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 413") && text.contains("Connection: close"), "\(text)")
        }
    }

    @Test func `a head that does not arrive ends the connection`() async throws {
        let house = try HubHousehold()
        var limits = ConnectionLimits()
        limits.idle = .milliseconds(200)
        try await withLiveHub(house, connections: limits) { port in
            let answer = try #require(OpenAnswer(port: port, path: "/", rest: nil))
            #expect(await answer.rest() != nil)
        }
    }
}
