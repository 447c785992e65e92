import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// When a feed is looked at, by a clock that is turned.
@Suite(.timeLimit(.minutes(2))) struct FeedSignalsTests {
    /// A service whose answers a test decides, one per connection; then the line stays open and silent.
    private final class Service: Sendable {
        private let answers: Mutex<[Result<[String], NetworkError>]>
        private let log = Mutex<(names: [String], open: Int)>(([], 0))
        let clock = VirtualClock()

        init(_ answers: [Result<[String], NetworkError>]) { self.answers = Mutex(answers) }

        /// What each connection named as the last event.
        var connections: [String] { log.withLock { $0.names } }

        func signals() -> FeedSignals {
            let clock = clock
            return FeedSignals(
                host: "x", polling: .seconds(5), pause: Sleeper(clock),
                connect: { [self] (last) async throws(NetworkError) in
                    log.withLock { $0.names.append(last) }
                    let pieces = try answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.get()
                    let left = Mutex(pieces ?? [])
                    return HTTPStream(status: 200) { () async throws(HTTPError) in
                        if let piece = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                            return Array(piece.utf8)
                        }
                        if pieces != nil { return nil }
                        await clock.sleep(.seconds(1_000_000_000))
                        throw .cancelled
                    }
                }, isNews: { $0.name == "post" })
        }
    }

    /// Counts signals until it is let go.
    private final class Ear: Sendable {
        private final class Count: Sendable {
            let value = Mutex(0)
        }

        private let count = Count()
        private let task: Task<Void, Never>

        init(_ signals: FeedSignals) {
            let (stream, count) = (signals.stream(), count)
            task = Task { for await _ in stream { count.value.withLock { $0 += 1 } } }
        }

        var heard: Int { count.value.withLock { $0 } }
        func leave() { task.cancel() }
    }

    /// Lets the clock go on to whoever is due next.
    private func turn(_ service: Service, to time: Duration) async {
        #expect(await until { service.clock.deadline.map { $0 >= service.clock.now } ?? false })
        service.clock.turn(to: time)
        for _ in 0..<100 { await Task.yield() }
    }

    @Test func `an open stream is looked at when it opens, and once a minute besides`() async {
        let service = Service([])
        let ear = Ear(service.signals())
        #expect(await until { ear.heard == 1 })
        for step in 1...11 { await turn(service, to: .seconds(5 * step)) }
        #expect(ear.heard == 1)
        await turn(service, to: .seconds(60))
        #expect(await until { ear.heard == 2 })
        #expect(service.connections == [""])
        ear.leave()
    }

    @Test func `without a stream it polls, and connects again ever more seldom`() async {
        let refusals = Array(repeating: Result<[String], NetworkError>.failure(.unreachable("down")), count: 5)
        let service = Service(refusals)
        let ear = Ear(service.signals())
        for second in 1...60 {
            await turn(service, to: .seconds(second))
            #expect(await until { service.connections.count > 5 || ear.heard == second / 5 || second % 5 > 0 })
        }
        // 1 s at least, then half of 4, 8, 16 and 32 s: at 1, 3, 7, 15 and 31 s.
        #expect(service.connections.count == 6)
        // Polled until 31 s, then one look as the stream opened.
        #expect(await until { ear.heard == 7 })
        ear.leave()
    }

    @Test func `news are a signal, other events are none, and the next connection names the last event`() async {
        let service = Service([
            .success(["id: 4\nevent: other\ndata: x\n\n", "id: 5\nevent: post\nda", "ta: y\n\nid: 6\n"])
        ])
        let ear = Ear(service.signals())
        // Opening, the post, and the end; some of them at once.
        #expect(await until { ear.heard >= 1 && service.clock.deadline != nil })
        await turn(service, to: .seconds(2))
        #expect(await until { service.connections == ["", "5"] })
        ear.leave()
    }

    @Test func `a service that asks for time, or that has no stream, is left alone so long`() async {
        let service = Service([.failure(.busy(retryAfter: .seconds(100))), .failure(.refused(status: 404, detail: ""))])
        let ear = Ear(service.signals())
        for step in 1...19 { await turn(service, to: .seconds(5 * step)) }
        #expect(service.connections.count == 1)
        let second = await turn(service, from: 20, untilConnected: 2)
        for step in second..<second + 119 { await turn(service, to: .seconds(5 * step)) }
        #expect(service.connections.count == 2)
        _ = await turn(service, from: second + 119, untilConnected: 3)
        #expect(service.connections.count == 3)
        ear.leave()
    }

    /// Time passes until there were so many connections: who is at it may have slept some steps late.
    ///
    /// - Returns: the step after the last, each of five seconds.
    private func turn(_ service: Service, from step: Int, untilConnected count: Int) async -> Int {
        var step = step
        while service.connections.count < count, step < 1000 {
            await turn(service, to: .seconds(5 * step))
            step += 1
        }
        return step
    }

    @Test func `it ends when nobody listens any more`() async {
        let service = Service([])
        let ear = Ear(service.signals())
        #expect(await until { ear.heard == 1 })
        ear.leave()
        #expect(await until { service.clock.deadline == nil })
    }
}
