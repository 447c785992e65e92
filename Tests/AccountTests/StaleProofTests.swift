import ChirpAccounts
import ChirpCore
import Foundation
import Testing

/// An act that was confirmed, or asked for by a session or a token, when what it rests on ends before its transaction.
@Suite struct StaleProofTests {
    private let world: AccountWorld
    private let ann: HubAccount
    private let app: ClientApp

    private static let back = "https://client.example/back"

    init() async throws {
        world = try AccountWorld(hasOwner: true)
        ann = try await world.member("ann")
        let redirect = try #require(RedirectAddress(Self.back))
        app = try await world.accounts.register(
            name: "A program", website: "", redirects: [redirect], scopes: "read"
        ).app
    }

    /// Each that asks for the password again.
    enum Act: CaseIterable, Sendable {
        case password, mail, handle, deletion, authenticator, authenticatorOff, passkeyRemoval, attempt, link, unlink
        case export
    }

    /// What has everybody else out.
    enum End: CaseIterable, Sendable { case reset, newPassword, signOutEverywhere }

    private func happen(_ end: End) async throws {
        switch end {
        case .reset:
            let letter = try await world.accounts.requestReset(MailAddress(typed: "ann@example.org"))
            guard case .reset(_, let link)? = letter else { throw AccountWorld.Unexpected() }
            _ = try await world.accounts.reset(link.token, password: Secret("another password"))
        case .newPassword:
            _ = try await world.accounts.changePassword(of: ann.id, to: Secret("another password"), agent: "")
        case .signOutEverywhere: try await world.accounts.signOutEverywhere(ann.id)
        }
    }

    private func carryOut(_ act: Act, by accounts: Accounts) async throws {
        switch act {
        case .password:
            _ = try await accounts.changePassword(of: ann.id, to: Secret("thievish horse battery"), agent: "")
        case .mail: _ = try await accounts.changeMail(of: ann.id, to: MailAddress(typed: "thief@example.net"))
        case .handle: _ = try await accounts.changeHandle(of: ann.id, to: Handle(typed: "thief"))
        case .deletion: _ = try await accounts.delete(ann.id)
        case .authenticator:
            let factor = accounts.newSecondFactor()
            let code = factor.code(atStep: OneTimeCode.step(at: world.now))
            _ = try await accounts.switchOn(factor, code: code, of: ann.id)
        case .authenticatorOff: try await accounts.switchOffSecondFactor(of: ann.id)
        case .passkeyRemoval: try await accounts.removePasskey("none", of: ann.id)
        case .attempt:
            try await accounts.begin(
                IdentityAttempt(provider: "service", way: "/", account: ann.id), state: OpaqueToken(),
                browser: OpaqueToken())
        case .link:
            _ = try await accounts.link(
                OutsideIdentity(provider: "service", subject: "thief", shown: "Thief"), to: ann.id)
        case .unlink: _ = try await accounts.unlink("none", of: ann.id)
        case .export: try await accounts.askAgain()
        }
    }

    @Test(arguments: Act.allCases, End.allCases)
    func `an act that was confirmed changes nothing once everybody else was put out`(
        act: Act, end: End
    ) async throws {
        let proof = try await world.accounts.check(AccountWorld.password, of: ann.id)
        let accounts = world.accounts.confirmed(by: proof)
        try await happen(end)
        let commits = world.commits
        await #expect(throws: AccountError.wrongCredentials) { try await carryOut(act, by: accounts) }
        #expect(world.commits == commits)
    }

    @Test(arguments: Act.allCases)
    func `an act that was confirmed happens where nothing came between`(act: Act) async throws {
        let session = try await world.signIn("ann")
        let accounts = world.accounts.asked(by: .session(session.token), of: ann.id)
        let proof = try await accounts.check(AccountWorld.password, of: ann.id)
        try await carryOut(act, by: accounts.confirmed(by: proof))
    }

    @Test
    func `an act of an account without a password ends with its sign-out everywhere, and with its first password`()
        async throws
    {
        let world = try AccountWorld(hasOwner: true)
        let owner = try #require(try await world.accounts.owner()).id
        let first = world.accounts.confirmed(by: try await world.accounts.checkNoPassword(of: owner))
        try await world.accounts.signOutEverywhere(owner)
        await #expect(throws: AccountError.wrongCredentials) {
            try await first.changePassword(of: owner, to: Secret("thievish horse battery"), agent: "")
        }
        let second = world.accounts.confirmed(by: try await world.accounts.checkNoPassword(of: owner))
        _ = try await second.changePassword(of: owner, to: Secret("another password"), agent: "")
        await #expect(throws: AccountError.wrongCredentials) {
            try await second.changePassword(of: owner, to: Secret("thievish horse battery"), agent: "")
        }
        await #expect(throws: AccountError.wrongCredentials) { try await world.accounts.checkNoPassword(of: owner) }
    }

    @Test func `a linking whose browser was back before a reset does not come back after it`() async throws {
        let (state, browser) = (OpaqueToken(), OpaqueToken())
        try await world.accounts.begin(
            IdentityAttempt(provider: "service", way: "/", account: ann.id), state: state, browser: browser)
        let attempt = try await world.accounts.end(attempt: state, browser: browser)
        // The service is slow to say who it was.
        try await happen(.reset)
        let accounts = world.accounts.confirmed(by: try #require(attempt.proof))
        await #expect(throws: AccountError.wrongCredentials) { try await carryOut(.link, by: accounts) }
        #expect(try await world.rows("identities") == 0)
    }

    private func code(_ accounts: Accounts) async throws -> OpaqueToken {
        try await accounts.code(
            of: ann.id, for: CodeGrant(app: app.id, redirect: Self.back, scopes: "read", challenge: nil))
    }

    /// Whatever opens the account and needs no password.
    private func makeAll(_ accounts: Accounts) async throws -> Int {
        var made = 0
        do throws(AccountError) {
            _ = try await accounts.newFeedAddress(of: ann.id)
            made += 1
        } catch { #expect(error == .wrongCredentials) }
        do throws(AccountError) {
            _ = try await accounts.passkeyChallenge(for: ann.id)
            made += 1
        } catch { #expect(error == .wrongCredentials) }
        do {
            _ = try await code(accounts)
            made += 1
        } catch { #expect(error as? AccountError == .wrongCredentials) }
        return made
    }

    @Test func `a session makes nothing that opens the account once it has ended`() async throws {
        let session = try await world.signIn("ann")
        let accounts = world.accounts.asked(by: .session(session.token), of: ann.id)
        #expect(try await makeAll(accounts) == 3)
        // Another's is none of hers.
        let bob = try await world.member("bob")
        #expect(try await makeAll(world.accounts.asked(by: .session(world.signIn("bob").token), of: ann.id)) == 0)
        await #expect(throws: AccountError.wrongCredentials) {
            try await accounts.asked(by: .session(session.token), of: bob.id).newFeedAddress(of: bob.id)
        }
        try await world.accounts.signOut(session.token)
        let commits = world.commits
        #expect(try await makeAll(accounts) == 0 && world.commits == commits)
    }

    @Test func `a token makes nothing that opens the account once it has ended`() async throws {
        let issued = try await world.accounts.redeem(
            try await code(world.accounts), app: app.id, isAuthentic: true, redirect: Self.back, verifier: nil)
        let token = try #require(issued).token
        let accounts = world.accounts.asked(by: .token(token), of: ann.id)
        #expect(try await makeAll(accounts) == 3)
        try await world.accounts.revoke(token, of: app.id)
        #expect(try await makeAll(accounts) == 0)
    }
}
