import ChirpCore
import ChirpFrame
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// UF-14: how often another network is asked is what the manual's table says, counted where it is asked, by a clock that is turned.
@Suite(.timeLimit(.minutes(10))) struct FramePollingTests {
    private let instance: LoopbackMastodon
    private let clock = VirtualClock()

    init() throws { instance = try LoopbackMastodon() }

    private func network() throws -> MastodonNetwork {
        let token = FixedToken(Secret(instance.oauth.grant().access), service: "mastodon")
        return MastodonNetwork(
            instance: try #require(WebAddress(instance.base)),
            transport: AuthorizedTransport(CurlTransport(), tokens: token), pause: Sleeper(clock))
    }

    /// Looks whenever it is told to, as a frame's watcher does, while a clock is turned.
    ///
    /// - Parameter turns: is told of each look.
    private func watching(_ turns: (_ looks: AsyncStream<Void>) async throws -> Void) async throws {
        let network = try network()
        let friend = Account.ID(instance.follow(1)[0])
        let signals = network.signals(polling: FramePolling.looking, checking: FramePolling.checking)
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in signals.stream() {
                _ = try await network.posts(of: friend, after: "0")
                _ = try await network.messages(from: friend, after: "0")
                looked.yield()
            }
        }
        try await turns(looks)
        task.cancel()
        _ = await task.result
    }

    /// Whoever is due at a tick of the clock is asleep until then.
    private func turn(_ tick: Int) async {
        let time = FramePolling.looking * tick
        #expect(await clock.sleeper(until: time))
        clock.turn(to: time)
    }

    private var requests: Int {
        instance.server.requests.count { $0.path.hasSuffix("/statuses") || $0.path.hasSuffix("/conversations") }
    }

    private func table() throws -> String {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/hub.md").standardized
        return try String(contentsOf: path, encoding: .utf8)
    }

    @Test func `without a stream there are 40 requests in 5 minutes`() async throws {
        // It has none for this user, and is asked again after ten minutes.
        instance.fail("/streaming/user", .json(404, #"{"error":"Not found"}"#))
        try await watching { looks in
            var look = looks.makeAsyncIterator()
            for tick in 1...20 {
                await turn(tick)
                await look.next()
            }
        }
        #expect(FramePolling.looking * 20 == .seconds(300) && requests == 40)
        #expect(try table().contains("two requests every 15 s: \(requests) in 5 minutes"))
    }

    @Test func `with a stream there is one look an hour, and one when it opens`() async throws {
        try await watching { looks in
            var look = looks.makeAsyncIterator()
            await look.next()
            #expect(instance.streamCount == 1)
            for tick in 1...240 {
                // A line that says nothing for 45 s, by the real clock, is given up.
                instance.thump()
                await turn(tick)
            }
            await look.next()
        }
        #expect(requests == 2 * 2)
        #expect(try table().contains("two requests for each event and one look an hour"))
    }
}
