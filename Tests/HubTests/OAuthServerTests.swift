import ChirpAccounts
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Programs that are let in, over the router.
@Suite struct OAuthServerTests {
    private let house: HubHousehold
    private let cast: HubCast
    /// Of RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func fetch<R>(
        _ client: RouterClient<R>, _ program: HubCast.Program, code: String, _ changes: [String: String] = [:]
    ) async throws -> TestResponse {
        var fields = [
            "grant_type": "authorization_code", "client_id": program.id, "client_secret": program.secret, "code": code,
            "redirect_uri": HubCast.back,
        ]
        fields.merge(changes) { $1 }
        return try await client.send(
            .post, "/oauth/token",
            fields.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    @Test func `a program is let in, is known by its token, and gives it back`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            let page = try await ann.get(program.authorize())
            #expect(page.status == .ok && page.text.contains(">Authorise</button>") && page.text.contains("@ann"))
            #expect(!page.text.contains("<b>program"))
            // How long it lasts is told before it begins.
            #expect(page.text.contains("until you end it under Settings"))
            // Browsers follow no redirect to a place that the page has not named.
            #expect(
                page.headers[.contentSecurityPolicy]?.contains("form-action 'self' https://client.example;") == true)
            let back = try await ann.submit(program.authorize())
            #expect(back.status == .seeOther && back.location.hasPrefix(HubCast.back + "?"))
            #expect(back.query["state"] == "a b+c")
            let answer = try await fetch(client, program, code: try #require(back.query["code"]))
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
            let facts = try answer.facts
            #expect(facts["token_type"] as? String == "Bearer" && facts["scope"] as? String == "read")
            let token = try #require(facts["access_token"] as? String)
            let known = try await client.send(.get, "/api/v1/apps/verify_credentials", token: token)
            #expect(known.status == .ok)
            #expect(try known.facts["client_secret"] == nil)
            let revoked = try await client.send(
                .post, "/oauth/revoke",
                [("client_id", program.id), ("client_secret", program.secret), ("token", token)])
            #expect(revoked.status == .ok)
            #expect(
                try await client.send(.get, "/api/v1/apps/verify_credentials", token: token).status == .unauthorized)
        }
    }

    @Test func `a visitor signs in first and comes back, with a slash at the end too`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let state = String(repeating: "s", count: 1500)
            let path = program.authorize(["state": state]).replacing("authorize?", with: "authorize/?")
            let visitor = Visitor(client)
            let asked = try await visitor.get(path)
            #expect(asked.status == .seeOther && asked.location.hasPrefix("/signin?to="))
            let signedIn = try await visitor.submit(
                asked.location, [("username", "ann"), ("password", HubCast.password)])
            #expect(signedIn.location == path)
            #expect(try await visitor.get(path).status == .ok)
        }
    }

    @Test func `without a redirect the code is shown`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let oob = "urn:ietf:wg:oauth:2.0:oob"
            let program = try await cast.program(client, redirects: "\(HubCast.back)\n\(oob)")
            let ann = try await cast.browser(of: "ann", client)
            let page = try await ann.submit(program.authorize(["redirect_uri": oob]))
            #expect(page.status == .ok)
            let code = try #require(page.text.firstMatch(of: #/<code[^>]*>([^<]{43})</code>/#)?.1)
            #expect(try await fetch(client, program, code: String(code)).status == .badRequest)
            #expect(try await fetch(client, program, code: String(code), ["redirect_uri": oob]).status == .ok)
        }
    }

    @Test(arguments: [
        ["client_id": "nobody"], ["redirect_uri": "https://evil.example/back"], ["redirect_uri": ""],
        ["redirect_uri": "https://client.example/back/.."], ["redirect_uri": "https://client.example/back?x"],
    ])
    func `a browser is sent nowhere for an unknown program or address`(changes: [String: String]) async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            let answer = try await ann.get(program.authorize(changes))
            #expect(answer.status == .badRequest && answer.location.isEmpty)
        }
    }

    @Test(arguments: [
        (["response_type": "token"], "unsupported_response_type"), (["scope": "read admin"], "invalid_scope"),
        (["scope": "read follow"], "invalid_scope"), (["scope": "everything"], "invalid_scope"),
        (["code_challenge": verifier], "invalid_request"),
        (["code_challenge": verifier, "code_challenge_method": "plain"], "invalid_request"),
        (["code_challenge": "short", "code_challenge_method": "S256"], "invalid_request"),
        (["code_challenge_method": "S256"], "invalid_request"),
    ])
    func `what is wrong is told to the person first, and to the program after a press`(
        changes: [String: String], error: String
    ) async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            let answer = try await ann.get(program.authorize(changes))
            // Anybody can register a program: a browser is not led on from here to an address of a stranger.
            #expect(answer.status == .badRequest && answer.location.isEmpty)
            #expect(!answer.text.contains("http-equiv") && answer.text.contains("https://client.example"))
            let way = try #require(answer.text.firstMatch(of: #/href="(https://client\.example/[^"]*)"/#)?.1)
            let told = TestResponse(
                status: .seeOther, headers: [.location: String(way).replacing("&amp;", with: "&")], body: ByteBuffer())
            #expect(told.query["error"] == error && told.query["state"] == "a b+c" && told.query["code"] == nil)
            // Nor where the same comes with a form.
            let token = try #require(
                try await ann.get(program.authorize()).text.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
            var fields = ["response_type": "code", "client_id": program.id, "redirect_uri": HubCast.back]
            fields.merge(changes) { $1 }
            let posted = try await ann.post(
                "/oauth/authorize", [("token", String(token))] + fields.map { ($0.key, $0.value) })
            #expect(posted.status == .badRequest && posted.location.isEmpty)
        }
    }

    @Test(arguments: [
        [:], ["prompt": "none"], ["prompt": "consent"], ["max_age": "0"], ["response_mode": "form_post"],
        ["response_mode": "fragment"], ["request_uri": "https://client.example/request"], ["request": "e30.e30."],
        ["id_token_hint": "x"], ["login_hint": "ann"], ["force_login": "false"], ["response_type": "none"],
    ])
    func `no program sends a browser on without a press, not even one that was let in`(
        changes: [String: String]
    ) async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            #expect(try await ann.submit(program.authorize()).query["code"] != nil)
            let answer = try await ann.get(program.authorize(changes))
            #expect([.ok, .badRequest].contains(answer.status) && answer.location.isEmpty)
            #expect(!answer.text.contains("http-equiv"))
        }
    }

    @Test func `who refuses is believed, and a form that was changed is looked at again`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            let refused = try await ann.submit(program.authorize(), [("answer", "no")])
            #expect(refused.query["error"] == "access_denied" && refused.query["code"] == nil)
            let page = try await ann.get(program.authorize()).text
            let token = try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
            let fields = [
                ("token", String(token)), ("response_type", "code"), ("client_id", program.id), ("scope", "read"),
            ]
            let evil = try await ann.post("/oauth/authorize", fields + [("redirect_uri", "https://evil.example/")])
            #expect(evil.status == .badRequest && evil.location.isEmpty)
            let forged = fields.dropFirst() + [("redirect_uri", HubCast.back), ("token", "forged")]
            #expect(try await ann.post("/oauth/authorize", Array(forged)).status == .forbidden)
        }
    }

    @Test func `a stolen, replayed, forged or late code gives nothing`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings(limitScale: 10)).application().test(.router) { client in
            let (program, other) = (try await cast.program(client), try await cast.program(client))
            let ann = try await cast.browser(of: "ann", client)
            func code(_ changes: [String: String] = [:]) async throws -> String {
                try #require(try await ann.submit(program.authorize(changes)).query["code"])
            }
            func refuses(_ answer: TestResponse, _ error: String) throws -> Bool {
                let told = try answer.facts["error"] as? String
                return told == error && answer.headers[.cacheControl] == "no-store"
            }
            let first = try await code()
            #expect(try refuses(try await fetch(client, other, code: first), "invalid_grant"))
            #expect(
                try refuses(
                    try await fetch(client, program, code: first, ["redirect_uri": "https://evil.example/"]),
                    "invalid_grant"))
            #expect(try refuses(try await fetch(client, program, code: first, ["client_secret": ""]), "invalid_grant"))
            let wrong = try await fetch(client, program, code: first, ["client_secret": other.secret])
            #expect(wrong.status == .unauthorized)
            #expect(try refuses(wrong, "invalid_client"))
            #expect(
                try refuses(
                    try await fetch(client, program, code: first, ["grant_type": "password"]), "unsupported_grant_type")
            )
            let answer = try await fetch(client, program, code: first)
            let token = try #require(try answer.facts["access_token"] as? String)
            #expect(try refuses(try await fetch(client, program, code: first), "invalid_grant"))
            // The replay has ended what came of it.
            #expect(
                try await client.send(.get, "/api/v1/apps/verify_credentials", token: token).status == .unauthorized)
            #expect(
                try refuses(try await fetch(client, program, code: String(repeating: "a", count: 43)), "invalid_grant"))
            let late = try await code()
            house.wait(601)
            #expect(try refuses(try await fetch(client, program, code: late), "invalid_grant"))

            let keyed = try await code(["code_challenge": Self.challenge, "code_challenge_method": "S256"])
            #expect(try refuses(try await fetch(client, program, code: keyed), "invalid_grant"))
            #expect(try await fetch(client, program, code: keyed, ["code_verifier": Self.verifier]).status == .ok)
        }
    }

    @Test func `a program shows its secret by HTTP Basic, and gets a token of its own`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client, scopes: "read")
            let basic = Data("\(program.id):\(program.secret)".utf8).base64EncodedString()
            let headers: HTTPFields = [.authorization: "Basic \(basic)"]
            let grant = [(name: "grant_type", value: "client_credentials")]
            let answer = try await client.send(.post, "/oauth/token", grant, headers)
            #expect(answer.status == .ok)
            let token = try #require(try answer.facts["access_token"] as? String)
            #expect(try await client.send(.get, "/api/v1/apps/verify_credentials", token: token).status == .ok)
            let more = try await client.send(.post, "/oauth/token", grant + [("scope", "write")], headers)
            #expect(try more.facts["error"] as? String == "invalid_scope")
            let json = "{\"grant_type\":\"client_credentials\",\"client_id\":\"\(program.id)\"}"
            #expect(try await client.send(.post, "/oauth/token", json: json).status == .unauthorized)
        }
    }

    @Test(arguments: [
        "{}", "{\"client_name\":\"x\"}", "{\"client_name\":\"x\",\"redirect_uris\":\"javascript:alert(1)\"}",
        "{\"client_name\":\"\",\"redirect_uris\":\"https://client.example/\"}",
        "{\"client_name\":\"x\",\"redirect_uris\":[\"https://client.example/\"],\"scopes\":\"admin:write\"}",
        "{\"client_name\":\"x\",\"redirect_uris\":[\"https://client.example/\"],\"website\":\"javascript:x\"}",
    ])
    func `a registration that cannot be taken is refused`(json: String) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let answer = try await client.send(.post, "/api/v1/apps", json: json)
            #expect(answer.status == .unprocessableContent)
        }
    }

    @Test func `too much and what is neither JSON nor a form is refused`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let much = "{\"client_name\":\"\(String(repeating: "x", count: 10_000_000))\"}"
            #expect(try await client.send(.post, "/api/v1/apps", json: much).status == .contentTooLarge)
            #expect(try await client.send(.post, "/oauth/token", json: much).status == .contentTooLarge)
            let deep = String(repeating: "[", count: 30_000)
            #expect(try await client.send(.post, "/oauth/token", json: deep).status == .badRequest)
            let text = try await client.execute(
                uri: "/api/v1/apps", method: .post, headers: [.contentType: "text/plain"], body: .init(string: "x"))
            #expect(text.status == .unsupportedMediaType)
        }
    }

    @Test func `who registers or fails too often has to wait`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            var answer: TestResponse?
            for _ in 0..<31 {
                answer = try await client.send(
                    .post, "/oauth/token", [("grant_type", "client_credentials"), ("client_id", "nobody")])
            }
            #expect(answer?.status == .tooManyRequests && answer?.headers[.retryAfter] != nil)
            let fields = [("client_name", "x"), ("redirect_uris", HubCast.back)]
            for _ in 0..<31 { answer = try await client.send(.post, "/api/v1/apps", fields) }
            #expect(answer?.status == .tooManyRequests && answer?.headers[.retryAfter] != nil)
        }
    }

    @Test func `of what is refused at once thirty are looked at, and what is right does not count`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let own: [(name: String, value: String)] = [
                ("grant_type", "client_credentials"), ("client_id", program.id),
                ("client_secret", program.secret),
            ]
            for _ in 0..<35 { #expect(try await client.send(.post, "/oauth/token", own).status == .ok) }
            let statuses: [HTTPResponse.Status: Int] = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) {
                group in
                for _ in 0..<60 {
                    group.addTask {
                        try await client.send(
                            .post, "/oauth/token", [("grant_type", "client_credentials"), ("client_id", "nobody")]
                        ).status
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [.unauthorized: 30, .tooManyRequests: 30])
        }
    }

    @Test func `programs are listed and ended, one by one and everywhere`() async throws {
        let ann = try await cast.member("ann")
        let tokens = [try await cast.token(of: ann), try await cast.token(of: ann)]
        try await house.application(cast.settings()).application().test(.router) { client in
            func works(_ token: String) async throws -> Bool {
                try await client.send(.get, "/api/v1/apps/verify_credentials", token: token).status == .ok
            }
            let browser = try await cast.browser(of: "ann", client)
            let list = try await browser.get("/settings/tokens")
            #expect(list.text.contains("A program") && list.text.contains(">End</button>"))
            for token in tokens { #expect(!list.text.contains(token)) }
            // The ids of both forms go along, of which the first counts.
            _ = try await browser.submit("/settings/tokens", to: "/settings/tokens/end")
            let left = [try await works(tokens[0]), try await works(tokens[1])]
            #expect(left.count { $0 } == 1)
            _ = try await browser.submit("/settings/sessions", to: "/settings/sessions/end-all")
            #expect(try await !works(tokens[0]))
            #expect(try await !works(tokens[1]))
        }
    }

    @Test func `no token, code or secret lies on the disk`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let program = try await cast.program(client)
            let ann = try await cast.browser(of: "ann", client)
            let code = try #require(try await ann.submit(program.authorize()).query["code"])
            let answer = try await fetch(client, program, code: code)
            let token = try #require(try answer.facts["access_token"] as? String)
            let secrets = [program.secret, code, token].map { Data($0.utf8) }
            let files = try #require(FileManager.default.enumerator(atPath: house.folder.path("hub")))
            var looked = 0
            for case let name as String in files {
                guard let bytes = FileManager.default.contents(atPath: house.folder.path("hub/\(name)")) else {
                    continue
                }
                looked += 1
                for secret in secrets { #expect(bytes.firstRange(of: secret) == nil, "\(name)") }
            }
            #expect(looked > 1)
        }
    }

    @Test func `where tokens are to be had is told`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let facts = try await client.send(.get, "/.well-known/oauth-authorization-server").facts
            #expect(facts["issuer"] as? String == HubHousehold.publicURL)
            #expect(facts["code_challenge_methods_supported"] as? [String] == ["S256"])
            #expect((facts["token_endpoint"] as? String)?.hasPrefix(HubHousehold.publicURL + "/") == true)
        }
    }
}
