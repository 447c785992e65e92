import ChirpCore
import ChirpHTTP
import ChirpTestKit
import Testing

/// Event streams as the HTML standard reads them (section 9.2.6), with its own examples.
struct ServerSentEventsTests {
    typealias Event = ServerSentEvents.Event

    private func events(_ text: String) throws -> [Event] {
        var events = ServerSentEvents(host: "x")
        return try events.take(Array(text.utf8))
    }

    @Test func `the examples of the standard`() throws {
        #expect(
            try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [Event(name: "message", data: "YHOO\n+2\n10", id: "")])
        let four = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
        #expect(
            try events(four) == [
                Event(name: "message", data: "first event", id: "1"),
                Event(name: "message", data: "second event", id: ""),
                Event(name: "message", data: " third event", id: ""),
            ])
        #expect(
            try events("data\n\ndata\ndata\n\ndata:") == [
                Event(name: "message", data: "", id: ""), Event(name: "message", data: "\n", id: ""),
            ])
        #expect(try events("data:test\n\ndata: test\n\n").map(\.data) == ["test", "test"])
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `lines end with LF, CR or both, wherever the bytes are cut`(end: String) throws {
        let text = ["\u{FEFF}:hi", "event: post", "id: 7", "data: grüße 🐦", "data: b", "", "data: c", "", ""]
            .joined(separator: end)
        let wanted = [
            Event(name: "post", data: "grüße 🐦\nb", id: "7"), Event(name: "message", data: "c", id: "7"),
        ]
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var (parser, found) = (ServerSentEvents(host: "x"), [Event]())
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try parser.take(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            #expect(found == wanted, "pieces of \(size)")
            #expect(parser.lastID == "7")
        }
    }

    @Test func `mixed line ends, unknown fields and events without data`() throws {
        #expect(try events("data: a\r\rdata: b\n\r\ndata: c\r\n\n").map(\.data) == ["a", "b", "c"])
        #expect(try events("event: x\n\nfoo: bar\ndatax: 1\n data: 2\n\ndata: y\n\n").map(\.name) == ["message"])
    }

    @Test func `ids and waiting times are taken as the standard says, within bounds`() throws {
        var parser = ServerSentEvents(host: "x", lastID: "before")
        #expect(try parser.take(Array("data: a\n\n".utf8)).first?.id == "before")
        _ = try parser.take(Array("id: half".utf8))
        #expect(parser.lastID == "before")
        _ = try parser.take(Array("\nretry: 1500\n\n".utf8))
        #expect(parser.lastID == "half" && parser.retry == .milliseconds(1500))
        _ = try parser.take(Array("id: a\0b\nretry: 1e3\nretry: -1\nretry:\n\n".utf8))
        #expect(parser.lastID == "half" && parser.retry == .milliseconds(1500))
        _ = try parser.take(Array("retry: 99999999999999999999\n\n".utf8))
        #expect(parser.retry == .seconds(300))
    }

    @Test(arguments: [1 << 20, (1 << 20) + 1, 3 << 20], [1, 40])
    func `an event that is too large comes without its data, and the next one whole`(bytes: Int, lines: Int) throws {
        var parser = ServerSentEvents(host: "x")
        var found = try parser.take(Array("event: update\nid: 7\n".utf8))
        for _ in 0..<lines {
            let line = Array("data: ".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: bytes / lines) + [10]
            found += try parser.take(line)
        }
        found += try parser.take(Array("\nevent: post\ndata: small\n\n".utf8))
        #expect(
            found == [
                Event(name: "update", data: "", id: "7", isCutShort: true), Event(name: "post", data: "small", id: "7"),
            ])
        #expect(parser.lastID == "7")
    }

    @Test func `a line without end and an event without end are given up`() throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let error = HTTPError.tooLarge(host: "x", limit: ByteCount(ServerSentEvents.mostPassedOver))
        #expect(throws: error) { () throws in
            var parser = ServerSentEvents(host: "x")
            for _ in 0...64 { _ = try parser.take(piece) }
        }
        #expect(throws: error) { () throws in
            var parser = ServerSentEvents(host: "x")
            for _ in 0...64 { _ = try parser.take(Array("data: ".utf8) + piece + [10]) }
        }
    }

    @Test func `an id that would not fit into a request is not taken`() throws {
        var parser = ServerSentEvents(host: "x", lastID: "before")
        _ = try parser.take(Array("id: \(String(repeating: "7", count: 5000))\ndata: a\n\n".utf8))
        #expect(parser.lastID == "before")
    }

    @Test func `bytes that are no text neither stop it nor get through as such`() throws {
        var generator = SeededGenerator(seed: 5)
        var parser = ServerSentEvents(host: "x")
        for _ in 0..<2000 {
            let alphabet: [UInt8] = [10, 13, 58, 0xFF, 0xE2, 100, 97, 0]
            let bytes = (0..<50).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try parser.take(bytes)
        }
        #expect(try parser.take(Array("\n\ndata: ok\n\n".utf8)).last?.data == "ok")
    }
}
