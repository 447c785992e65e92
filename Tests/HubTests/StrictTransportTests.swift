import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What browsers are told of https (RFC 6797).
@Suite struct StrictTransportTests {
    private func answers(_ publicURL: String) async throws -> [TestResponse] {
        let house = try HubHousehold(publicURL: publicURL)
        let clip = try await house.publish()
        let settings = try HubSettings(HubAddress(port: 0, publicURL: publicURL))
        return try await house.application(settings).application().test(.router) { client in
            var answers: [TestResponse] = []
            for path in ["/", "/signin", "/media/\(clip).mp3", "/feed.xml", "/api/v1/instance", "/nothing/here"] {
                answers.append(try await client.send(.get, path))
            }
            return answers
        }
    }

    @Test func `a hub with an https address asks for https for a year at least, of its own host alone`() async throws {
        for answer in try await answers(HubHousehold.publicURL) {
            let told = try #require(answer.headers[.strictTransportSecurity])
            let seconds = try #require(told.wholeMatch(of: #/max-age=(\d+)/#)?.1)
            #expect(try #require(Int(seconds)) >= 365 * 24 * 3600)
        }
    }

    @Test func `a hub with a plain address does not`() async throws {
        for answer in try await answers("http://clips.example.org") {
            #expect(answer.headers[.strictTransportSecurity] == nil)
        }
    }
}
