import ChirpAccounts
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

@Suite struct SignInTests {
    @Test(arguments: ["ann", "nobody", "ann@example.org", "", "'; DROP TABLE accounts; --", "\u{0}"])
    func `a wrong password and an unknown name get the same answer`(name: String) async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        await #expect(throws: AccountError.wrongCredentials) {
            try await world.signIn(name, Secret("not the password"))
        }
    }

    @Test func `a session ends when it is signed out, when it is idle and at its last day`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let one = try await world.signIn("ann")
        try await world.accounts.signOut(one.token)
        #expect(try await world.accounts.account(of: one.token) == nil)

        let idle = try await world.signIn("ann")
        world.wait(Accounts.longestIdle + 1)
        #expect(try await world.accounts.account(of: idle.token) == nil)

        let used = try await world.signIn("ann")
        for _ in 0..<60 {
            world.wait(Accounts.longestSession / 50)
            try await world.accounts.visit(used.token)
        }
        #expect(try await world.accounts.account(of: used.token) == nil)
    }

    @Test func `a session that is used lasts on`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let session = try await world.signIn("ann")
        for _ in 0..<5 {
            world.wait(Accounts.longestIdle * 0.9)
            try await world.accounts.visit(session.token)
            #expect(try await world.accounts.account(of: session.token) != nil)
        }
    }

    @Test func `an account has a hundred sessions, all of them listed, and the oldest goes for another`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let ann = try await world.member("ann")
        try await world.member("bob")
        let other = try await world.signIn("bob")
        // As many as an earlier release let begin.
        try await world.change(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO sessions (digest, id, account, agent, created, expires)
            SELECT randomblob(32), 'old' || i, '\(ann.id)', '', i, 9000000000000 FROM n
            """)
        #expect(try await world.accounts.sessions(of: ann.id).count == Accounts.mostSessions)
        let newest = try await world.signIn("ann")
        let list = try await world.accounts.sessions(of: ann.id)
        #expect(list.count == Accounts.mostSessions && list.last?.id == "old902")
        #expect(try await world.rows("sessions") == Accounts.mostSessions + 1)
        #expect(try await world.accounts.account(of: newest.token) != nil)
        #expect(try await world.accounts.account(of: other.token) != nil)
    }

    @Test(arguments: [
        "DELETE FROM sessions WHERE expires <= 1", "DELETE FROM links WHERE expires <= 1",
        "DELETE FROM codes WHERE expires < 1", "DELETE FROM tokens WHERE expires <= 1",
        "DELETE FROM passkeyChallenges WHERE expires <= 1", "DELETE FROM identityAttempts WHERE expires <= 1",
        "DELETE FROM identityArrivals WHERE expires <= 1",
        "SELECT id FROM accounts WHERE state = 'unconfirmed' AND role <> 'owner' AND created <= 1",
        "SELECT rowid FROM sessions WHERE account = 'a' ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET 99",
        "SELECT rowid FROM tokens WHERE account IS NULL AND app = 'a' ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET 4",
    ])
    func `what has ended is found without reading what has not`(sql: String) async throws {
        let plan = try await AccountWorld().plan(sql)
        // SQLite's word for an index; `SCAN` is all of the table.
        #expect(plan.first?.hasPrefix("SEARCH") == true && !plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `letters go to the address of the account, however it is typed`() async throws {
        let world = try AccountWorld(hasOwner: true)
        try await world.member("ann", mail: "ann@example.org")
        let bob = try await world.member("bob")
        let typed = try MailAddress(typed: "ANN@example.org")
        let letters = [
            try await world.accounts.requestReset(typed), try await world.accounts.changeMail(of: bob.id, to: typed),
            try await world.accounts.signUp(
                handle: Handle(typed: "eve"), mail: typed, password: AccountWorld.password, registration: .open),
        ]
        #expect(letters.map { $0?.recipient.text } == Array(repeating: "ann@example.org", count: 3))
    }

    @Test func `sessions are listed without their secrets and ended one by one or all`() async throws {
        let world = try AccountWorld()
        let (ann, bob) = (try await world.member("ann"), try await world.member("bob"))
        let sessions = [try await world.signIn("ann"), try await world.signIn("ann")]
        let other = try await world.signIn("bob")
        let list = try await world.accounts.sessions(of: ann.id)
        #expect(list.count == 2)
        // Nobody ends what is another's.
        try await world.accounts.end(session: list[0].id, of: bob.id)
        #expect(try await world.accounts.sessions(of: ann.id).count == 2)
        try await world.accounts.end(session: list[0].id, of: ann.id)
        #expect(try await world.accounts.sessions(of: ann.id).count == 1)
        try await world.accounts.signOutEverywhere(ann.id)
        for session in sessions { #expect(try await world.accounts.account(of: session.token) == nil) }
        #expect(try await world.accounts.account(of: other.token)?.id == bob.id)
    }

    @Test func `a new password ends the sessions of the old one`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        let old = try await world.signIn("ann")
        let (new, letter) = try await world.accounts.changePassword(
            of: ann.id, to: Secret("another password"), agent: "a browser")
        #expect(letter != nil)
        #expect(try await world.accounts.account(of: old.token) == nil)
        #expect(try await world.accounts.account(of: new.token) != nil)
        await #expect(throws: AccountError.wrongCredentials) { try await world.signIn("ann") }
        _ = try await world.signIn("ann", Secret("another password"))
    }

    @Test func `a lost password is set anew by a link that works once`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let unknown = try await world.accounts.requestReset(MailAddress(typed: "eve@example.org"))
        #expect(unknown == nil)
        let letter = try await world.accounts.requestReset(MailAddress(typed: "ann@example.org"))
        guard case .reset(_, let link)? = letter else { throw AccountWorld.Unexpected() }
        // Too short: the link works on.
        await #expect(throws: AccountError.self) {
            try await world.accounts.reset(link.token, password: Secret("short"))
        }
        _ = try await world.accounts.reset(link.token, password: Secret("another password"))
        _ = try await world.signIn("ann", Secret("another password"))
        await #expect(throws: AccountError.deadLink) {
            try await world.accounts.reset(link.token, password: Secret("a third password"))
        }
    }

    @Test func `the owner of a personal hub signs in by a link that works once`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let link = try await world.accounts.ownerLink()
        let session = try await world.accounts.signIn(byOwnerLink: link.token, agent: "a browser")
        #expect(try await world.accounts.account(of: session.token)?.role == .owner)
        await #expect(throws: AccountError.deadLink) {
            try await world.accounts.signIn(byOwnerLink: link.token, agent: "a browser")
        }
    }

    @Test func `a code of the authenticator is taken once, a recovery code too`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        let factor = world.accounts.newSecondFactor()
        let code = factor.code(atStep: OneTimeCode.step(at: world.now))
        await #expect(throws: AccountError.codeNeeded(wasWrong: true)) {
            try await world.accounts.switchOn(factor, code: "000000" == code ? "000001" : "000000", of: ann.id)
        }
        let recovery = try await world.accounts.switchOn(factor, code: code, of: ann.id)
        #expect(Set(recovery).count == Accounts.recoveryCodes)
        await #expect(throws: AccountError.codeNeeded(wasWrong: false)) { try await world.signIn("ann") }
        // That one has been taken already.
        await #expect(throws: AccountError.codeNeeded(wasWrong: true)) { try await world.signIn("ann", code: code) }
        world.wait(30)
        let next = factor.code(atStep: OneTimeCode.step(at: world.now))
        _ = try await world.signIn("ann", code: next)
        await #expect(throws: AccountError.codeNeeded(wasWrong: true)) { try await world.signIn("ann", code: next) }
        _ = try await world.signIn("ann", code: recovery[0].uppercased())
        await #expect(throws: AccountError.codeNeeded(wasWrong: true)) {
            try await world.signIn("ann", code: recovery[0])
        }
        await #expect(throws: AccountError.codeNeeded(wasWrong: false)) {
            try await world.accounts.switchOffSecondFactor(of: ann.id)
        }
        for used in [next, recovery[0]] {
            await #expect(throws: AccountError.codeNeeded(wasWrong: true)) {
                try await world.accounts.switchOffSecondFactor(of: ann.id, code: used)
            }
        }
        // A recovery code replaces it, and the codes that came with it end.
        let other = world.accounts.newSecondFactor()
        let others = try await world.accounts.switchOn(
            other, code: other.code(atStep: OneTimeCode.step(at: world.now)), present: recovery[1], of: ann.id)
        await #expect(throws: AccountError.codeNeeded(wasWrong: true)) {
            try await world.accounts.switchOffSecondFactor(of: ann.id, code: recovery[2])
        }
        try await world.accounts.switchOffSecondFactor(of: ann.id, code: others[0])
        _ = try await world.signIn("ann")
    }

    @Test func `what has ended is not kept`() async throws {
        let world = try AccountWorld(hasOwner: true)
        try await world.member("ann")
        for _ in 0..<3 {
            _ = try await world.signIn("ann")
            _ = try await world.accounts.ownerLink()
        }
        #expect(try await world.rows("sessions") == 3)
        #expect(try await world.rows("links") == 3)
        world.wait(Accounts.longestIdle + 1)
        _ = try await world.signIn("ann")
        _ = try await world.accounts.ownerLink()
        #expect(try await world.rows("sessions") == 1)
        #expect(try await world.rows("links") == 1)
    }

    @Test func `no token, code or password lies in the files`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        let session = try await world.signIn("ann")
        let link = try await world.accounts.invitation()
        let factor = world.accounts.newSecondFactor()
        let recovery = try await world.accounts.switchOn(
            factor, code: factor.code(atStep: OneTimeCode.step(at: world.now)), of: ann.id)
        let secrets =
            [session.token.secret.reveal(), link.token.secret.reveal(), AccountWorld.password.reveal()] + recovery
        for name in try FileManager.default.contentsOfDirectory(atPath: world.folder.path("")) {
            let bytes = try Data(contentsOf: URL(filePath: world.folder.path(name)))
            for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "in \(name)") }
        }
    }

    @Test(arguments: [
        "%", "a%", "%nn", "_nn", "___", "*", "a*", "?nn", "ann' OR '1'='1", "%@example.org", "ann@%", "(ann)",
    ])
    func `a name is no pattern`(name: String) async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        await #expect(throws: AccountError.wrongCredentials) { try await world.signIn(name) }
    }

    @Test(arguments: ["ann", "nobody", "ann@example.org", "nobody@example.org", ""], ["", " ", "\u{0}"])
    func `an empty password is nobody's, also not of a name that nobody has`(name: String, password: String)
        async throws
    {
        let world = try AccountWorld()
        try await world.member("ann")
        await #expect(throws: AccountError.self) { try await world.signIn(name, Secret(password)) }
    }
}
