import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// What answers, cookies and forms tell browsers wherever they come from (ASVS 5.0, chapters V3, V4 and V6).
@Suite struct AnswerHeaderTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    /// Every declared address as a visitor meets it: pages, documents, refusals and addresses of nothing.
    @Test func `every answer says what it is, and is neither guessed at, framed nor told of elsewhere`() async throws {
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let routes = try hub.declaredRoutes()
        try #require(routes.count > 500)
        try await hub.application().test(.router) { client in
            for route in routes {
                let path = route.path.replacing(#/:\w+/#, with: "999999")
                let answer = try await client.glance(uri: path, method: route.method, headers: [:], body: nil)
                let (place, headers) = ("\(route.method) \(path): \(answer.status)", answer.headers)
                let policy = headers[.contentSecurityPolicy] ?? ""
                #expect(policy.hasPrefix("default-src 'none';") && policy.contains("; base-uri 'none';"), "\(place)")
                #expect(!policy.contains("unsafe"), "\(place)")
                let frames = path.hasPrefix("/embed/") ? "*" : "'none'"
                #expect(policy.hasSuffix("; frame-ancestors \(frames)"), "\(place)")
                #expect(headers[.xContentTypeOptions] == "nosniff", "\(place)")
                #expect(headers[.referrerPolicy] == "same-origin", "\(place)")
                guard answer.body.readableBytes > 0 else { continue }
                let type = try #require(headers[.contentType], "\(place)")
                // JSON is UTF-8 by itself (RFC 8259, section 8.1).
                let needsCharacters = type.hasPrefix("text/") || type.contains("xml")
                #expect(!needsCharacters || type.hasSuffix("; charset=utf-8"), "\(place): \(type)")
            }
        }
    }

    /// As the owner, to whom most is shown.
    @Test func `what is not for everybody is kept by no cache`() async throws {
        let hub = try house.application(cast.settings(limitScale: 1e6))
        let routes = try hub.declaredRoutes().filter { $0.method == .get && !$0.access.lets(nil) }
        let link = try await cast.accounts.ownerLink()
        let session = try await cast.accounts.signIn(byOwnerLink: link.token, agent: "").token.secret.reveal()
        try await hub.application().test(.router) { client in
            var shown = 0
            for route in routes {
                let path = route.path.replacing(#/:\w+/#, with: "999999")
                let headers: HTTPFields = [.cookie: "__Host-session=\(session)"]
                let answer = try await client.glance(uri: path, method: .get, headers: headers, body: nil)
                if answer.status == .ok { shown += 1 }
                #expect(answer.headers[.cacheControl]?.hasSuffix("no-store") == true, "\(path): \(answer.status)")
            }
            try #require(shown > 80)
        }
    }

    @Test func `a cookie over https is of this host alone, and of no script`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = Visitor(client)
            let form = try await ann.get("/signup")
            let arrival = try await ann.submit("/signin", [("username", "ann"), ("password", HubCast.password)])
            let leaving = try await ann.submit("/signout")
            let fields = [form, arrival, leaving].flatMap { $0.headers[values: .setCookie] }
            // Of the form, the session, the known browser, and the session again as it ends.
            #expect(fields.count >= 4, "\(fields.count)")
            for field in fields {
                let parts = Set(field.split(separator: "; ").map(String.init))
                // A name that begins so is taken with `Secure`, for `/`, and without a domain alone (RFC 6265bis, section 4.1.3.2).
                #expect(field.hasPrefix("__Host-"), "\(field.prefix { $0 != "=" })")
                #expect(parts.isSuperset(of: ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"]))
                #expect(!field.contains("Domain="))
            }
        }
    }

    @Test func `passwords are typed unseen, and whatever fills in forms may do so`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let (visitor, ann) = (Visitor(client), try await cast.browser(of: "ann", client))
            let pages = [
                ("/signin", try await visitor.get("/signin")), ("/signup", try await visitor.get("/signup")),
                ("/settings/account", try await ann.get("/settings/account")),
                ("/settings/export", try await ann.get("/settings/export")),
                ("/settings/delete", try await ann.get("/settings/delete")),
            ]
            for (path, page) in pages {
                let fields = page.text.matches(of: #/<input[^>]*name="(?:new-)?password"[^>]*>/#).map { $0.output }
                #expect(!fields.isEmpty, "\(path)")
                for field in fields {
                    #expect(field.contains("type=\"password\""), "\(path)")
                    #expect(field.contains(#/autocomplete="(?:current|new)-password"/#), "\(path)")
                }
            }
        }
    }
}
