import ChirpAccounts
import ChirpCore
import Foundation
import Testing

/// Those who signed up and never confirmed their address.
@Suite struct UnconfirmedTests {
    private let world: AccountWorld

    init() throws { world = try AccountWorld(hasOwner: true) }

    @discardableResult
    private func signUp(_ name: String, mail: String) async throws -> AccountLetter {
        let letter = try await world.accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: mail), password: AccountWorld.password,
            registration: .open)
        return try #require(letter)
    }

    private func handle(_ name: String) async throws -> HubAccount? {
        try await world.accounts.account(Handle(typed: name))
    }

    @Test func `a name that nobody confirmed is free after 48 hours, for whoever signs up`() async throws {
        try await signUp("ann", mail: "mistyped@example.org")
        world.wait(48 * 3600 - 1)
        await #expect(throws: AccountError.self) { try await signUp("ann", mail: "ann@example.org") }
        world.wait(1)
        guard case .confirm(_, let link) = try await signUp("ann", mail: "ann@example.org") else {
            Issue.record("the address is held")
            return
        }
        _ = try await world.accounts.confirm(link.token)
        #expect(try await handle("ann")?.mail?.text == "ann@example.org")
    }

    @Test func `the sweep removes them with their links, and nobody else`() async throws {
        try await world.member("bob")
        try await signUp("ann", mail: "ann@example.org")
        world.wait(47 * 3600)
        try await signUp("cyd", mail: "cyd@example.org")
        #expect(try await world.accounts.sweepUnconfirmed() == 0)
        world.wait(3600)
        #expect(try await world.accounts.sweepUnconfirmed() == 1)
        #expect(try await handle("ann") == nil)
        #expect(try await handle("bob") != nil)
        #expect(try await handle("cyd") != nil)
        #expect(try await world.accounts.owner() != nil)
        world.wait(24 * 365 * 3600)
        #expect(try await world.accounts.sweepUnconfirmed() == 1)
        #expect(try await handle("bob") != nil)
    }

    @Test func `an address that was held like that can sign up again`() async throws {
        try await signUp("ann", mail: "ann@example.org")
        guard case .alreadyHere = try await signUp("ann2", mail: "ann@example.org") else {
            Issue.record("two accounts of one address")
            return
        }
        world.wait(48 * 3600)
        guard case .confirm = try await signUp("ann2", mail: "ann@example.org") else {
            Issue.record("the address is held")
            return
        }
    }
}
