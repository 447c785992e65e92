import ChirpHTTP
import ChirpWeb
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// A browser on a wall.
extension Visitor {
    /// What the frame's page tells its script.
    func frameFacts() async throws -> [String: String] {
        let page = try await get("/frame").text
        let facts = try #require(page.firstMatch(of: #/id="facts">([^<]*)</#)?.1)
        let document = try JSONSerialization.jsonObject(with: Data(facts.utf8)) as? [String: Any]
        return try #require(document?["facts"] as? [String: String])
    }

    /// The token of the form of the frame's page.
    func frameForm() async throws -> String { try #require(try await frameFacts()["token"]) }

    /// Goes to another network to sign in there, in the frame's own window.
    ///
    /// - Parameters:
    ///   - start: says where, as JSON.
    ///   - scope: what the hub must ask for, and nothing else.
    /// - Returns: the path at the hub that the network sends the browser to.
    func signInElsewhere(_ start: String, _ form: String, scope: String) async throws -> String {
        let answer = try await call(.post, "/api/hub/v1/frame/start", start, [.formToken: form])
        let location = try #require(try answer.facts["location"] as? String)
        let address = try #require(WebAddress(location))
        #expect(address.field("scope") == scope)
        let response = try await CurlTransport().send(ChirpHTTP.HTTPRequest(.get, address))
        let back = try #require(response.headers["Location"])
        #expect(back.hasPrefix("\(HubHousehold.publicURL)/frame/back"))
        return String(back.dropFirst(HubHousehold.publicURL.count))
    }
}
