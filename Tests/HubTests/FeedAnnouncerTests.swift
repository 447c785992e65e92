import ChirpAccounts
import ChirpCommunity
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import Foundation
import HubHousehold
import LoopbackService
import Testing

/// A WebSub hub on loopback is told of the feeds that have changed: nothing is lost, and nothing told twice but after a failure (CH-12).
@Suite struct FeedAnnouncerTests {
    private let house: HubHousehold
    private let hub: LoopbackServer
    /// What is answered first, one after the other; then 204.
    private let faults = Mutexed<[LoopbackServer.Reply]>([])

    init() async throws {
        house = try HubHousehold()
        let faults = faults
        hub = try LoopbackServer { _ in
            var reply = LoopbackServer.Reply(204)
            faults.change { if !$0.isEmpty { reply = $0.removeFirst() } }
            return reply
        }
        try await house.library.announceFeeds(true)
    }

    /// Another one each time, as after a restart.
    private func announcer(
        _ library: HubLibrary? = nil, onlyPublic: Bool = false, clock: any Clock<Duration> = ContinuousClock()
    ) throws -> FeedAnnouncer {
        let transport = CurlTransport(
            settings: CurlSettings(
                connectTimeout: .seconds(2), slowTime: .seconds(2), onlyPublicAddresses: onlyPublic))
        let library = library ?? house.library
        return FeedAnnouncer(
            library: library, links: HubLinks(publicURL: HubHousehold.publicURL),
            sender: WebSubSender(transport, to: try #require(WebAddress("\(hub.base)/hub")), now: library.now),
            clock: clock, logger: HubHousehold.logger)
    }

    /// The paths of the feeds that the hub was asked to fetch, in order.
    private var told: [String] {
        hub.requests.compactMap { request in
            guard request.method == "POST", request.path == "/hub", request.form["hub.mode"] == "publish",
                request.headers["Content-Type"] == "application/x-www-form-urlencoded"
            else { return nil }
            // Hubs ask for the one or the other.
            guard request.form["hub.topic"] == request.form["hub.url"] else { return nil }
            return request.form["hub.url"].map { String($0.dropFirst(HubHousehold.publicURL.count)) }
        }
    }

    private static let own = ["/@me/feed.json", "/@me/feed.xml", "/feed.json", "/feed.xml"]

    @Test func `a post announces four feeds once, some seconds later and with all that comes meanwhile`() async throws {
        try await house.post("one")
        let announcer = try announcer()
        await announcer.round()
        house.wait(4)
        try await house.post("two")
        await announcer.round()
        #expect(hub.requests.isEmpty)
        house.wait(1)
        await announcer.round()
        #expect(told.sorted() == Self.own && hub.requests.count == 4)
        house.wait(3600)
        await announcer.round()
        #expect(hub.requests.count == 4)
        #expect(try await house.library.nextChangedFeed() == nil)
        try await house.post("three")
        await announcer.round()
        house.wait(5)
        await announcer.round()
        #expect(hub.requests.count == 8)
    }

    @Test(arguments: [HubPost.Visibility.unlisted, .followers, .direct])
    func `what is not for everybody is announced to nobody`(visibility: HubPost.Visibility) async throws {
        var draft = PostDraft(author: house.library.owner.id, text: "quietly", key: "1")
        draft.visibility = visibility
        _ = try await house.library.post(draft)
        try await house.save(title: "A clip without a post")
        for _ in 0..<2 {
            try await announcer().round()
            house.wait(60)
        }
        #expect(hub.requests.isEmpty)
    }

    @Test func `a hub that is not there is asked after a minute, once for all, and then told of everything`()
        async throws
    {
        faults.change { $0 = [.init(503), .init(500), .init(429, headers: [("Retry-After", "300")])] }
        try await house.post("one")
        let announcer = try announcer()
        await announcer.round()
        var asked: [Int] = []
        for pause in [5.0, 59, 1, 60, 299, 1] {
            house.wait(pause)
            await announcer.round()
            asked.append(hub.requests.count)
        }
        #expect(asked == [1, 1, 2, 3, 3, 7])
        #expect(told.suffix(4).sorted() == Self.own)
        #expect(try await house.library.nextChangedFeed() == nil)
    }

    @Test func `a feed that the hub refuses is tried after a minute, ever twice as long, and for two days`()
        async throws
    {
        faults.change { $0 = Array(repeating: .init(400), count: 1000) }
        try await house.post("one")
        let announcer = try announcer()
        await announcer.round()
        house.wait(5)
        var minutes: [Int] = []
        for minute in 0...130 {
            let before = told.filter { $0 == "/feed.xml" }.count
            await announcer.round()
            if told.filter({ $0 == "/feed.xml" }).count > before { minutes.append(minute) }
            house.wait(60)
        }
        #expect(minutes == [0, 1, 3, 7, 15, 31, 63, 123])
        for _ in 0..<45 {
            await announcer.round()
            house.wait(3600)
        }
        #expect(try await house.library.nextChangedFeed() != nil)
        for _ in 0..<2 {
            await announcer.round()
            house.wait(3600)
        }
        #expect(try await house.library.nextChangedFeed() == nil)
        // It is as it was before.
        faults.change { $0 = [] }
        let count = hub.requests.count
        try await house.post("two")
        await announcer.round()
        house.wait(5)
        await announcer.round()
        #expect(hub.requests.count == count + 4)
    }

    @Test func `what waits is announced after a restart, at its time`() async throws {
        faults.change { $0 = [.init(503)] }
        try await house.post("one")
        try await announcer().round()
        house.wait(5)
        try await announcer().round()
        #expect(hub.requests.count == 1)
        let later = try HubHousehold(sharing: house)
        try await announcer(later.library).round()
        #expect(hub.requests.count == 1)
        house.wait(60)
        try await announcer(later.library).round()
        #expect(told.dropFirst().sorted() == Self.own)
        #expect(try await house.library.nextChangedFeed() == nil)
    }

    @Test func `neither a redirect nor a private address is followed`() async throws {
        faults.change { $0 = Array(repeating: .init(307, headers: [("Location", "\(hub.base)/elsewhere")]), count: 4) }
        try await house.post("one")
        try await announcer().round()
        house.wait(5)
        try await announcer().round()
        #expect(hub.requests.count == 4 && hub.requests.allSatisfy { $0.path == "/hub" })
        house.wait(60)
        try await announcer(onlyPublic: true).round()
        #expect(hub.requests.count == 4)
        #expect(try await house.library.nextChangedFeed() != nil)
    }

    @Test func `a running announcer hears of posts, and ends when it is cancelled`() async throws {
        let announcer = try announcer(clock: HurriedClock())
        let running = Task { try await announcer.run() }
        try await house.post("one")
        try await until {
            guard let next = try await house.library.nextChangedFeed() else { return false }
            return next > house.now
        }
        house.wait(5)
        await until { hub.requests.count == 4 }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
