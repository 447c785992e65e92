import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Every limit that counts where a request comes from, over the routes that have it: all 2^64 addresses of a household share it.
@Suite struct LimitHolderTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    /// A route, the limit that it is refused by, and how many of it an hour, a quarter or a minute has.
    private static let routes: [(route: String, limit: String, most: Double)] = [
        ("sign-in", "signin", 20), ("sign-up", "signup", 10), ("sign-up API", "signup", 10),
        ("sign-up by a service", "signup", 10), ("reset", "letter", 15), ("reset API", "letter", 15),
        ("identity", "identity", 20), ("identity link", "identity", 20), ("apps", "apps", 30), ("token", "token", 30),
        ("own token", "app-token", 60),
        ("revoke", "token", 30), ("places", "places", 120), ("count", "count", 600), ("payments", "payments", 1200),
        ("inbox", "inbox", 1200), ("paper", "beat-paper", 120), ("frame", "frame", 20),
        ("frame sign-in", "frame-signin", 20), ("frame count", "frame-count", 600),
        ("frame pair", "frame-pair", 10), ("frame pair page", "frame-pair", 10),
        ("passkey", "passkey", 60), ("poster", "poster", 120),
    ]

    @Test(arguments: routes)
    func `a household has one bucket on every route that counts networks`(
        route: String, limit: String, most: Double
    ) async throws {
        // So that the bucket holds three.
        var settings = try cast.settings(limitScale: 3 / most)
        settings.identity.mastodon = true
        settings.federation.isOn = true
        let members = try await Self.members(route, cast)
        try await house.application(settings).application().test(.router) { client in
            var statuses: [HTTPResponse.Status] = []
            for number in 0..<4 {
                let answer = try await send(
                    route, number, members, try client.at("2001:db8:1:2:\(number + 1)::\(number + 7)"))
                statuses.append(answer.status)
                if number == 3 { #expect(answer.headers[.retryAfter] != nil || route.hasPrefix("identity")) }
            }
            #expect(statuses.last == .tooManyRequests, "\(route): \(statuses)")
            #expect(!statuses.dropLast().contains(.tooManyRequests), "\(route): \(statuses)")
            let other = try await send(route, 4, members, try client.at("2001:db8:1:3::1"))
            #expect(other.status != .tooManyRequests, "the household beside it")
        }
    }

    @Test func `there is no other limit that counts networks`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: root.path()))
        var found: Set<String> = []
        for case let name as String in files where name.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            for match in text.matches(of: #/"([a-z-]+)", [^"\n]*(\n[^"\n]*)?by: \.network\(/#) {
                found.insert(String(match.1))
            }
        }
        // Beside each letter of an hour that of a day is counted, by the same network.
        #expect(found == Set(Self.routes.map(\.limit)).union(["letter-day"]))
    }

    private struct Member {
        let token: String
        let session: String
    }

    /// Those whom the route needs, one for each request: their own buckets stay as they are.
    private static func members(_ route: String, _ cast: HubCast) async throws -> [Member] {
        guard ["frame pair", "frame pair page", "identity link"].contains(route) else { return [] }
        var members: [Member] = []
        for number in 0..<5 {
            let account = try await cast.member("ann\(number)")
            let session = try await cast.accounts.signIn(
                name: "ann\(number)", password: Secret(HubCast.password), agent: "")
            members.append(
                Member(token: try await cast.token(of: account), session: session.token.secret.reveal()))
        }
        return members
    }

    private func send<R>(
        _ route: String, _ number: Int, _ members: [Member], _ client: RouterClient<R>
    ) async throws -> TestResponse {
        let visitor = Visitor(client)
        let mail = "ann\(number)@example.org"
        switch route {
        case "sign-in":
            return try await visitor.submit(
                "/signin", [("username", "name\(number)"), ("password", "wrong password!")])
        case "sign-up":
            return try await visitor.submit(
                "/signup", [("email", mail), ("username", "new\(number)"), ("password", HubCast.password)])
        case "sign-up API":
            return try await client.send(
                .post, "/api/hub/v1/account",
                json: "{\"handle\":\"new\(number)\",\"mail\":\"\(mail)\",\"password\":\"\(HubCast.password)\"}")
        case "sign-up by a service":
            let browser = OpaqueToken()
            _ = try await cast.accounts.receive(
                IdentityArrival(
                    identity: OutsideIdentity(provider: "mastodon", subject: "who\(number)", shown: "who"),
                    handle: "", mail: nil, way: "/"), browser: browser, agent: "")
            return try await post(
                visitor, "/signin/name", [("username", "new\(number)")], "identity=\(browser.secret.reveal())")
        case "reset": return try await visitor.submit("/reset", [("email", mail)])
        case "reset API":
            return try await client.send(.post, "/api/hub/v1/account/reset", json: "{\"mail\":\"\(mail)\"}")
        case "identity": return try await visitor.submit("/signin/with/mastodon", [("server", "no server")])
        case "identity link":
            return try await post(
                visitor, "/settings/account/identities/link",
                [("service", "mastodon"), ("server", "no server"), ("password", HubCast.password)],
                "session=\(members[number].session)")
        case "apps":
            return try await client.send(
                .post, "/api/v1/apps", [("client_name", "A program"), ("redirect_uris", HubCast.back)])
        case "token", "revoke":
            return try await client.send(.post, "/oauth/\(route)", [("client_id", "nobody"), ("client_secret", "x")])
        case "own token":
            let (app, secret) = try await cast.accounts.register(
                name: "A program", website: "", redirects: [], scopes: "read")
            return try await client.send(
                .post, "/oauth/token",
                [
                    ("grant_type", "client_credentials"), ("client_id", app.id),
                    ("client_secret", secret.secret.reveal()),
                ])
        case "places": return try await client.send(.get, "/api/hub/v1/places?q=Bonn")
        case "count": return try await client.send(.post, "/api/hub/v1/count", json: "{\"name\":\"\"}")
        case "payments": return try await client.send(.post, "/api/hub/v1/payments/stripe", json: "{}")
        case "inbox": return try await client.send(.post, "/ap/inbox", json: "{}")
        case "paper": return try await paper(visitor)
        case "frame":
            return try await client.send(
                .post, "/api/hub/v1/frame/pairing", json: "{}", token: OpaqueToken().secret.reveal())
        case "frame sign-in":
            let token = OpaqueToken()
            _ = try await house.library.newFrame(token, name: "Hall")
            return try await client.send(
                .post, "/api/hub/v1/frame/start", json: #"{"network":"mastodon","server":"no server"}"#,
                token: token.secret.reveal())
        case "frame count": return try await client.send(.post, "/api/hub/v1/frame/count", json: "{}")
        case "frame pair":
            return try await client.send(
                .post, "/api/hub/v1/frames", json: #"{"code":"AAAAAA"}"#, token: members[number].token)
        case "passkey":
            return try await client.send(.post, "/api/hub/v1/passkeys/challenge", json: "{}")
        case "poster": return try await client.send(.get, "/lost-and-found/\(HubID())/poster.pdf")
        case "frame pair page":
            return try await post(
                visitor, "/settings/frames", [("code", "AAAAAA")], "session=\(members[number].session)")
        default: throw HubCast.Unexpected()
        }
    }

    /// Sends a form with a cookie that the browser was not given.
    private func post<R>(
        _ visitor: Visitor<R>, _ path: String, _ fields: [(name: String, value: String)], _ cookie: String
    ) async throws -> TestResponse {
        let hidden = try await visitor.hidden(on: "/reset").filter { $0.name == "token" }
        return try await visitor.post(
            path, hidden + fields, [.cookie: "\(visitor.allCookies); __Host-\(cookie)"])
    }

    /// Sends a file to be compared with a licence.
    private func paper<R>(_ visitor: Visitor<R>) async throws -> TestResponse {
        let token = try await visitor.hidden(on: "/reset").first { $0.name == "token" }?.value
        let body = """
            --limit5f3a\r\nContent-Disposition: form-data; name="token"\r\n\r\n\(token ?? "")\r\n\
            --limit5f3a\r\nContent-Disposition: form-data; name="paper"; filename="a.pdf"\r\n\r\nx\r\n--limit5f3a--\r\n
            """
        return try await visitor.send(
            .post, "/beats/licences/\(HubID())", [.contentType: "multipart/form-data; boundary=limit5f3a"],
            ByteBuffer(string: body))
    }
}
