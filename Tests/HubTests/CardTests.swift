import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What other sites show of a clip whose link was posted there: Open Graph, the player card, oEmbed; and whether their scripts may
/// read its sound.
@Suite struct CardTests {
    private static let here = HubHousehold.publicURL

    private func get(
        _ house: HubHousehold, _ uri: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: uri, method: method, headers: headers) { $0 }
        }
    }

    /// What a page's head says under a name, as it is escaped.
    private func meta(_ page: String, _ name: String) -> [String] {
        page.matches(of: #/<meta (?:name|property)="([^"]*)" content="([^"]*)">/#).filter { $0.1 == name }
            .map { String($0.2) }
    }

    @Test func `a clip's page has every tag of a card, once`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 222))
        let id = try await house.publish(title: "Rain & \"wind\"")
        let page = try await get(house, "/c/\(id)").text
        for (name, value) in [
            ("og:site_name", "Chirp"), ("og:type", "music.song"), ("og:title", "Rain &amp; &quot;wind&quot;"),
            ("og:description", "3:42, 15 January 2027, 08:00 UTC"), ("og:url", "\(Self.here)/c/\(id)"),
            ("og:audio", "\(Self.here)/media/\(id).mp3"), ("og:audio:type", "audio/mpeg"), ("twitter:card", "player"),
            ("twitter:title", "Rain &amp; &quot;wind&quot;"), ("twitter:player", "\(Self.here)/embed/\(id)"),
            ("twitter:player:width", "480"), ("twitter:player:height", "320"),
        ] { #expect(meta(page, name) == [value], "\(name)") }
        #expect(try await get(house, "/embed/\(id)").status == .ok)
    }

    @Test func `oEmbed is found from the page and is a video`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish(title: "Rain")
        let page = try await get(house, "/c/\(id)").text
        let link = try #require(
            page.firstMatch(of: #/<link rel="alternate" type="application/json\+oembed" href="([^"]*)"/#))
        let address = String(link.1).replacing("&amp;", with: "&")
        try #require(address.hasPrefix(Self.here))
        let response = try await get(house, String(address.dropFirst(Self.here.count)))
        #expect(response.headers[.contentType] == "application/json")
        let card = try #require(try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
        #expect(card["type"] as? String == "video" && card["version"] as? String == "1.0")
        #expect(card["title"] as? String == "Rain")
        #expect(card["width"] as? Int == 480 && card["height"] as? Int == 320)
        let html = try #require(card["html"] as? String)
        #expect(html.hasPrefix("<iframe src=\"\(Self.here)/embed/\(id)\" width=\"480\" height=\"320\" "))
    }

    @Test func `scripts of other sites may read the sound, and nothing else`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish([1, 2, 3])
        let path = "/media/\(id).mp3"
        let tag = try #require(try await get(house, path).headers[.eTag])
        for (headers, status) in [
            ([:], 200), ([.range: "bytes=0-0"], 206), ([.ifNoneMatch: tag], 304),
        ] as [(HTTPFields, Int)] {
            let response = try await get(house, path, .get, headers)
            #expect(response.status.code == status)
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            #expect(response.headers[.crossOriginResourcePolicy] == "cross-origin")
        }
        #expect(try await get(house, path, .head).headers[.accessControlAllowOrigin] == "*")
        for path in ["/", "/c/\(id)", "/@me", "/feed.xml", "/feed.json", "/@me/feed.xml", "/api/v1/posts", "/nothing"] {
            #expect(try await get(house, path).headers[.accessControlAllowOrigin] == nil, "\(path)")
        }
    }
}
