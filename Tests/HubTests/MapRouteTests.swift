import ChirpHub
import ChirpPlaces
import Foundation
import FoundationXML
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Drawings of maps at their addresses, and where pages may have pictures from.
@Suite struct MapRouteTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `tiles and pictures of the map are drawn, may be kept, and can do nothing else`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            for path in [
                "/map/2/2/1.svg?v=1&l=de", "/map/view.svg?at=50.7,7.1&zoom=6&size=240x240&pin=50.7,7.1&v=1&l=de",
            ] {
                let answer = try await client.execute(uri: path, method: .get) { $0 }
                #expect(answer.status == .ok && answer.headers[.contentType] == "image/svg+xml")
                #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
                #expect(
                    answer.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
                #expect(answer.text.contains("Deutschland") && XMLParser(data: Data(answer.text.utf8)).parse())
            }
            for path in [
                "/map/2/4/1.svg", "/map/2/1/1.png", "/map/99/1/1.svg", "/map/-1/0/0.svg", "/map/2/1/%2e%2e%2fa.svg",
                "/map/99999999999999999999/1/1.svg", "/map/images/..%2fleaflet.js", "/map/images/x.png",
            ] {
                let status = try await client.execute(uri: path, method: .get) { $0.status }
                #expect(status == .notFound, "\(path)")
            }
            for path in ["/map/view.svg", "/map/view.svg?at=x,y", "/map/view.svg?at=1e999,1"] {
                let status = try await client.execute(uri: path, method: .get) { $0.status }
                #expect(status == .badRequest, "\(path)")
            }
        }
    }

    @Test func `pictures come from the configured tiles' server and from no other`() async throws {
        var settings = try cast.settings()
        settings.tiles = MapTiles(template: "https://tiles.example.org/{z}/{x}/{y}.png", attribution: "us")
        for (settings, images) in [(settings, " https://tiles.example.org;"), (try cast.settings(), ";")] {
            try await house.application(settings).application().test(.router) { client in
                let policy = try await client.execute(uri: "/about", method: .get) {
                    $0.headers[.contentSecurityPolicy] ?? ""
                }
                #expect(policy.contains("img-src 'self' blob:\(images)"), "\(policy)")
            }
        }
    }
}
