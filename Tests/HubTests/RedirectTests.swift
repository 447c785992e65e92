import ChirpAccounts
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Where an answer leads a browser: to a page of this hub, whatever somebody has written into the path or behind it.
@Suite struct RedirectTests {
    /// An address with another site in it, in the forms that servers and browsers have read differently.
    private static func forms(_ path: String) -> [String] {
        let fields = ["to", "back", "next", "url", "return_to", "redirect_uri", "iss", "service", "state", "error"]
        let query = fields.map { "\($0)=%2F%2Fevil.example%2F" }.joined(separator: "&")
        let further = fields.map { "\($0)=https://evil.example/" }.joined(separator: "&")
        return [
            "//evil.example\(path)", "/%2Fevil.example\(path)", "/%5Cevil.example\(path)", "\(path)//evil.example",
            "\(path)/", "\(path)?\(query)", "\(path)?\(further)",
        ]
    }

    @Test func `no address that is read leads a browser to another site, whatever stands in it`() async throws {
        let scene = try await ScopeScene()
        let routes = try scene.hub.declaredRoutes().filter { $0.method == .get }
        var (asked, led) = (0, 0)
        try await scene.hub.application().test(.router) { client in
            let ann = try await scene.cast.browser(of: "ann", client).allCookies
            for route in routes {
                for form in Self.forms(scene.path(route)) {
                    for cookie in [nil, ann] {
                        var headers: HTTPFields = [:]
                        headers[.cookie] = cookie
                        asked += 1
                        // What no route takes is no answer here.
                        guard
                            let answer = try? await client.glance(uri: form, method: .get, headers: headers, body: nil),
                            !answer.location.isEmpty
                        else { continue }
                        led += 1
                        let place = answer.location
                        let isPath = place.hasPrefix("/") && !place.hasPrefix("//") && !place.hasPrefix("/\\")
                        #expect(isPath || place.hasPrefix(HubHousehold.publicURL + "/"), "\(form) leads to \(place)")
                    }
                }
            }
        }
        #expect(asked == routes.count * 14 && led > 50)
    }
}
