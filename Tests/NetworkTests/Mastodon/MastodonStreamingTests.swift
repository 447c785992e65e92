import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// Pushed posts of an instance on loopback, over a real libcurl.
@Suite(.timeLimit(.minutes(10))) struct MastodonStreamingTests {
    private let instance: LoopbackMastodon
    private let clock = VirtualClock()

    init() throws { instance = try LoopbackMastodon() }

    private func network() throws -> MastodonNetwork {
        let token = FixedToken(Secret(instance.oauth.grant().access), service: "mastodon")
        return MastodonNetwork(
            instance: try #require(WebAddress(instance.base)),
            transport: AuthorizedTransport(CurlTransport(), tokens: token), pause: Sleeper(clock))
    }

    /// What a listener has heard, and how often it has looked.
    private final class Log: Sendable {
        private let state = Mutex<(heard: [String], looks: Int)>(([], 0))
        var heard: [String] { state.withLock { $0.heard } }
        var looks: Int { state.withLock { $0.looks } }
        func add(_ posts: [Post]) { state.withLock { $0 = ($0.heard + posts.map(\.text), $0.looks + 1) } }
    }

    /// Looks whenever it is told to, as live listening does.
    private func listen(_ network: MastodonNetwork, to friend: String, _ log: Log) async throws {
        let signals = network.arrivals(polling: .seconds(1_000_000)).stream()
        var cursor: Cursor?
        for await _ in signals {
            let found = try await network.posts(by: [Account.ID(friend)], after: cursor)
            cursor = found.next ?? cursor
            log.add(found.posts)
        }
    }

    /// CH-9: nothing is missed and nothing comes twice, however often the line is cut.
    @Test func `every post is heard once and in order although the stream is cut again and again`() async throws {
        let friend = instance.follow(1)[0]
        instance.receive("<p>before</p>", by: friend)
        let (network, log) = (try network(), Log())
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(network, to: friend, log) }
            #expect(await until { instance.streamCount == 1 && !log.heard.isEmpty })
            var generator = SeededGenerator(seed: 3)
            for number in 0..<60 {
                if Int.random(in: 0..<4, using: &generator) == 0 { instance.cutStreams() }
                instance.receive("<p>number \(number) #Chirp</p>", by: friend)
                if Bool.random(using: &generator) {
                    // The next attempt is due.
                    #expect(
                        await until {
                            instance.streamCount > 0 || clock.deadline.map { $0 < .seconds(900_000) } ?? false
                        })
                    if let next = clock.deadline, next < .seconds(900_000) { clock.turn(to: next) }
                }
            }
            await until {
                if let next = clock.deadline, next < .seconds(900_000) { clock.turn(to: next) }
                return log.heard.count == 61
            }
            group.cancelAll()
        }
        #expect(log.heard == ["before"] + (0..<60).map { "number \($0) #Chirp" })
    }

    @Test func `what does not name the tag costs no request`() async throws {
        let friend = instance.follow(1)[0]
        let (network, log) = (try network(), Log())
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(network, to: friend, log) }
            #expect(await until { instance.streamCount == 1 && log.looks == 1 })
            for number in 0..<50 { instance.receive("<p>idle talk \(number)</p>", by: friend) }
            instance.receive("<p>at last #CHIRP</p>", by: friend)
            #expect(await until { log.heard.last == "at last #CHIRP" })
            group.cancelAll()
        }
        #expect(log.looks == 2)
    }

    /// Somebody whose post is enormous must not end the push for everybody else's.
    @Test func `an event that is too large to be read is looked at, and the stream goes on`() async throws {
        let friend = instance.follow(1)[0]
        let (network, log) = (try network(), Log())
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(network, to: friend, log) }
            #expect(await until { instance.streamCount == 1 && log.looks == 1 })
            instance.receive("<p>big #Chirp \(String(repeating: "x", count: 1_500_000))</p>", by: friend)
            #expect(await until { log.heard.count == 1 })
            instance.receive("<p>small #Chirp</p>", by: friend)
            #expect(await until { log.heard.count == 2 })
            group.cancelAll()
        }
        #expect(log.heard.first?.hasPrefix("big #Chirp x") == true && log.heard.last == "small #Chirp")
        #expect(instance.server.requests.count { $0.path.hasSuffix("/streaming/user") } == 1)
    }

    @Test func `the sign-in goes with the request, and only where it may be seen by nobody else`() async throws {
        let friend = instance.follow(1)[0]
        let (network, log) = (try network(), Log())
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(network, to: friend, log) }
            #expect(await until { instance.streamCount == 1 })
            group.cancelAll()
        }
        let request = try #require(instance.server.requests.first { $0.path.hasSuffix("/streaming/user") })
        #expect(request.headers["Authorization"]?.hasPrefix("Bearer ") == true)
        #expect(request.query.isEmpty)
        #expect(request.headers["Accept"] == "text/event-stream")
    }
}
