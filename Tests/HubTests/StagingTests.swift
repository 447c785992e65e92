import ChirpAccounts
import ChirpCommunity
import ChirpHTTP
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Testing

/// A hub to try things on says so everywhere, and search engines keep nothing of it.
@Suite struct StagingTests {
    private static let banner = "Staging: nothing here is kept"
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func settings(isStaging: Bool) throws -> HubSettings {
        var settings = try HubHousehold.settings(.open)
        settings.isStaging = isStaging
        // Nobody listens there: what is read in the folder was not given to it.
        settings.mail = try MailServer(host: "127.0.0.1", port: 9)
        return settings
    }

    @Test func `every answer is marked, every page has the banner once, and the real hub has neither`() async throws {
        let id = try await house.save([1, 2, 3])
        let robots = try #require(HTTPField.Name("X-Robots-Tag"))
        let paths = [
            "/", "/c/\(id)", "/embed/\(id)", "/signin", "/signup", "/reset", "/confirm", "/search", "/c/nothing",
            "/nowhere", "/feed.json", "/feed.xml", "/media/\(id).mp3", "/health", "/api/v1/instance",
        ]
        for isStaging in [true, false] {
            try await house.application(settings(isStaging: isStaging)).application().test(.router) { client in
                for path in paths {
                    let answer = try await client.execute(uri: path, method: .get)
                    #expect(answer.headers[robots] == (isStaging ? "noindex, nofollow" : nil), "\(path)")
                    guard answer.headers[.contentType]?.hasPrefix("text/html") == true else { continue }
                    let banners = answer.text.components(separatedBy: Self.banner).count - 1
                    #expect(banners == (isStaging ? 1 : 0), "\(path)")
                }
                let page = try await client.execute(uri: "/signin", method: .get)
                #expect(page.text.contains("<main"))
            }
        }
    }

    @Test func `a member's pages have the banner, letters go into the folder, and her session has a name of its own`()
        async throws
    {
        try await house.application(settings(isStaging: true)).application().test(.router) { client in
            let ann = Visitor(client)
            try await ann.join("ann", house)
            #expect(ann.cookie("staging") != nil && ann.cookie("session") == nil)
            for path in ["/settings", "/settings/sessions", "/settings/profile"] {
                let page = try await ann.get(path)
                #expect(page.status == .ok && page.text.contains(Self.banner), "\(path)")
            }
        }
    }
}
