import ChirpAccounts
import ChirpCore
import ChirpTestKit
import Foundation
import Testing

/// What asking for a letter costs this hub, whoever has an account: passwords that are hashed, and transactions. That is what the time of an
/// answer is made of.
@Suite struct AddressSecrecyTests {
    private static let known = "known@example.org"
    private static let unknown = "unknown@example.org"
    private static let banned = "banned@example.org"

    enum Act: CaseIterable, Sendable { case signUp, invitedSignUp, reset, changeMail }

    struct Work: Hashable, CustomStringConvertible {
        let passwords, transactions, sending: Int
        var description: String { "\(passwords) passwords, \(transactions) transactions, then \(sending)" }
    }

    private func work(_ act: Act, on mail: String) async throws -> Work {
        let clock = CountingClock()
        let world = try AccountWorld(hasOwner: true, clock: clock) { mail, _ in mail.text == Self.banned }
        try await world.member("ann", mail: Self.known)
        let bob = try await world.member("bob")
        let invitation = try await world.accounts.invitation()
        try await world.sendAll()
        let (mail, before, passwords) = (try MailAddress(typed: mail), world.commits, clock.sleeps)
        switch act {
        case .signUp:
            _ = try await world.accounts.signUp(
                handle: Handle(typed: "eve"), mail: mail, password: AccountWorld.password, registration: .open)
        case .invitedSignUp:
            _ = try await world.accounts.signUp(
                handle: Handle(typed: "eve"), mail: mail, password: AccountWorld.password, registration: .invite,
                invitation: invitation.token)
            await #expect(throws: AccountError.deadLink, "an invitation is used up either way") {
                try await world.accounts.signUp(
                    handle: Handle(typed: "mallory"), mail: MailAddress(typed: "mallory@example.org"),
                    password: AccountWorld.password, registration: .invite, invitation: invitation.token)
            }
        case .reset: _ = try await world.accounts.requestReset(mail)
        case .changeMail: _ = try await world.accounts.changeMail(of: bob.id, to: mail)
        }
        let after = world.commits
        try await world.sendAll()
        return Work(
            passwords: clock.sleeps - passwords, transactions: after - before, sending: world.commits - after)
    }

    @Test(arguments: Act.allCases)
    func `an address that is known, unknown or banned costs the same`(act: Act) async throws {
        let expected = try await work(act, on: Self.unknown)
        #expect(expected.transactions >= 1 && expected.sending == 1)
        for mail in [Self.known, Self.banned] { #expect(try await work(act, on: mail) == expected, "\(mail)") }
    }
}

/// Counts how often somebody sleeps by it: ``PasswordDesk`` does once for each password.
private final class CountingClock: Clock {
    private let clock = ContinuousClock()
    private let count = Mutexed(0)

    var sleeps: Int { count.value }
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        count.change { $0 += 1 }
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
