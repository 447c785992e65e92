import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpFederation
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Following people at other servers by pages and programs, and what is done to their clips (hub.md 8, decision 1902).
@Suite struct FollowingRouteTests {
    let house: HubHousehold
    let cast: HubCast
    let bob = PersonElsewhere(handle: "bob", host: "far.example")

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    func application(isOn: Bool = true) throws -> HubApplication {
        var settings = try cast.settings(limitScale: 1e6)
        settings.federation.isOn = isOn
        var application = try house.application(settings)
        application.federationTransport = bob
        return application
    }

    /// A member who has switched it on, unless told otherwise.
    func member(_ handle: String, isOn: Bool = true) async throws -> HubAccount {
        let account = try await cast.member(handle)
        if isOn { try await house.library.federate(account.id, key: try ActorKey().pem) }
        return account
    }

    func waiting() async throws -> [FederationDelivery] {
        var all: [FederationDelivery] = []
        for host in try await house.library.dueHosts(most: 9) {
            while let next = try await house.library.nextDelivery(to: host) {
                all.append(next)
                try await house.library.deliveryEnded(next, wasSent: true)
            }
        }
        return all
    }

    @Test func `without federation nothing of it is there`() async throws {
        let ann = try await member("ann")
        let token = try await cast.token(of: ann)
        try await application(isOn: false).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await browser.get("/follow").status == .notFound)
            #expect(try await !browser.get("/search?q=bob").text.contains("/follow"))
            let found = try await client.send(
                .get, "/api/v1/accounts/search?resolve=true&q=bob@far.example", token: token)
            #expect(found.text == "[]")
        }
        #expect(bob.asked.isEmpty)
    }

    @Test func `somebody elsewhere is found and followed by forms, and visitors see nothing of him`() async throws {
        _ = try await member("ann")
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            #expect(
                try await browser.get("/search?q=@bob@far.example").text.contains("/follow?name=%40bob%40far.example"))
            let wrong = try await browser.submit("/follow", to: "/follow/elsewhere", [("name", "bob")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("@ann@example.org"))
            let nobody = try await browser.submit("/follow", to: "/follow/elsewhere", [("name", "eve@far.example")])
            #expect(nobody.status == .unprocessableContent)
            let found = try await browser.submit("/follow", to: "/follow/elsewhere", [("name", " @bob@far.example ")])
            #expect(found.status == .seeOther && found.headers[.location] == "/@bob@far.example")
            let page = try await browser.get("/@bob@far.example").text
            #expect(page.contains("Bob &lt;b&gt;") && page.contains("@bob@far.example") && !page.contains("feed.xml"))
            #expect(try await browser.submit("/@bob@far.example", to: "/follow").status == .seeOther)
            #expect(try await browser.get("/@bob@far.example").text.contains("Asked"))
            #expect(try await waiting().map(\.kind) == [.follow])
            #expect(try await browser.get("/@ann/following").text.contains("@bob@far.example"))

            for path in ["/@bob@far.example", "/@bob@far.example/feed.xml", "/@bob%40far.example"] {
                #expect(try await client.send(.get, path).status == .notFound, "\(path)")
            }
            #expect(try await !client.send(.get, "/@ann/following").text.contains("far.example"))
            #expect(try await !client.send(.get, "/api/v1/accounts").text.contains("far.example"))
            _ = try await browser.submit("/@bob@far.example", to: "/unfollow")
            #expect(try await waiting().map(\.kind) == [.unfollow])
        }
    }

    @Test func `who has not switched it on is told so`() async throws {
        _ = try await member("ann", isOn: false)
        let person = try await house.library.keep(bob.facts)
        _ = try await house.library.introduce(person)
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let refused = try await browser.submit("/follow", to: "/follow/elsewhere", [("name", "bob@far.example")])
            #expect(refused.status == .unprocessableContent && refused.text.contains("/settings/privacy"))
            let led = try await browser.submit("/@bob@far.example", to: "/follow")
            #expect(led.headers[.location]?.hasPrefix("/follow?name=") == true)
            #expect(bob.asked.isEmpty)
        }
    }

    @Test func `programs find and follow him`() async throws {
        let ann = try await member("ann")
        let token = try await cast.token(of: ann, "read write follow")
        try await application().application().test(.router) { client in
            func call(_ method: HTTPRequest.Method, _ path: String) async throws -> TestResponse {
                try await client.send(method, path, token: token)
            }
            #expect(try await call(.get, "/api/v1/accounts/search?q=bob@far.example").text == "[]")
            let found = try await call(.get, "/api/v2/search?resolve=true&q=%40bob%40far.example")
            let people = try #require(try found.facts["accounts"] as? [[String: Any]])
            let id = try #require(people.first?["id"] as? String)
            #expect(
                people.first?["acct"] as? String == "bob@far.example" && people.first?["username"] as? String == "bob")
            let asked = try await call(.post, "/api/v1/accounts/\(id)/follow").facts
            #expect(asked["requested"] as? Bool == true && asked["following"] as? Bool == false)
            let follow = try #require(try await waiting().first)
            let person = try #require(try await house.library.remotePerson(at: bob.id))
            try await house.library.apply(
                .accept(activity: follow.activityID), by: person, activity: "https://far.example/accept")
            let stands = try await call(.get, "/api/v1/accounts/relationships?id=\(id)").text
            #expect(stands.contains(#""following":true"#) && stands.contains(#""requested":false"#))
        }
    }
}
