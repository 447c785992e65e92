import ChirpAccounts
import ChirpCore
import Foundation
import Testing

@Suite struct SignUpTests {
    @Test func `somebody signs up, confirms and signs in by name or by address`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        #expect(ann.state == .active && ann.mail?.text == "ann@example.org")
        for name in ["ann", "@Ann", "ann@EXAMPLE.org"] {
            let session = try await world.signIn(name)
            #expect(try await world.accounts.account(of: session.token)?.id == ann.id)
        }
    }

    @Test func `the first one in an empty hub runs it, the second does not`() async throws {
        let world = try AccountWorld()
        #expect(try await world.member("ann").role == .owner)
        #expect(try await world.member("bob").role == .member)
    }

    @Test func `the owner of a personal hub stays the owner`() async throws {
        let world = try AccountWorld(hasOwner: true)
        #expect(try await world.accounts.owner()?.id.rawValue == "me")
        #expect(try await world.member("ann").role == .member)
    }

    @Test func `an address that has an account gives the same answer and no account`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let letter = try await world.accounts.signUp(
            handle: Handle(typed: "eve"), mail: MailAddress(typed: "ANN@example.org".lowercased()),
            password: AccountWorld.password, registration: .open)
        guard case .alreadyHere(let mail) = letter else {
            Issue.record("\(letter)")
            return
        }
        #expect(mail.text == "ann@example.org")
        #expect(try await world.accounts.account(Handle(typed: "eve")) == nil)
    }

    @Test(arguments: ["ann", "a_n_n"])
    func `a name that is taken, or looks like one, is refused`(name: String) async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        await #expect(throws: AccountError.self) { try await world.member(name, mail: "other@example.org") }
    }

    @Test func `where it is closed nobody signs up, where it needs an invitation each lets one in`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let (name, mail) = (try Handle(typed: "ann"), try MailAddress(typed: "ann@example.org"))
        await #expect(throws: AccountError.registrationClosed(invitesOnly: false)) {
            _ = try await world.accounts.signUp(
                handle: name, mail: mail, password: AccountWorld.password, registration: .closed)
        }
        await #expect(throws: AccountError.registrationClosed(invitesOnly: true)) {
            _ = try await world.accounts.signUp(
                handle: name, mail: mail, password: AccountWorld.password, registration: .invite)
        }
        let invitation = try await world.accounts.invitation()
        _ = try await world.accounts.signUp(
            handle: name, mail: mail, password: AccountWorld.password, registration: .invite,
            invitation: invitation.token)
        await #expect(throws: AccountError.deadLink) {
            _ = try await world.accounts.signUp(
                handle: Handle(typed: "bob"), mail: MailAddress(typed: "bob@example.org"),
                password: AccountWorld.password, registration: .invite, invitation: invitation.token)
        }
    }

    @Test func `a link of confirmation works once, and for half an hour`() async throws {
        let world = try AccountWorld()
        let letter = try await world.accounts.signUp(
            handle: Handle(typed: "ann"), mail: MailAddress(typed: "ann@example.org"),
            password: AccountWorld.password, registration: .open)
        guard case .confirm(_, let link) = letter else { throw AccountWorld.Unexpected() }
        // Looking uses nothing up: programs follow links in mail.
        for _ in 0..<3 { #expect(try await world.accounts.works(link.token, as: .confirm)) }
        #expect(try await world.accounts.works(link.token, as: .reset) == false)
        world.wait(29 * 60)
        _ = try await world.accounts.confirm(link.token)
        await #expect(throws: AccountError.deadLink) { _ = try await world.accounts.confirm(link.token) }

        let late = try await world.accounts.changeMail(
            of: try #require(try await world.accounts.account(Handle(typed: "ann"))).id,
            to: MailAddress(typed: "ann@new.example"))
        guard case .confirm(_, let second) = late else { throw AccountWorld.Unexpected() }
        world.wait(31 * 60)
        await #expect(throws: AccountError.deadLink) { _ = try await world.accounts.confirm(second.token) }
    }

    @Test func `another address counts once it is confirmed, and the old one hears of it`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        let letter = try await world.accounts.changeMail(of: ann.id, to: MailAddress(typed: "ann@new.example"))
        guard case .confirm(let to, let link) = letter else { throw AccountWorld.Unexpected() }
        #expect(to.text == "ann@new.example")
        #expect(try await world.accounts.account(ann.id)?.mail?.text == "ann@example.org")
        guard case .changed(let old, _)? = try await world.accounts.confirm(link.token) else {
            throw AccountWorld.Unexpected()
        }
        #expect(old.text == "ann@example.org")
        #expect(try await world.accounts.account(ann.id)?.mail?.text == "ann@new.example")
    }
}
