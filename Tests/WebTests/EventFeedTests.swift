import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

/// What every listener gets: everything behind its place, once and in order.
@Suite struct EventFeedTests {
    /// Ids of the events that were written, in the order in which they were.
    private func ids(_ text: String) -> [Int64] {
        text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int64($0.dropFirst(4)) }
    }

    @Test func `many who come and go while events are made get each once and in order`() async throws {
        let shelf = EventShelf()
        shelf.put(3)
        try await withFeed(shelf) { feed in
            var listeners: [Listener] = []
            for round in 0..<20 {
                for _ in 0..<10 { listeners.append(try await Listener(feed, after: Int64(round % 4))) }
                shelf.put(7)
                for listener in listeners { try await listener.hears(shelf.last) }
                // Some hang up, some were cut and come back with their place.
                for index in listeners.indices where index % 7 == round % 7 { await listeners[index].leave() }
                listeners = listeners.filter { !$0.hasLeft }
            }
            for listener in listeners {
                let heard = ids(listener.text).dropFirst()
                #expect(Array(heard) == Array((listener.start + 1)...shelf.last))
            }
            #expect(feed.count == listeners.count)
            for listener in listeners { await listener.leave() }
        }
    }

    @Test func `an event is read once, however many listen`() async throws {
        let shelf = EventShelf()
        try await withFeed(shelf) { feed in
            var listeners: [Listener] = []
            for _ in 0..<50 { listeners.append(try await Listener(feed, after: 0)) }
            for _ in 0..<10 {
                shelf.put(1)
                for listener in listeners { try await listener.hears(shelf.last) }
            }
            #expect(shelf.given.allSatisfy { $0.value == 1 }, "\(shelf.given)")
            for listener in listeners { await listener.leave() }
        }
    }

    @Test func `who is further behind than the newest events reads from the source and goes on`() async throws {
        let shelf = EventShelf()
        shelf.put(1)
        try await withFeed(shelf) { feed in
            let early = try await Listener(feed, after: 1)
            for _ in 0..<9 {
                shelf.put(99)
                try await early.hears(shelf.last)
            }
            // The ring holds fewer.
            let late = try await Listener(feed, after: 0)
            try await late.hears(shelf.last)
            shelf.put(1)
            try await late.hears(shelf.last)
            try await early.hears(shelf.last)
            #expect(Array(ids(late.text).dropFirst()) == Array(1...shelf.last))
            #expect(Array(ids(early.text).dropFirst()) == Array(2...shelf.last))
            await early.leave()
            await late.leave()
        }
    }

    @Test func `what is gone is not given to those who come later`() async throws {
        let shelf = EventShelf()
        try await withFeed(shelf) { feed in
            let first = try await Listener(feed, after: 0)
            shelf.put(3)
            try await first.hears(3)
            shelf.remove(2)
            shelf.put(1)
            try await first.hears(4)
            let second = try await Listener(feed, after: 0)
            try await second.hears(4)
            #expect(Array(ids(second.text).dropFirst()) == [1, 3, 4])
            await first.leave()
            await second.leave()
        }
    }

    @Test func `an event goes to its audience alone`() async throws {
        let shelf = EventShelf()
        try await withFeed(shelf) { feed in
            let ann = try await Listener(feed, after: 0, person: "ann")
            let bob = try await Listener(feed, after: 0, person: "bob")
            let visitor = try await Listener(feed, after: 0)
            shelf.put(1, for: ["ann"])
            shelf.put(1)
            for listener in [ann, bob, visitor] { try await listener.hears(2) }
            #expect(Array(ids(ann.text).dropFirst()) == [1, 2])
            #expect(Array(ids(bob.text).dropFirst()) == [2])
            #expect(Array(ids(visitor.text).dropFirst()) == [2])
            for listener in [ann, bob, visitor] { await listener.leave() }
        }
    }

    @Test func `who listens without a place hears what is new from then on`() async throws {
        let shelf = EventShelf()
        shelf.put(5)
        try await withFeed(shelf) { feed in
            let listener = try await Listener(feed, after: nil)
            #expect(ids(listener.text) == [5])
            shelf.put(1)
            try await listener.hears(6)
            #expect(ids(listener.text) == [5, 6])
            await listener.leave()
        }
    }

    @Test func `who was signed out hears nothing more, and nobody is asked about it while nobody is`() async throws {
        let (shelf, entrance) = (EventShelf(), Entrance())
        try await withFeed(shelf, signOuts: SignOuts { entrance.ended }) { feed in
            let ann = try await Listener(feed, after: 0, person: "ann") { entrance.ask("ann") }
            let bob = try await Listener(feed, after: 0, person: "bob") { entrance.ask("bob") }
            for number in 1...5 as ClosedRange<Int64> {
                shelf.put(1)
                for listener in [ann, bob] { try await listener.hears(number) }
            }
            // Once behind the first event of each: they have come since the feed has looked.
            #expect(entrance.asked == ["ann": 1, "bob": 1])
            entrance.end("bob")
            for number in 6...8 as ClosedRange<Int64> {
                shelf.put(1)
                try await ann.hears(number)
            }
            await bob.ends()
            #expect(Array(ids(bob.text).dropFirst()) == [1, 2, 3, 4, 5])
            #expect(Array(ids(ann.text).dropFirst()) == Array(1...8))
            #expect(entrance.asked == ["ann": 2, "bob": 2])
            for listener in [ann, bob] { await listener.leave() }
        }
    }

    private func withFeed(
        _ shelf: EventShelf, signOuts: SignOuts? = nil, _ body: (EventFeed) async throws -> Void
    ) async throws {
        let feed = EventFeed(shelf.source, removal: nil, signOuts: signOuts, watch: shelf.watch)
        let running = Task { await feed.run() }
        defer { running.cancel() }
        try await body(feed)
        #expect(feed.count == 0)
    }
}

/// Events that a test makes, and how often each was asked for.
private final class EventShelf: Sendable {
    private struct State {
        var events: [(id: Int64, audience: Set<String>?)] = []
        var last: Int64 = 0
        var given: [Int64: Int] = [:]
        var signals: [Int: @Sendable (Bool) -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var last: Int64 { state.withLock { $0.last } }
    var given: [Int64: Int] { state.withLock { $0.given } }

    func put(_ count: Int, for audience: Set<String>? = nil) {
        let signals = state.withLock { state in
            for _ in 0..<count {
                state.last += 1
                state.events.append((state.last, audience))
            }
            return Array(state.signals.values)
        }
        for signal in signals { signal(false) }
    }

    func remove(_ id: Int64) {
        let signals = state.withLock { state in
            state.events.removeAll { $0.id == id }
            return Array(state.signals.values)
        }
        for signal in signals { signal(false) }
    }

    private func events(_ person: String??, _ after: Int64, _ limit: Int) -> [FeedEvent] {
        state.withLock { state in
            let found = state.events.filter { event in
                guard event.id > after else { return false }
                guard let person, let audience = event.audience else { return true }
                return person.map(audience.contains) ?? false
            }
            return found.prefix(limit).map { event in
                state.given[event.id, default: 0] += 1
                return FeedEvent(id: event.id, name: "post", data: "{}".utf8, audience: event.audience)
            }
        }
    }

    var source: EventFeed.Source {
        EventFeed.Source(
            last: { self.last }, events: { self.events(nil, $0, $1) }, missed: { self.events(.some($0), $1, $2) },
            still: { ids in self.state.withLock { state in Set(state.events.map(\.id)).intersection(ids) } })
    }

    var watch: EventFeed.Watching {
        { signal in
            let number = self.state.withLock { state in
                state.next += 1
                state.signals[state.next] = signal
                return state.next
            }
            signal(false)
            return { self.state.withLock { _ = $0.signals.removeValue(forKey: number) } }
        }
    }
}

/// Who is let in, and how often that was asked.
private final class Entrance: Sendable {
    private let state = Mutex((ended: Int64(0), out: Set<String>(), asked: [String: Int]()))

    var ended: Int64 { state.withLock { $0.ended } }
    var asked: [String: Int] { state.withLock { $0.asked } }

    func end(_ person: String) {
        state.withLock { state in
            state.ended += 1
            state.out.insert(person)
        }
    }

    func ask(_ person: String) -> Bool {
        state.withLock { state in
            state.asked[person, default: 0] += 1
            return !state.out.contains(person)
        }
    }
}

/// A connection on which somebody listens.
private final class Listener: Sendable {
    private let channel: NIOAsyncTestingChannel
    private let answer: Task<Void, any Error>
    private let written: Written
    private let left = Mutex(false)
    let start: Int64

    var text: String { written.text.withLock { $0 } }
    var hasLeft: Bool { left.withLock { $0 } }

    init(
        _ feed: EventFeed, after place: Int64?, person: String? = nil,
        mayStay: @escaping @Sendable () -> Bool = { true }
    ) async throws {
        let written = Written()
        let channel = await NIOAsyncTestingChannel(handler: Collector(written))
        let context = WebContext(
            source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "events")))
        let path = "/api/v1/events" + (place.map { "?after=\($0)" } ?? "")
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path),
            body: RequestBody(buffer: ByteBuffer()))
        let stream = EventStream(feed, shares: AddressShares(.many, proxyIsLocal: false))
        let response = try await stream.answer(
            request, context, for: person.map { FeedPerson(account: $0, mayStay: { mayStay() }) })
        let before = feed.count
        answer = Task {
            defer { written.isOver.withLock { $0 = true } }
            try await response.body.write(Preamble(written: written))
        }
        // Whoever listens is counted as soon as the event loop has run.
        await until {
            await channel.testingEventLoop.run()
            return feed.count != before
        }
        self.channel = channel
        self.written = written
        start = place ?? 0
    }

    /// Waits until an event has come.
    func hears(_ id: Int64) async throws {
        let isHeard = await until {
            await channel.testingEventLoop.run()
            return text.contains("id: \(id)\n")
        }
        try #require(isHeard)
    }

    /// Waits until the feed has ended it.
    func ends() async {
        await until {
            await channel.testingEventLoop.run()
            return written.isOver.withLock { $0 }
        }
    }

    func leave() async {
        left.withLock { $0 = true }
        answer.cancel()
        await ends()
        await channel.testingEventLoop.run()
    }
}

private final class Written: Sendable {
    let text = Mutex("")
    let isOver = Mutex(false)
}

/// What is written before the feed writes.
private struct Preamble: ResponseBodyWriter {
    let written: Written

    func write(_ buffer: ByteBuffer) async throws { written.text.withLock { $0 += String(buffer: buffer) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Takes what the feed writes.
private final class Collector: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = HTTPResponsePart

    private let written: Written

    init(_ written: Written) { self.written = written }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .body(let buffer) = Self.unwrapOutboundIn(data) {
            written.text.withLock { $0 += String(buffer: buffer) }
        }
        promise?.succeed()
    }
}

extension ConnectionLimits {
    fileprivate static var many: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.streamsPerAddress = 1000
        limits.streamsPerAccount = 1000
        return limits
    }
}
