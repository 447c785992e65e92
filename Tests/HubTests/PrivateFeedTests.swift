import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// A member's own feed at its secret address.
@Suite struct PrivateFeedTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// The path of the address that a page shows.
    private func path(in page: TestResponse) throws -> String {
        let found = try #require(page.text.firstMatch(of: #/<code>([^<]+)</code>/#)?.1)
        #expect(found.hasPrefix(HubHousehold.publicURL + "/feeds/") && found.hasSuffix(".xml"))
        return String(found.dropFirst(HubHousehold.publicURL.count))
    }

    @Test func `a member's feed has what she reads, and its address is shown once`() async throws {
        let ann = try await cast.member("ann")
        try await house.library.follow(house.library.owner.id, by: ann.id)
        try await house.post("for everybody #Chirp")
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await browser.get("/settings/privacy").text.contains(">New feed address</button>"))
            let made = try await browser.submit("/settings/privacy", to: "/settings/privacy/feed")
            #expect(made.headers[.cacheControl] == "no-store")
            let path = try path(in: made)
            let secret = String(path.dropFirst("/feeds/".count).dropLast(4))
            let page = try await browser.get("/settings/privacy").text
            #expect(!page.contains(secret) && page.contains("End feed address"))
            // Without a session: feed readers have none.
            let feed = try await client.send(.get, path)
            #expect(feed.status == .ok && feed.text.contains("for everybody"))
            #expect(feed.headers[.contentType]?.hasPrefix("application/rss+xml") == true)
            #expect(feed.headers[.cacheControl] == "private, no-cache")
            #expect(try feed.headers[#require(HTTPField.Name("X-Robots-Tag"))] == "noindex")
            let known = try await client.send(.get, path, [.ifNoneMatch: try #require(feed.headers[.eTag])])
            #expect(known.status == .notModified)
        }
    }

    @Test func `a new address ends the old one, and the end ends it`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let page = "/settings/privacy"
            let first = try path(in: try await browser.submit(page, to: page + "/feed"))
            let second = try path(in: try await browser.submit(page, to: page + "/feed"))
            #expect(try await client.send(.get, first).status == .notFound)
            #expect(try await client.send(.get, second).status == .ok)
            #expect(try await browser.submit(page, to: page + "/feed/end").status == .seeOther)
            #expect(try await client.send(.get, second).status == .notFound)
        }
    }

    @Test(arguments: [
        "/feeds/", "/feeds/x.xml", "/feeds/\(String(repeating: "a", count: 43)).xml",
        "/feeds/\(String(repeating: "a", count: 43))", "/feeds/..%2F..%2Fkey.xml",
    ])
    func `an address that nobody was given is not found`(path: String) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let answer = try await client.send(.get, path)
            #expect(answer.status == .notFound)
        }
    }
}
