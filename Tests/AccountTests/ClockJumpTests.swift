import ChirpAccounts
import ChirpCore
import Foundation
import Testing

/// The machine's clock jumps: a summer in a drawer, a battery that was empty, a service that sets it right.
@Suite struct ClockJumpTests {
    private static let day = 86_400.0

    @Test func `a jump ahead ends sessions and links, and people sign in anew`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let session = try await world.signIn("ann")
        let letter = try await world.accounts.requestReset(MailAddress(typed: "ann@example.org"))
        guard case .reset(_, let link) = letter else { throw AccountWorld.Unexpected() }
        world.wait(365 * Self.day)
        #expect(try await world.accounts.account(of: session.token) == nil)
        await #expect(throws: AccountError.deadLink) {
            try await world.accounts.reset(link.token, password: Secret("another horse battery"))
        }
        let anew = try await world.signIn("ann")
        #expect(try await world.accounts.account(of: anew.token) != nil)
    }

    @Test func `a jump back ends nothing, and nothing works twice or without end`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let session = try await world.signIn("ann")
        let letter = try await world.accounts.requestReset(MailAddress(typed: "ann@example.org"))
        guard case .reset(_, let link) = letter else { throw AccountWorld.Unexpected() }
        world.wait(-Self.day)
        #expect(try await world.accounts.account(of: session.token) != nil)
        try await world.accounts.visit(session.token)
        #expect(try await world.accounts.account(of: session.token) != nil)

        let password = Secret("another horse battery")
        _ = try await world.accounts.reset(link.token, password: password)
        await #expect(throws: AccountError.deadLink) {
            try await world.accounts.reset(link.token, password: Secret("third horse battery"))
        }
        // The new password has ended the session; the next one lasts as long as any does.
        #expect(try await world.accounts.account(of: session.token) == nil)
        let next = try await world.signIn("ann", password)
        world.wait(Accounts.longestIdle + 1)
        #expect(try await world.accounts.account(of: next.token) == nil)
    }

    @Test func `a jump there and back within a session ends it at most, and nobody stays in longer`() async throws {
        let world = try AccountWorld()
        try await world.member("ann")
        let session = try await world.signIn("ann")
        world.wait(Self.day)
        try await world.accounts.visit(session.token)
        world.wait(-Self.day)
        for _ in 0..<Int(Accounts.longestSession / Self.day) + 1 {
            world.wait(Self.day)
            try await world.accounts.visit(session.token)
        }
        #expect(try await world.accounts.account(of: session.token) == nil)
    }
}
