import ChirpAccounts
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// Codes and tokens, without HTTP.
@Suite struct TokenTests {
    private static let back = "https://client.example/back"
    /// Of RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private let world: AccountWorld
    private let ann: HubAccount
    private let app: ClientApp

    init() async throws {
        world = try AccountWorld()
        ann = try await world.member("ann")
        app = try await Self.register(world)
    }

    private static func register(_ world: AccountWorld, _ name: String = "A program") async throws -> ClientApp {
        let redirect = try #require(RedirectAddress(back))
        return try await world.accounts.register(
            name: name, website: "", redirects: [redirect], scopes: "read write"
        ).app
    }

    private func code(challenge: String? = nil, redirect: String = back) async throws -> OpaqueToken {
        try await world.accounts.code(
            of: ann.id, for: CodeGrant(app: app.id, redirect: redirect, scopes: "read", challenge: challenge))
    }

    private func redeem(
        _ code: OpaqueToken, app: String? = nil, isAuthentic: Bool = true, redirect: String = back,
        verifier: String? = nil
    ) async throws -> IssuedToken? {
        try await world.accounts.redeem(
            code, app: app ?? self.app.id, isAuthentic: isAuthentic, redirect: redirect, verifier: verifier)
    }

    @Test func `a code gives a token once, and its second use ends that token`() async throws {
        let code = try await code()
        let issued = try #require(try await redeem(code))
        let holder = try #require(try await world.accounts.holder(of: issued.token))
        #expect(holder.account?.id == ann.id && holder.app == app.id && holder.scopes == "read")
        #expect(try await redeem(code) == nil)
        #expect(try await world.accounts.holder(of: issued.token) == nil)
    }

    @Test func `a code is for one program and one address, and ends`() async throws {
        let other = try await Self.register(world, "Another")
        let code = try await code()
        #expect(try await redeem(code, app: other.id) == nil)
        #expect(try await redeem(code, redirect: Self.back + "/") == nil)
        #expect(try await redeem(OpaqueToken()) == nil)
        world.wait(Accounts.longestCode)
        #expect(try await redeem(code) == nil)
        #expect(try await world.rows("tokens") == 0)
    }

    @Test func `once a challenge was sent its verifier is mandatory, and where none was none is taken`() async throws {
        let challenged = try await code(challenge: Self.challenge)
        #expect(try await redeem(challenged) == nil)
        #expect(try await redeem(challenged, verifier: "") == nil)
        #expect(try await redeem(challenged, verifier: Self.challenge) == nil)
        #expect(try await redeem(challenged, verifier: String(Self.verifier.dropLast()) + "l") == nil)
        #expect(try await redeem(challenged, verifier: Self.verifier) != nil)
        let plain = try await code()
        #expect(try await redeem(plain, verifier: Self.verifier) == nil)
        #expect(try await redeem(plain) != nil)
    }

    @Test func `a program without a secret needs a verifier`() async throws {
        #expect(try await redeem(try await code(), isAuthentic: false) == nil)
        let challenged = try await code(challenge: Self.challenge)
        #expect(try await redeem(challenged, isAuthentic: false, verifier: Self.verifier) != nil)
    }

    @Test func `signing out everywhere and another password end tokens and codes`() async throws {
        let first = try #require(try await redeem(try await code()))
        let waiting = try await code()
        try await world.accounts.signOutEverywhere(ann.id)
        #expect(try await world.accounts.holder(of: first.token) == nil)
        #expect(try await redeem(waiting) == nil)
        let second = try #require(try await redeem(try await code()))
        _ = try await world.accounts.changePassword(of: ann.id, to: Secret("another password"), agent: "")
        #expect(try await world.accounts.holder(of: second.token) == nil)
    }

    @Test func `a session that is ended from the list takes the codes with it that wait, and leaves tokens`()
        async throws
    {
        let given = try #require(try await redeem(try await code()))
        let waiting = try await code()
        _ = try await world.signIn("ann")
        let session = try #require(try await world.accounts.sessions(of: ann.id).first)
        try await world.accounts.end(session: session.id, of: ann.id)
        #expect(try await redeem(waiting) == nil)
        #expect(try await world.accounts.holder(of: given.token) != nil)
    }

    @Test func `tokens are listed without their secrets, and nobody ends another's`() async throws {
        let bob = try await world.member("bob")
        let issued = try #require(try await redeem(try await code()))
        let list = try await world.accounts.tokens(of: ann.id)
        #expect(list.map(\.app) == ["A program"] && list.map(\.scopes) == ["read"])
        try await world.accounts.end(token: list[0].id, of: bob.id)
        #expect(try await world.accounts.holder(of: issued.token) != nil)
        try await world.accounts.end(token: list[0].id, of: ann.id)
        #expect(try await world.accounts.holder(of: issued.token) == nil)
        #expect(try await world.accounts.tokens(of: ann.id).isEmpty)
    }

    @Test func `a program gives back its own tokens alone`() async throws {
        let other = try await Self.register(world, "Another")
        let issued = try #require(try await redeem(try await code()))
        try await world.accounts.revoke(issued.token, of: other.id)
        #expect(try await world.accounts.holder(of: issued.token) != nil)
        try await world.accounts.revoke(issued.token, of: app.id)
        #expect(try await world.accounts.holder(of: issued.token) == nil)
    }

    @Test func `a program's own token speaks for nobody, and ends`() async throws {
        let issued = try await world.accounts.token(for: app.id, scopes: "read")
        let holder = try #require(try await world.accounts.holder(of: issued.token))
        #expect(holder.account == nil && holder.scopes == "read")
        world.wait(Accounts.longestAppToken)
        #expect(try await world.accounts.holder(of: issued.token) == nil)
    }

    @Test func `a program has five tokens of its own, and those that people gave it stay`() async throws {
        let given = try #require(try await redeem(try await code()))
        var own: [IssuedToken] = []
        for _ in 0..<8 { own.append(try await world.accounts.token(for: app.id, scopes: "read")) }
        var works: [Bool] = []
        for token in own { works.append(try await world.accounts.holder(of: token.token) != nil) }
        #expect(works == [false, false, false, true, true, true, true, true])
        #expect(try await world.accounts.holder(of: given.token) != nil)
    }

    @Test func `an account has a hundred tokens, all of them listed, and the oldest goes for another`() async throws {
        let oldest = try #require(try await redeem(try await code()))
        let bob = try await world.member("bob")
        let other = try #require(
            try await redeem(
                try await world.accounts.code(
                    of: bob.id, for: CodeGrant(app: app.id, redirect: Self.back, scopes: "read", challenge: nil))))
        let own = try await world.accounts.token(for: app.id, scopes: "read")
        for _ in 0..<Accounts.mostTokens {
            world.wait(1)
            _ = try await redeem(try await code())
        }
        #expect(try await world.accounts.tokens(of: ann.id).count == Accounts.mostTokens)
        #expect(try await world.rows("tokens") == Accounts.mostTokens + 2)
        #expect(try await world.accounts.holder(of: oldest.token) == nil)
        for token in [other, own] { #expect(try await world.accounts.holder(of: token.token) != nil) }
    }

    @Test func `an account gives sixty codes an hour`() async throws {
        let world = try AccountWorld(isLimited: true)
        let (ann, app) = (try await world.member("ann"), try await Self.register(world))
        let grant = CodeGrant(app: app.id, redirect: Self.back, scopes: "read", challenge: nil)
        for _ in 0..<60 { _ = try await world.accounts.code(of: ann.id, for: grant) }
        await #expect(throws: AccountError.self) { try await world.accounts.code(of: ann.id, for: grant) }
        world.wait(61)
        _ = try await world.accounts.code(of: ann.id, for: grant)
        #expect(try await world.rows("codes") == 61)
    }

    @Test func `the last use of a token is known to the day`() async throws {
        let issued = try #require(try await redeem(try await code()))
        let before = try await world.accounts.tokens(of: ann.id)[0].used
        world.wait(Accounts.tokenUse / 2)
        _ = try await world.accounts.holder(of: issued.token)
        #expect(try await world.accounts.tokens(of: ann.id)[0].used == before)
        world.wait(Accounts.tokenUse)
        _ = try await world.accounts.holder(of: issued.token)
        #expect(try await world.accounts.tokens(of: ann.id)[0].used == Accounts.milliseconds(world.now))
    }

    @Test func `programs that nobody has let in go, others stay`() async throws {
        let kept = try await Self.register(world, "Kept")
        _ = try await world.accounts.token(for: kept.id, scopes: "read")
        _ = try await redeem(try await code())
        let unused = try await Self.register(world, "Unused")
        world.wait(Accounts.longestUnusedApp + 1)
        _ = try await Self.register(world, "New")
        #expect(try await world.accounts.app(unused.id) == nil)
        #expect(try await world.accounts.app(app.id) != nil)
    }

    @Test func `an account takes its tokens and codes with it`() async throws {
        _ = try #require(try await redeem(try await code()))
        let bob = try await world.member("bob")
        let code = try await world.accounts.code(
            of: bob.id, for: CodeGrant(app: app.id, redirect: Self.back, scopes: "read", challenge: nil))
        let issued = try #require(try await redeem(code))
        _ = try await world.accounts.delete(bob.id)
        #expect(try await world.accounts.holder(of: issued.token) == nil)
        #expect(try await world.rows("tokens") == 1)
    }
}
