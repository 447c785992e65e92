import ChirpHTTP
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// A browser that is sent to services elsewhere.
extension Visitor {
    /// Goes from service to service, as far as they send the browser.
    ///
    /// - Returns: the path at the hub to which it comes back; nil where the way ends elsewhere.
    func travel(_ address: WebAddress) async throws -> String? {
        var next = address
        for _ in 0..<5 {
            let response = try await CurlTransport().send(ChirpHTTP.HTTPRequest(.get, next))
            guard let location = response.headers["Location"] else { return nil }
            guard !location.hasPrefix(HubHousehold.publicURL) else {
                return String(location.dropFirst(HubHousehold.publicURL.count))
            }
            next = try #require(WebAddress(location))
        }
        return nil
    }

    /// Presses "Sign in with Mastodon", names a server, and comes back if it lets the browser.
    func comeByMastodon(_ server: String) async throws -> TestResponse? {
        try await back(from: try await submit("/signin/with/mastodon", [("server", server)]))
    }

    /// Presses "Sign in with" the service of OpenID Connect, and comes back if it lets the browser.
    func comeByOpenID() async throws -> TestResponse? {
        try await back(from: try await submit("/signin", to: "/signin/with/oidc"))
    }

    /// Goes where a page leads, and comes back.
    func back(from page: TestResponse) async throws -> TestResponse? {
        guard let address = page.departure, let path = try await travel(address) else { return nil }
        return try await get(path)
    }
}

extension TestResponse {
    /// Where the page leads that a press of "Sign in with" gives; nil where there is none.
    var departure: WebAddress? {
        text.firstMatch(of: #/href="(http[^"]*)" rel="nofollow"/#)
            .flatMap { WebAddress(String($0.1).replacing("&amp;", with: "&")) }
    }
}
