import ChirpCore
import ChirpHTTP
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

// A sign-in that survives: renewed in time, once, and ended with its cause.
@Suite struct SignedInTokensTests {
    @Test func `a token is used until a minute before its end, then renewed`() async throws {
        let scene = try SignInScene(.google)
        try await scene.signInAndKeep()
        let tokens = try scene.tokens()
        let first = try await tokens.token(insteadOf: nil)
        scene.wait(3599 - 61)
        #expect(try await tokens.token(insteadOf: nil) == first)
        scene.wait(2)
        let second = try await tokens.token(insteadOf: nil)
        #expect(second != first)
        #expect(scene.oauth.refreshes == 1)
        // Google sends no new refresh token: the old one stays good.
        scene.wait(3599)
        #expect(try await tokens.token(insteadOf: nil) != second)
    }

    @Test func `at X the new refresh token is on disk before the new access token is used`() async throws {
        let scene = try SignInScene(.x)
        try await scene.signInAndKeep()
        let before = try scene.store.credential(for: "x")?.refreshToken
        scene.wait(7200)
        let token = try await scene.tokens().token(insteadOf: nil)
        let kept = try #require(try scene.store.credential(for: "x"))
        #expect(kept.accessToken == token)
        #expect(kept.refreshToken != before)
        scene.wait(7200)
        _ = try await scene.tokens().token(insteadOf: nil)  // would fail with the old one
        #expect(scene.oauth.refreshes == 2)
    }

    @Test func `a refusal renews once, and a second refusal is handed on`() async throws {
        let scene = try SignInScene(.google)
        try await scene.signInAndKeep()
        scene.oauth.expireAll()
        let server = try LoopbackServer { scene.oauth.accepts($0) ? .init(204) : .json(401, "{}") }
        defer { server.close() }
        let transport = AuthorizedTransport(CurlTransport(), tokens: try scene.tokens())
        let request = HTTPRequest(.get, try #require(WebAddress(server.base)))
        #expect(try await transport.send(request).status == 204)
        #expect(scene.oauth.refreshes == 1)
        let stubborn = try LoopbackServer { _ in .json(401, "{}") }
        defer { stubborn.close() }
        #expect(try await transport.send(HTTPRequest(.get, try #require(WebAddress(stubborn.base)))).status == 401)
        #expect(scene.oauth.refreshes == 2)
        #expect(stubborn.requests.count == 2)
    }

    @Test func `many requests that need a new token at once send one refresh`() async throws {
        let scene = try SignInScene(.x)
        try await scene.signInAndKeep()
        scene.wait(7200)
        let found = try await withThrowingTaskGroup(of: Secret.self) { group in
            // Each with objects of its own, as processes have.
            for _ in 0..<8 {
                group.addTask { try await scene.tokens(CurlTransport()).token(insteadOf: nil) }
            }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(scene.oauth.refreshes == 1)
    }

    @Test(arguments: [LoopbackOAuth.Flavour.google, .x])
    func `a revoked sign-in is wiped and says why, also later`(flavour: LoopbackOAuth.Flavour) async throws {
        let scene = try SignInScene(flavour)
        try await scene.signInAndKeep()
        scene.oauth.revokeAll()
        let name = try scene.service().name
        let old = try #require(try scene.store.credential(for: name)?.accessToken)
        let first = await failure { _ = try await scene.tokens().token(insteadOf: old) }
        guard case .signedOut(name, let cause) = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(first?.exitCode == .signInNeeded)
        #expect(first?.cure == .signIn(service: name))
        #expect(cause.contains("7 days") == (flavour == .google))
        let text = try String(contentsOfFile: scene.store.path, encoding: .utf8)
        #expect(!scene.oauth.secrets.filter { !$0.isEmpty }.contains { text.contains($0) })
        // Nothing is asked any more, and the reason is still known.
        let requests = scene.server.requests.count
        #expect(await failure { _ = try await scene.tokens().token(insteadOf: nil) } == first)
        #expect(scene.server.requests.count == requests)
    }

    @Test func `a service that is down, or a wrong client, does not end the sign-in`() async throws {
        let scene = try SignInScene(.google)
        try await scene.signInAndKeep()
        scene.wait(3599)
        let kept = try scene.store.credential(for: "drive")
        scene.oauth.fail([.json(503, "{}"), .json(401, #"{"error":"invalid_client"}"#)])
        let down = await failure { _ = try await scene.tokens().token(insteadOf: nil) }
        #expect(down?.isTemporary == true)
        let wrong = await failure { _ = try await scene.tokens().token(insteadOf: nil) }
        #expect(wrong?.whatHappened.contains("client id") == true)
        #expect(try scene.store.credential(for: "drive") == kept)
        _ = try await scene.tokens().token(insteadOf: nil)
    }

    /// Only the service's own word ends a sign-in: a 400 may come of a fault on the way.
    @Test(arguments: [
        (LoopbackOAuth.Flavour.x, 400, "{}"), (.x, 400, #"{"error":"invalid_request"}"#),
        (.x, 400, #"{"error":"invalid_request","error_description":"Missing required parameter [grant_type]."}"#),
        (.x, 400, #"{"error":"server_error","error_description":"the token service is invalid"}"#),
        (.x, 403, #"{"error":"invalid_grant"}"#), (.google, 400, #"{"error":"invalid_request"}"#),
        (.google, 400, #"{"error":"invalid_request","error_description":"the token is invalid"}"#),
    ])
    func `a refusal of another kind keeps the sign-in`(
        flavour: LoopbackOAuth.Flavour, status: Int, body: String
    ) async throws {
        let scene = try SignInScene(flavour)
        try await scene.signInAndKeep()
        let name = try scene.service().name
        let kept = try scene.store.credential(for: name)
        scene.oauth.fail([.json(status, body)])
        let old = try #require(kept?.accessToken)
        let error = await failure { _ = try await scene.tokens().token(insteadOf: old) }
        #expect(error?.exitCode == .signInNeeded)
        #expect(try scene.store.credential(for: name) == kept)
        _ = try await scene.tokens().token(insteadOf: old)
    }

    @Test(arguments: ["1e300", "-1", "9223372036854775807", "0.5", "\"soon\"", "null", "1e999", "-1e300"])
    func `whatever end a service tells, the token is kept and used`(end: String) async throws {
        let scene = try SignInScene(.google)
        try await scene.signInAndKeep()
        scene.wait(3599)
        scene.oauth.fail([.json(200, #"{"access_token":"next","token_type":"Bearer","expires_in":\#(end)}"#)])
        let token = try? await scene.tokens().token(insteadOf: nil)
        let kept = try scene.store.credential(for: "drive")
        // What is no JSON number at all is no answer, and leaves what was there.
        #expect(token == nil ? kept?.refreshToken != nil : kept?.accessToken == token)
        if let expires = kept?.expires { #expect(expires.timeIntervalSince(scene.now) < 4e8) }
    }

    @Test func `nobody has signed in`() async throws {
        let scene = try SignInScene(.google)
        let error = await failure { _ = try await scene.tokens().token(insteadOf: nil) }
        #expect(error == .signedOut(service: "drive", cause: ""))
    }

    @Test func `signing out revokes at the service and leaves nothing, and says when it could not`() async throws {
        let scene = try SignInScene(.google)
        try await scene.signInAndKeep()
        let out = SignOut(store: scene.store, transport: CurlTransport())
        #expect(try await out.run("drive", client: try scene.service()) == .revoked)
        #expect(scene.oauth.isSignedOut)
        #expect(try scene.store.credential(for: "drive") == nil)
        #expect(try await out.run("drive", client: try scene.service()) == .wasNotSignedIn)
        try await scene.signInAndKeep()
        let gone = try ReservedPort()
        let client = try scene.service(at: "http://127.0.0.1:\(gone.number)")
        guard case .onlyHere = try await out.run("drive", client: client) else {
            Issue.record("the service cannot have been told")
            return
        }
        withExtendedLifetime(gone) {}
        #expect(try scene.store.all().isEmpty)
    }

    private func failure(_ body: () async throws -> Void) async -> HTTPError? {
        do { try await body() } catch { return error as? HTTPError }
        return nil
    }
}
