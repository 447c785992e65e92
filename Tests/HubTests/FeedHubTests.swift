import ChirpCommunity
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Public feeds name the WebSub hub that is told of them (WebSub, section 4), and private ones never do.
@Suite struct FeedHubTests {
    private static let here = HubHousehold.publicURL
    private static let paths = ["/feed.xml", "/feed.json", "/@me/feed.xml", "/@me/feed.json"]
    /// What a query holds is text in a document.
    private static let hub = "https://websub.example/hub?a=1&b=2"
    private let house: HubHousehold
    private let cast: HubCast

    init() async throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
        for number in 1...51 { try await house.post("post \(number)") }
    }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings()
        settings.webSubHub = WebAddress(Self.hub)
        return settings
    }

    @Test func `the public feeds name the hub and themselves, also where nothing has changed`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            for path in Self.paths {
                let named = "<\(Self.hub)>; rel=\"hub\", <\(Self.here)\(path)>; rel=\"self\""
                let feed = try await client.send(.get, path)
                #expect(feed.status == .ok && feed.headers[.link] == named)
                let known = try await client.send(.get, path, [.ifNoneMatch: try #require(feed.headers[.eTag])])
                #expect(known.status == .notModified && known.headers[.link] == named)
                if path.hasSuffix(".xml") {
                    let links = try FeedElement.reading(feed.text).one("channel").all(FeedElement.atom + "link")
                    #expect(links.map { $0.attributes["rel"] } == ["self", "hub"])
                    #expect(links.map { $0.attributes["href"] } == [Self.here + path, Self.hub])
                } else {
                    #expect(try feed.facts["hubs"] as? [[String: String]] == [["type": "WebSub", "url": Self.hub]])
                    #expect(try feed.facts["feed_url"] as? String == Self.here + path)
                }
            }
        }
    }

    @Test func `a page further back is no feed of its own`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let page = try await client.send(.get, "/feed.json?before=40")
            #expect(page.status == .ok && page.headers[.link] == nil)
            #expect(try page.facts["hubs"] == nil)
        }
    }

    @Test func `no hub is named where none is set, at a hub to try things on, and where none could ask`() async throws {
        var staging = try settings()
        staging.isStaging = true
        var local = try HubSettings(HubAddress(port: 0, publicURL: "https://hub.local"))
        local.webSubHub = staging.webSubHub
        for settings in [try cast.settings(), staging, local] {
            try await house.application(settings).application().test(.router) { client in
                for path in Self.paths {
                    let feed = try await client.send(.get, path)
                    #expect(feed.status == .ok && feed.headers[.link] == nil)
                    #expect(!feed.text.contains("rel=\"hub\"") && !feed.text.contains("\"hubs\""))
                }
            }
        }
    }

    @Test func `a private feed names no hub`() async throws {
        try await cast.member("ann")
        try await house.application(settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let made = try await browser.submit("/settings/privacy", to: "/settings/privacy/feed")
            let found = try #require(made.text.firstMatch(of: #/<code>([^<]+)</code>/#)?.1)
            let feed = try await client.send(.get, String(found.dropFirst(Self.here.count)))
            #expect(feed.status == .ok && feed.headers[.link] == nil)
            #expect(!feed.text.contains("rel=\"hub\"") && !feed.text.contains("websub.example"))
        }
    }
}
