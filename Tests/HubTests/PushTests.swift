import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpPush
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

/// Browsers that are told of notices: from the act in the tables to a push service on loopback.
@Suite struct PushTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let service: LoopbackPush

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
        service = try LoopbackPush()
    }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings()
        settings.identity.insecureLoopback = true
        return settings
    }

    private func courier(onlyPublic: Bool = false) -> PushCourier {
        let transport = CurlTransport(
            settings: CurlSettings(
                connectTimeout: .seconds(2), slowTime: .seconds(2), onlyPublicAddresses: onlyPublic))
        let vapid = Vapid(secret: [UInt8](repeating: 7, count: 32), contact: HubHousehold.publicURL)
        return PushCourier(
            library: house.library, sender: PushSender(transport, vapid, now: house.library.now),
            host: "clips.example.org", allowsLoopback: true, logger: HubHousehold.logger)
    }

    private func body(_ browser: LoopbackPush.Browser) -> String {
        #"{"endpoint": "\#(browser.endpoint)", "p256dh": "\#(browser.key)", "auth": "\#(browser.secret)"}"#
    }

    /// A browser in which somebody has signed in and that is told.
    private func told<R>(_ name: String, _ client: RouterClient<R>) async throws -> (
        visitor: Visitor<R>, browser: LoopbackPush.Browser
    ) {
        let visitor = try await cast.browser(of: name, client)
        let browser = service.browser("\(name)-\(service.base.count)-\(UUID().uuidString.prefix(6))")
        let answer = try await visitor.call(.post, "/api/hub/v1/push", body(browser))
        #expect(answer.status == .created, "\(answer.text)")
        return (visitor, browser)
    }

    /// What a browser was told, in the order in which it came.
    private func messages(_ browser: LoopbackPush.Browser) throws -> [[String: String]] {
        try service.messages.filter { browser.endpoint.hasSuffix($0.browser) }.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.text.utf8)) as? [String: String])
        }
    }

    @Test func `a notice reaches each browser that subscribed, once, in its language and without the text`()
        async throws
    {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, one) = try await told("ann", client)
            let second = try await cast.browser(of: "ann", client)
            let two = service.browser("two")
            let german = HTTPFields(dictionaryLiteral: (.acceptLanguage, "de"))
            #expect(try await second.call(.post, "/api/hub/v1/push", body(two), german).status == .created)
            let post = try await house.library.post(
                PostDraft(author: bob.id, text: "@ann the secret is 1234", key: "1"))
            try await house.library.follow(ann.id, by: bob.id)
            let courier = courier()
            await courier.round()
            await courier.round()
            #expect(service.failures.isEmpty)
            let told = try messages(one)
            #expect(told.map { $0["title"] } == ["@bob writes to you", "@bob follows you"])
            #expect(told.map { $0["path"] } == ["/p/\(post.id)", "/@bob"])
            #expect(told.first?["body"] == "clips.example.org" && told.first?["lang"] == "en")
            #expect(Set(told.map { $0["tag"] }).count == 2)
            #expect(try messages(two).map { $0["title"] } == ["@bob schreibt dir", "@bob folgt dir"])
            #expect(!service.messages.contains { $0.text.contains("1234") || $0.text.contains("secret") })
            #expect(service.messages.allSatisfy { Int($0.headers["TTL"] ?? "") == 24 * 3600 })
            #expect(try await house.library.nextPush() == nil)
        }
    }

    @Test func `nothing is told that did not happen, is not wanted, or comes across a block`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            try await house.library.choose(
                [.follow: NoticeChoice(onPage: true, byMail: false, byPush: false)], of: ann.id)
            try await house.library.follow(ann.id, by: bob.id)
            #expect(try await house.library.nextPush() == nil)
            // By the browser alone, and once though it happens twice.
            try await house.library.choose(
                [.favourite: NoticeChoice(onPage: false, byMail: false, byPush: true)], of: ann.id)
            let own = try await house.library.post(PostDraft(author: ann.id, text: "My own", key: "1"))
            for _ in 0..<3 {
                try await house.library.mark(own, .favourite, by: bob.id)
                try await house.library.unmark(own.sequence, .favourite, by: bob.id)
                await courier().round()
            }
            #expect(try messages(browser).map { $0["title"] } == ["@bob likes a post of yours"])
            #expect(try await house.library.seen(by: .member(ann.id)).notices(limit: 9).map(\.kind) == [.follow])
            // Written down, and blocked before it goes.
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "2"))
            try await house.library.block(bob.id, by: ann.id)
            await courier().round()
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "3"))
            await courier().round()
            #expect(try messages(browser).count == 1)
        }
    }

    @Test func `what is erased is told to nobody`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            let post = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "1"))
            try await house.change("DELETE FROM posts WHERE id = '\(post.id)'")
            try await house.library.follow(ann.id, by: bob.id)
            _ = try await cast.accounts.delete(bob.id)
            await courier().round()
            #expect(try messages(browser).isEmpty)
            // And nobody who is erased is told.
            let cyd = try await cast.member("cyd")
            try await house.library.follow(ann.id, by: cyd.id)
            _ = try await cast.accounts.delete(ann.id)
            await courier().round()
            #expect(service.messages.isEmpty && service.asked.isEmpty)
        }
    }

    @Test func `a service that is busy is asked later, each cause arrives once, and one that is gone is forgotten`()
        async throws
    {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            service.answer(
                [.init(429, headers: [("Retry-After", "300")]), .init(503), .init(500).lost], for: browser)
            try await house.library.follow(ann.id, by: bob.id)
            let courier = courier()
            await courier.round()
            #expect(service.asked.count == 1)
            // Nothing else goes there before the time that it has named.
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "1"))
            try await house.change("UPDATE pushes SET next = \(Int(house.now.timeIntervalSince1970 * 1000) + 300_000)")
            house.wait(299)
            await courier.round()
            #expect(service.asked.count == 1)
            for _ in 0..<3 {
                house.wait(700)
                await courier.round()
            }
            #expect(try messages(browser).map { $0["title"] } == ["@bob follows you", "@bob writes to you"])
            service.answer([.init(410)], for: browser)
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "2"))
            await courier.round()
            #expect(try await house.library.pushSubscriptions(of: ann.id, from: nil).isEmpty)
            #expect(try await house.library.nextPush() == nil)
        }
    }

    @Test func `something is tried eight times at most, and is no news after a day`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            service.answer(Array(repeating: .init(500), count: 50), for: browser)
            try await house.library.follow(ann.id, by: bob.id)
            let courier = courier()
            for _ in 0..<30 {
                await courier.round()
                house.wait(3600)
            }
            #expect(service.asked.count == 8)
            #expect(try await house.library.nextPush() == nil)
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "1"))
            house.wait(25 * 3600)
            await courier.round()
            #expect(service.asked.count == 8)
        }
    }

    @Test func `neither a redirect nor a private address is followed, and the browser is forgotten`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (visitor, browser) = try await told("ann", client)
            let elsewhere = service.browser("elsewhere")
            service.answer([.init(307, headers: [("Location", elsewhere.endpoint)])], for: browser)
            try await house.library.follow(ann.id, by: bob.id)
            await courier().round()
            #expect(service.asked.count == 1 && service.messages.isEmpty)
            #expect(try await house.library.pushSubscriptions(of: ann.id, from: nil).isEmpty)
            #expect(try await visitor.call(.post, "/api/hub/v1/push", body(browser)).status == .created)
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "1"))
            await courier(onlyPublic: true).round()
            #expect(service.asked.count == 1)
            #expect(try await house.library.pushSubscriptions(of: ann.id, from: nil).isEmpty)
        }
    }

    @Test func `strangers cannot keep a telephone ringing`() async throws {
        let (_, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            for number in 0..<(Push.mostAnHour + 5) {
                _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "\(number)"))
            }
            await courier().round()
            #expect(try messages(browser).count == Push.mostAnHour)
            house.wait(3601)
            _ = try await house.library.post(PostDraft(author: bob.id, text: "@ann", key: "later"))
            await courier().round()
            #expect(try messages(browser).count == Push.mostAnHour + 1)
        }
    }

    @Test func `a browser is told for as long as it is signed in, by whoever is`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (visitor, browser) = try await told("ann", client)
            #expect(try await visitor.get("/settings/push").text.contains("(this one)"))
            // Somebody else signs in there, and is told from now on.
            try await house.library.follow(ann.id, by: bob.id)
            let other = try await cast.browser(of: "bob", client)
            #expect(try await other.call(.post, "/api/hub/v1/push", body(browser)).status == .created)
            await courier().round()
            #expect(service.messages.isEmpty)
            #expect(try await house.library.pushSubscriptions(of: ann.id, from: nil).isEmpty)
            #expect(try await house.library.pushSubscriptions(of: bob.id, from: nil).count == 1)
            try await house.library.follow(bob.id, by: ann.id)
            _ = try await other.submit("/signout")
            await courier().round()
            #expect(try await house.library.pushSubscriptions(of: bob.id, from: nil).isEmpty)
            #expect(service.messages.isEmpty && service.asked.isEmpty)
        }
    }

    @Test func `no more than ten browsers of an account are told, and a sign-in that has ended is not`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            for _ in 0..<12 { _ = try await told("ann", client) }
            #expect(try await house.library.pushSubscriptions(of: ann.id, from: nil).count == 10)
            house.wait(15 * 24 * 3600)
            try await house.library.follow(ann.id, by: bob.id)
            await courier().round()
            #expect(service.asked.isEmpty)
            #expect(try await house.library.nextPush() == nil)
        }
    }

    @Test func `a browser is listed and ended on the page and by programs, only by its owner`() async throws {
        try await cast.member("ann")
        try await cast.member("eve")
        try await house.application(settings()).application().test(.router) { client in
            let (visitor, browser) = try await told("ann", client)
            // The same again is the same.
            #expect(try await visitor.call(.post, "/api/hub/v1/push", body(browser)).status == .created)
            let list = try await visitor.call(.get, "/api/hub/v1/push")
            let entries = try #require(try JSONSerialization.jsonObject(with: Data(list.text.utf8)) as? [[String: Any]])
            let id = try #require(entries.first?["id"] as? String)
            #expect(entries.count == 1 && entries.first?["here"] as? Bool == true)
            #expect(!list.text.contains(browser.endpoint) && !list.text.contains(browser.secret))
            let eve = try await cast.browser(of: "eve", client)
            #expect(try await eve.call(.delete, "/api/hub/v1/push/\(id)").status == .notFound)
            #expect(
                try await eve.submit("/settings/profile", to: "/settings/push/removal", [("id", id)]).status
                    == .seeOther)
            #expect(try await visitor.get("/settings/push").text.contains(id))
            let ended = try await visitor.submit("/settings/push", to: "/settings/push/removal", [("id", id)])
            #expect(ended.location == "/settings/push?said=ended")
            #expect(try await visitor.get("/settings/push?said=ended").text.contains("told nothing any more"))
            #expect(try await visitor.call(.post, "/api/hub/v1/push", body(browser)).status == .created)
            #expect(try await visitor.call(.delete, "/api/hub/v1/push").status == .noContent)
            #expect(try await visitor.call(.get, "/api/hub/v1/push").text == "[]")
        }
    }

    @Test func `what is no subscription is refused field by field, and a program has no browser`() async throws {
        let ann = try await cast.member("ann")
        let good = service.browser("ann")
        try await house.application(settings()).application().test(.router) { client in
            let visitor = try await cast.browser(of: "ann", client)
            for (json, field) in [
                ("{}", "endpoint"),
                (body(good).replacing(good.endpoint, with: "http://push.example.net/x"), "endpoint"),
                (body(good).replacing(good.endpoint, with: "https://a b/"), "endpoint"),
                (body(good).replacing(good.key, with: "AAAA"), "p256dh"),
                (body(good).replacing(good.secret, with: "AAAA"), "auth"),
            ] {
                let answer = try await visitor.call(.post, "/api/hub/v1/push", json)
                #expect(
                    answer.status == .unprocessableContent && answer.text.contains("\"\(field)\""), "\(answer.text)")
            }
            let token = try await cast.token(of: ann)
            let program = try await client.glance(
                uri: "/api/hub/v1/push", method: .post,
                headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
                body: ByteBuffer(string: body(good)))
            #expect(program.status == .conflict && program.text.contains("no-browser"))
        }
    }

    @Test(arguments: [
        "http://clips.example.org", "http://127.0.0.1:4747", "https://127.0.0.1:4747", "https://localhost",
        "https://[::1]", "https://192.168.1.4", "https://hub.local", "https://hub",
    ])
    func `a hub on plain http, or without a public name, says that browsers are told nothing`(url: String) async throws
    {
        try await cast.member("ann")
        var settings = try HubSettings(HubAddress(port: 0, publicURL: url))
        settings.passwordCost = HubHousehold.passwordCost
        try await house.application(settings).application().test(.router) { client in
            let key = try await client.glance(uri: "/api/hub/v1/push/key", method: .get, headers: [:], body: nil)
            #expect(key.status == .notFound && key.text.contains("/problems/no-push"))
            let routes = try house.application(settings).declaredRoutes().map(\.path)
            #expect(routes.contains("/settings/push"))
        }
    }

    @Test func `the key is there for everybody, and the page has a button that a script shows`() async throws {
        try await cast.member("ann")
        try await house.application(settings()).application().test(.router) { client in
            let key = try await client.glance(uri: "/api/hub/v1/push/key", method: .get, headers: [:], body: nil)
            let facts = try JSONSerialization.jsonObject(with: Data(key.text.utf8)) as? [String: String]
            let text = try #require(facts?["key"])
            #expect(Base64URL.decode(text)?.count == 65 && Base64URL.decode(text)?.first == 4)
            let page = try await cast.browser(of: "ann", client).get("/settings/push").text
            #expect(page.contains(text) && page.contains("data-push hidden>Tell this browser</button>"))
            #expect(page.contains("<noscript>") && page.contains("push.here.blocked"))
            // Another start of the same hub has the same key.
            try await house.application(settings()).application().test(.router) { again in
                let second = try await again.glance(uri: "/api/hub/v1/push/key", method: .get, headers: [:], body: nil)
                #expect(second.text == key.text)
            }
        }
    }

    @Test func `a browser is told though nobody rings for it`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(settings()).application().test(.router) { client in
            let (_, browser) = try await told("ann", client)
            let courier = courier()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await courier.run() }
                try await house.library.follow(ann.id, by: bob.id)
                let end = ContinuousClock.now.advanced(by: .seconds(20))
                while try messages(browser).isEmpty, ContinuousClock.now < end { await Task.yield() }
                group.cancelAll()
            }
            #expect(try messages(browser).count == 1)
        }
    }
}
