import ChirpCommunity
import ChirpCore
import ChirpFrame
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import NIOCore
import Testing

/// Frames that show somebody from X, which is one on loopback and takes money for reading.
@Suite struct FrameXTests {
    private let house: HubHousehold
    private let x: LoopbackX
    private static let base = "/api/hub/v1/frame"
    private static let scopes = "tweet.read users.read follows.read dm.read offline.access"

    init() throws {
        let house = try HubHousehold()
        self.house = house
        x = try LoopbackX(now: { house.now })
    }

    private func settings(cap: Double = 5) throws -> HubSettings {
        var settings = try HubCast(house: house).settings()
        settings.identity.insecureLoopback = true
        settings.frameX = FrameXSettings(
            clientID: "client-1", clientSecret: nil, api: x.base, authorization: "\(x.base)/i/oauth2/authorize",
            monthlyUSD: cap)
        return settings
    }

    /// What is spent in the month that the house's clock shows, in millionths of a dollar.
    private func spent() async throws -> Int64 {
        try await house.library.spent(on: "x", month: String(InstantText.format(house.now).prefix(7)))
    }

    /// Signs in at X, in the frame's own window; gives the form's token.
    private func signIn<R>(_ screen: Visitor<R>) async throws -> String {
        let form = try await screen.frameForm()
        let back = try await screen.signInElsewhere(#"{"network": "x"}"#, form, scope: Self.scopes)
        #expect(try await screen.get(back).location == "/frame")
        return form
    }

    private func texts<R>(_ screen: Visitor<R>) async throws -> [String] {
        let updates = try await screen.get("\(Self.base)/updates").facts
        return (updates["updates"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
    }

    @Test func `without a cap X is not offered`() async throws {
        var settings = try HubCast(house: house).settings()
        settings.identity.insecureLoopback = true
        try await house.application(settings).application().test(.router) { client in
            let screen = Visitor(client)
            let facts = try await screen.frameFacts()
            #expect(facts["networks"]?.contains(#""x""#) == false)
            let form = try #require(facts["token"])
            let start = try await screen.call(.post, "\(Self.base)/start", #"{"network": "x"}"#, [.formToken: form])
            #expect(start.status == .unprocessableContent)
        }
        #expect(x.server.requests.isEmpty)
    }

    @Test func `the cost is said where the network is chosen`() async throws {
        try await house.application(settings(cap: 2.5)).application().test(.router) { client in
            let networks = try #require(try await Visitor(client).frameFacts()["networks"])
            #expect(networks.contains("at most $2.50 a month"))
        }
    }

    @Test func `a frame shows posts and messages of one person, and signed out it leaves no credential`() async throws {
        let friends = x.follow(3)
        x.receive("first", by: friends[1])
        x.receive("from somebody else", by: friends[0])
        x.message("for you alone", with: friends[1])
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await signIn(screen)
            let list = try await screen.get("\(Self.base)/friends").facts
            let found = try #require(list["friends"] as? [[String: Any]])
            #expect(found.compactMap { $0["handle"] as? String } == ["friend0", "friend1", "friend2"])
            let chosen = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[1])"}"#, [.formToken: form])
            #expect(try chosen.facts["step"] as? String == "watch")
            let updates = try await screen.get("\(Self.base)/updates").facts
            let shown = try #require(updates["updates"] as? [[String: Any]])
            #expect(shown.compactMap { $0["text"] as? String }.sorted() == ["first", "for you alone"])
            #expect(shown.compactMap { $0["kind"] as? String }.sorted() == ["message", "post"])
            #expect(shown.compactMap { ($0["author"] as? [String: String])?["handle"] } == ["friend1", "friend1"])
            // Who one is, three accounts, a post, a message.
            #expect(try await spent() == 10_000 + 3 * 10_000 + 5_000 + 10_000)

            let end = try await screen.call(.delete, Self.base, "{}", [.formToken: form])
            #expect(end.status == .noContent)
            #expect(x.oauth.isSignedOut)
            let folder = house.folder.path("hub")
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                for secret in x.oauth.secrets {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name) has a secret of the sign-in")
                }
            }
        }
    }

    @Test func `where messages were not allowed posts are shown alone`() async throws {
        let friends = x.follow(1)
        x.receive("a post", by: friends[0])
        x.message("for you alone", with: friends[0])
        x.oauth.decide(.allowWithout("dm.read"))
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await signIn(screen)
            _ = try await screen.get("\(Self.base)/friends")
            _ = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[0])"}"#, [.formToken: form])
            #expect(try await texts(screen) == ["a post"])
            #expect(x.read.messages == 0)
        }
    }

    @Test func `what a month may cost is never exceeded, and the frame says so and keeps what it has`() async throws {
        let friends = x.follow(3)
        for number in 1...5 { x.receive("post \(number)", by: friends[0]) }
        x.message("for you alone", with: friends[0])
        try await house.application(settings(cap: 0.07)).application().test(.router) { client in
            let screen = Visitor(client)
            let form = try await signIn(screen)
            _ = try await screen.get("\(Self.base)/friends")
            let chosen = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[0])"}"#, [.formToken: form])
            // The posts are paid; the message would cost more than is left.
            #expect(try chosen.facts["step"] as? String == "watch")
            #expect(try (chosen.facts["why"] as? String)?.contains("is spent") == true)
            #expect(try await texts(screen) == (1...5).map { "post \($0)" })
            #expect(x.read.posts == 5 && x.read.messages == 0)
            #expect(try await spent() == 65_000)
        }
    }

    @Test func `a sign-in that the cap does not cover is refused, and nothing is kept`() async throws {
        x.follow(1)
        try await house.application(settings(cap: 0.005)).application().test(.router) { client in
            let screen = Visitor(client)
            _ = try await signIn(screen)
            let state = try await screen.get(Self.base).facts
            #expect(state["step"] as? String == "network")
            #expect((state["why"] as? String)?.contains("is spent") == true)
            #expect(x.oauth.isSignedOut)
            #expect(!x.server.requests.contains { $0.path.hasSuffix("/me") })
        }
    }

    @Test func `a token that has ended is renewed, and kept`() async throws {
        let friends = x.follow(2)
        x.receive("a post", by: friends[1])
        try await house.application(settings()).application().test(.router) { client in
            let screen = Visitor(client)
            x.oauth.live(30)
            let form = try await signIn(screen)
            x.oauth.live(7200)
            _ = try await screen.get("\(Self.base)/friends")
            let chosen = try await screen.call(.put, Self.base, #"{"vip": "\#(friends[1])"}"#, [.formToken: form])
            #expect(try chosen.facts["step"] as? String == "watch")
            // Each thing that is asked with it from now on finds it good.
            #expect(x.oauth.refreshes == 1)
        }
    }

    // MARK: the cap

    @Test func `two that want the last of the cap do not both get it, and what nobody gave back comes back`()
        async throws
    {
        let library = house.library
        let month = String(InstantText.format(house.now).prefix(7))
        #expect(try await library.hold("held-1", on: "x", month: month, amount: 60, limit: 100))
        #expect(try await !library.hold("held-2", on: "x", month: month, amount: 60, limit: 100))
        #expect(try await library.spent(on: "x", month: month) == 60)
        // The process that asked has died: its question has long been answered or lost.
        house.wait(1000)
        #expect(try await library.hold("held-3", on: "x", month: month, amount: 60, limit: 100))
        try await library.release("held-3")
        #expect(try await library.spent(on: "x", month: month) == 0)
    }

    @Test func `what is read twice on a day is paid once, and only the month's sum outlives the day`() async throws {
        let library = house.library
        try await library.spend(["post-1", "post-2"], price: 5, on: "x", day: "2026-11-21")
        try await library.spend(["post-2", "post-3"], price: 5, on: "x", day: "2026-11-21")
        #expect(try await library.spent(on: "x", month: "2026-11") == 15)
        #expect(try await library.spent(onReading: "post-", on: "x", day: "2026-11-21") == 15)
        try await library.spend(["post-3"], price: 5, on: "x", day: "2026-11-22")
        #expect(try await library.spent(on: "x", month: "2026-11") == 20)
        #expect(try await library.spent(onReading: "post-", on: "x", day: "2026-11-21") == 0)
        #expect(try await library.spent(on: "x", month: "2026-12") == 0)
    }

    @Test func `X is asked so seldom that the cap lasts until the month ends`() throws {
        // Ten days before the month ends.
        let now = try #require(InstantText.parse("2026-11-21T00:00:00Z"))
        func wait(_ left: Int64, frames: Int = 1) -> Duration {
            FramePolling.wait(spent: 5_000_000 - left, cap: 5_000_000, frames: frames, now: now)
        }
        // A look costs 3.5 cents at least: 100 of them are left, for ten days.
        #expect(wait(3_500_000) == .seconds(8640))
        #expect(wait(3_500_000, frames: 2) == .seconds(17_280))
        #expect(wait(100_000) == FramePolling.longest)
        #expect(wait(0) == FramePolling.longest)
        #expect(FramePolling.wait(spent: 0, cap: 1_000_000_000, frames: 1, now: now) == FramePolling.shortest)
    }
}
