import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpListings
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// People with accounts at a household's hub, and programs that speak for them.
struct HubCast {
    let house: HubHousehold
    static let password = "correct horse battery"
    /// Where programs want the browser back.
    static let back = "https://client.example/back"

    var accounts: Accounts { house.accounts }

    func settings(_ registration: Registration = .open, limitScale: Double = 1) throws -> HubSettings {
        var settings = try HubHousehold.settings(registration)
        settings.limitScale = limitScale
        return settings
    }

    /// Signs somebody up.
    @discardableResult
    func member(_ handle: String, isConfirmed: Bool = true) async throws -> HubAccount {
        let letter = try await accounts.signUp(
            handle: Handle(typed: handle), mail: MailAddress(typed: "\(handle)@example.org"),
            password: Secret(Self.password), registration: .open)
        guard case .confirm(_, let link) = letter else { throw Unexpected() }
        if isConfirmed { _ = try await accounts.confirm(link.token) }
        return try #require(try await accounts.account(Handle(typed: handle)))
    }

    /// A browser in which somebody has signed in.
    func browser<R>(of handle: String, _ client: RouterClient<R>) async throws -> Visitor<R> {
        let visitor = Visitor(client)
        let answer = try await visitor.submit("/signin", [("username", handle), ("password", Self.password)])
        #expect(answer.status == .seeOther)
        return visitor
    }

    /// Registers a program.
    func program<R>(
        _ client: RouterClient<R>, scopes: String = "read write", redirects: String = back
    ) async throws -> Program {
        let answer = try await client.send(
            .post, "/api/v1/apps",
            [("client_name", "A <b>program</b>"), ("redirect_uris", redirects), ("scopes", scopes)])
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let facts = try answer.facts
        return Program(
            id: try #require(facts["client_id"] as? String), secret: try #require(facts["client_secret"] as? String))
    }

    /// A token by which a program speaks for somebody, made without the way there. Of somebody whose address is unconfirmed it was made before
    /// it was: the hub gives none then.
    func token(of account: HubAccount, _ scopes: String = "read write") async throws -> String {
        guard account.state != .unconfirmed else {
            try await house.change("UPDATE accounts SET state = 'active' WHERE id = '\(account.id)'")
            let token = try await token(of: try #require(try await accounts.account(account.id)), scopes)
            try await house.change("UPDATE accounts SET state = 'unconfirmed' WHERE id = '\(account.id)'")
            return token
        }
        let redirect = try #require(RedirectAddress(Self.back))
        let app = try await accounts.register(name: "A program", website: "", redirects: [redirect], scopes: scopes).app
        let code = try await accounts.code(
            of: account.id, for: CodeGrant(app: app.id, redirect: Self.back, scopes: scopes, challenge: nil))
        let issued = try await accounts.redeem(
            code, app: app.id, isAuthentic: true, redirect: Self.back, verifier: nil)
        return try #require(issued).token.secret.reveal()
    }

    struct Program {
        let id: String
        let secret: String

        /// The address that it sends a browser to.
        func authorize(_ changes: [String: String] = [:]) -> String {
            var fields = [
                "response_type": "code", "client_id": id, "redirect_uri": HubCast.back, "scope": "read",
                "state": "a b+c",
            ]
            fields.merge(changes) { $1 }
            return "/oauth/authorize?"
                + PercentEncoding.form(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }

    struct Unexpected: Error {}
}

extension HubCast {
    /// Of a hub whose library keeps listings.
    static func withListings() throws -> HubCast { HubCast(house: try HubHousehold(boards: [Listings.tables])) }

    /// Where Lost & Found is, for people and for programs.
    static let listings = (page: "/lost-and-found", api: "/api/hub/v1/lost-and-found")
}

extension RouterClient {
    /// Sends a program's request with a form.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [(name: String, value: String)],
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await execute(
            uri: path, method: method, headers: headers, body: ByteBuffer(string: PercentEncoding.form(fields)))
    }

    /// Sends a program's request with JSON, or without a body.
    func send(
        _ method: HTTPRequest.Method, _ path: String, json: String? = nil, token: String? = nil,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if json != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await execute(uri: path, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) })
    }
}

extension TestResponse {
    /// Its JSON object.
    var facts: [String: Any] {
        get throws {
            try #require(try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
        }
    }

    /// What the address that it leads to has behind the question mark.
    var query: [String: String] {
        let query = location.drop { $0 != "?" }.dropFirst()
        return Dictionary(PercentEncoding.fields(of: query).map { ($0.name, $0.value) }) { first, _ in first }
    }
}
