import ChirpAccounts
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Accounts and sessions as programs meet them: JSON and problems, over the router.
@Suite struct AccountAPITests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let account = "/api/hub/v1/account"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// The last part of the type of a problem, which is told in the right form.
    private func kind(_ answer: TestResponse) throws -> String {
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(answer.headers[.cacheControl] == "no-store")
        let facts = try answer.facts
        #expect(facts["status"] as? Int == answer.status.code && facts["title"] != nil)
        let type = try #require(facts["type"] as? String)
        let base = HubHousehold.publicURL + "/api/hub/v1/problems/"
        #expect(type.hasPrefix(base))
        return String(type.dropFirst(base.count))
    }

    private func errors(_ answer: TestResponse) throws -> [String: String] {
        try answer.facts["errors"] as? [String: String] ?? [:]
    }

    @Test func `somebody signs up, and an address that has an account gets the same answer`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            func signUp(_ handle: String, _ mail: String) async throws -> TestResponse {
                try await client.send(
                    .post, Self.account,
                    json: "{\"handle\":\"\(handle)\",\"mail\":\"\(mail)\",\"password\":\"\(HubCast.password)\"}")
            }
            let first = try await signUp("ann", "ann@example.org")
            let again = try await signUp("eve", "ann@example.org")
            #expect(first.status == .accepted && again.status == .accepted && first.text == again.text)
            #expect(try await cast.accounts.account(Handle(typed: "ann"))?.state == .unconfirmed)
            #expect(try await cast.accounts.account(Handle(typed: "eve")) == nil)
            let taken = try await signUp("ann", "bob@example.org")
            #expect(taken.status == .unprocessableContent)
            #expect(try kind(taken) == "invalid")
            #expect(try errors(taken).keys.sorted() == ["handle"])
            let empty = try await client.send(.post, Self.account, json: "{}")
            #expect(empty.status == .unprocessableContent)
        }
    }

    @Test(arguments: [Registration.closed, .invite])
    func `where nobody may sign up programs cannot either`(registration: Registration) async throws {
        try await house.application(cast.settings(registration)).application().test(.router) { client in
            let answer = try await client.send(
                .post, Self.account,
                json: "{\"handle\":\"ann\",\"mail\":\"a@example.org\",\"password\":\"\(HubCast.password)\"}")
            #expect(answer.status == .forbidden)
            #expect(try kind(answer) == "registration-closed")
        }
    }

    @Test func `links are used up by programs too`() async throws {
        try await cast.member("ann")
        let letter = try await cast.accounts.requestReset(MailAddress(typed: "ann@example.org"))
        guard case .reset(_, let link)? = letter else { throw HubCast.Unexpected() }
        let json = "{\"token\":\"\(link.token.secret.reveal())\",\"password\":\"another password\"}"
        try await house.application(cast.settings()).application().test(.router) { client in
            #expect(try await client.send(.post, Self.account + "/reset/confirm", json: json).status == .noContent)
            let again = try await client.send(.post, Self.account + "/reset/confirm", json: json)
            #expect(again.status == .unprocessableContent)
            #expect(try kind(again) == "dead-link")
            let forged = try await client.send(.post, Self.account + "/confirm", json: "{\"token\":\"forged\"}")
            #expect(try kind(forged) == "dead-link")
            let known = try await client.send(.post, Self.account + "/reset", json: "{\"mail\":\"ann@example.org\"}")
            let unknown = try await client.send(.post, Self.account + "/reset", json: "{\"mail\":\"eve@example.org\"}")
            #expect(known.status == .accepted && unknown.status == .accepted)
        }
    }

    @Test func `another password needs the old one, and ends sessions and tokens`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            func change(_ old: String, _ new: String) async throws -> TestResponse {
                try await client.send(
                    .put, Self.account + "/password", json: "{\"password\":\"\(old)\",\"newPassword\":\"\(new)\"}",
                    token: token)
            }
            #expect(try errors(try await change("not the password", "another password")).keys.sorted() == ["password"])
            #expect(try errors(try await change(HubCast.password, "short")).keys.sorted() == ["newPassword"])
            #expect(try await change(HubCast.password, "another password").status == .noContent)
            let after = try await change("another password", "a third password")
            #expect(after.status == .unauthorized)
            #expect(try kind(after) == "token")
            #expect(try await browser.get("/settings").status == .seeOther)
        }
    }

    @Test func `a session alone does nothing: the page's token has to be there`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let page = try await browser.get("/settings/sessions").text
            let form = try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
            let cookies = try ["session", "visit"].map { "__Host-\($0)=\(try #require(browser.cookie($0)))" }
            let (proof, site) = (try #require(HTTPField.Name("X-Chirp-Form")), HTTPField.Name("Sec-Fetch-Site"))
            let riding: HTTPFields = [.cookie: cookies.joined(separator: "; ")]
            var headers = riding
            #expect(try await client.send(.get, "/api/hub/v1/sessions", headers).status == .ok)
            let refused = try await client.send(.delete, "/api/hub/v1/sessions", headers)
            #expect(refused.status == .unauthorized)
            #expect(try kind(refused) == "signed-out")
            headers[proof] = "forged"
            #expect(try await client.send(.delete, "/api/hub/v1/sessions", headers).status == .unauthorized)
            headers[proof] = String(form)
            headers[try #require(site)] = "cross-site"
            #expect(try await client.send(.delete, "/api/hub/v1/sessions", headers).status == .unauthorized)
            headers[try #require(site)] = "same-origin"
            #expect(try await client.send(.delete, "/api/hub/v1/sessions", headers).status == .noContent)
            #expect(try await client.send(.get, "/api/hub/v1/sessions", riding).status == .unauthorized)
        }
    }

    @Test func `a token does what its scopes say and nothing else`() async throws {
        let ann = try await cast.member("ann")
        let (reading, posting) = (
            try await cast.token(of: ann, "read"), try await cast.token(of: ann, "write:statuses")
        )
        try await house.application(cast.settings()).application().test(.router) { client in
            _ = try await cast.browser(of: "ann", client)
            #expect(try await client.send(.get, "/api/hub/v1/sessions", token: reading).status == .ok)
            #expect(try await client.send(.get, "/api/hub/v1/sessions", token: posting).status == .forbidden)
            let refused = try await client.send(.delete, "/api/hub/v1/sessions", token: reading)
            #expect(refused.status == .forbidden)
            #expect(try kind(refused) == "scope")
            let forged = try await client.send(
                .get, "/api/hub/v1/sessions", token: String(repeating: "a", count: 43))
            #expect(
                forged.status == .unauthorized && forged.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            // Pages are for people: a token opens none.
            #expect(try await client.send(.get, "/settings", token: reading).status == .seeOther)
        }
    }

    @Test func `sessions are listed and ended, and nobody ends another's`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let (token, other) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let list = try await client.send(.get, "/api/hub/v1/sessions", token: token)
            let found = try #require(
                try JSONSerialization.jsonObject(with: Data(list.body.readableBytesView)) as? [[String: Any]])
            let id = try #require(found.first?["id"] as? String)
            #expect(found.count == 1)
            let path = "/api/hub/v1/sessions/\(id)"
            #expect(try await client.send(.delete, path, token: other).status == .notFound)
            #expect(try await browser.get("/settings").status == .ok)
            #expect(try await client.send(.delete, path, token: token).status == .noContent)
            #expect(try await browser.get("/settings").status == .seeOther)
            #expect(try await client.send(.delete, path, token: token).status == .notFound)
        }
    }

    @Test func `an account is removed with its password`() async throws {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let wrong = try await client.send(.delete, Self.account, json: "{\"password\":\"wrong\"}", token: token)
            #expect(try errors(wrong).keys.sorted() == ["password"])
            let json = "{\"password\":\"\(HubCast.password)\"}"
            #expect(try await client.send(.delete, Self.account, json: json, token: token).status == .noContent)
            #expect(try await client.send(.delete, Self.account, json: json, token: token).status == .unauthorized)
            #expect(try await cast.accounts.account(ann.id) == nil)
        }
    }

    @Test func `too much, another type, another method and no such address are problems`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let much = "{\"handle\":\"\(String(repeating: "x", count: 10_000_000))\"}"
            let long = try await client.send(.post, Self.account, json: much)
            #expect(long.status == .contentTooLarge)
            #expect(try kind(long) == "status-413")
            let text = try await client.execute(
                uri: Self.account, method: .post, headers: [.contentType: "text/plain"], body: .init(string: "x"))
            #expect(text.status == .unsupportedMediaType)
            #expect(try kind(text) == "media-type")
            for json in ["[]", "7", "{", "null", String(repeating: "{\"a\":", count: 2000)] {
                let answer = try await client.send(.post, Self.account, json: json)
                #expect(answer.status == .badRequest)
                #expect(try kind(answer) == "not-understood")
            }
            let method = try await client.send(.patch, Self.account)
            #expect(method.status == .methodNotAllowed && method.headers[.allow] == "DELETE, POST")
            #expect(try kind(method) == "status-405")
            #expect(try await client.send(.get, Self.account).status == .methodNotAllowed)
            let nothing = try await client.send(.get, "/api/hub/v1/nothing")
            #expect(nothing.status == .notFound)
            #expect(try kind(nothing) == "status-404")
        }
    }

    @Test func `each type of a problem is an address that explains it, to people too`() async throws {
        let kinds = try Self.kindsInSources()
        #expect(kinds.count > 10)
        try await house.application(cast.settings()).application().test(.router) { client in
            for kind in kinds.union(["status-405", "status-413", "status-500"]) {
                let path = "/api/hub/v1/problems/\(kind)"
                let answer = try await client.send(.get, path)
                #expect(answer.status == .ok, "\(kind) is not explained in ProblemKind.swift")
                let page = try await client.send(.get, path, [.accept: "text/html,*/*"])
                #expect(page.headers[.contentType]?.hasPrefix("text/html") == true)
            }
            for kind in ["nothing", "status-200", "status-x", "%3Cscript%3E"] {
                #expect(try await client.send(.get, "/api/hub/v1/problems/\(kind)").status == .notFound)
            }
        }
    }

    /// Every kind that the hub's sources name.
    private static func kindsInSources() throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        var kinds: Set<String> = []
        for module in ["ChirpWeb", "ChirpHub"] {
            let files = try #require(FileManager.default.enumerator(atPath: root.appending(path: module).path()))
            for case let name as String in files where name.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appending(path: "\(module)/\(name)"), encoding: .utf8)
                let calls = text.matches(of: #/Problem\(\s*[.\w(): ]+,\s*"([a-z0-9-]+)"/#)
                kinds.formUnion(calls.map { String($0.1) })
            }
        }
        return kinds
    }
}
