import Foundation
import HubHousehold
import Testing

/// New posts as they are made (CH-9, CH-10).
@Suite struct EventTests {
    private func ids(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test func `posts of another process arrive in order, once each`() async throws {
        let house = try HubHousehold()
        let publisher = try HubHousehold(sharing: house)
        try await publisher.post("old")
        try await withLiveHub(house) { port in
            let answer = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
            // Where the feed is now; nothing old is told.
            let start = try #require(await answer.lines { $0 == "id: 1" })
            #expect(start.contains("Content-Type: text/event-stream; charset=utf-8"))
            for number in 1...30 { try await publisher.post("new \(number) <&>") }
            let lines = try #require(await answer.lines { $0 == "id: 31" })
            #expect(ids(lines) == (2...31).map(String.init))
            let last = try #require(await answer.lines { $0.hasPrefix("data: ") }?.last)
            #expect(last.contains("\"text\":\"new 30 <&>\"") && last.contains("\"seq\":31"))
        }
    }

    @Test func `who was cut off gets what was missed and nothing twice`() async throws {
        let house = try HubHousehold()
        for number in 1...250 { try await house.post("post \(number)") }
        try await withLiveHub(house) { port in
            for (path, headers) in [
                ("/api/v1/events", ["Last-Event-ID: 20"]), ("/api/v1/events?after=20", []),
                // The browser repeats the address and adds the header, which knows more.
                ("/api/v1/events?after=3", ["Last-Event-ID: 20"]),
            ] {
                let answer = try #require(OpenAnswer(port: port, path: path, headers: headers))
                let lines = try #require(await answer.lines { $0 == "id: 250" })
                #expect(ids(lines) == (20...250).map(String.init))
            }
        }
    }

    @Test func `a quiet stream shows every now and then that it is alive`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house, clock: HurriedClock()) { port in
            let answer = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
            #expect(await answer.lines { $0 == ":" } != nil)
            #expect(await answer.lines { $0 == ":" } != nil)
        }
    }

    @Test func `a graceful stop ends open streams`() async throws {
        let house = try HubHousehold()
        let answer = try await withLiveHub(house) { port in
            let answer = try #require(OpenAnswer(port: port, path: "/api/v1/events"))
            _ = await answer.lines { $0.hasPrefix("id: ") }
            return answer
        }
        // The last chunk of a whole answer: it was ended, not cut.
        #expect(await answer.lines { $0 == "0" } != nil)
    }
}
