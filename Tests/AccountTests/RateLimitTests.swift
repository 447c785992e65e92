import ChirpAccounts
import ChirpTestKit
import Foundation
import Testing

@Suite struct RateLimitTests {
    private let folder: TemporaryFolder
    private let clock = Mutexed(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws { folder = try TemporaryFolder() }

    private func limits(scale: Double = 1) throws -> RateLimits {
        try RateLimits(path: folder.path("limits.sqlite"), scale: scale) { [clock] in clock.value }
    }

    @Test func `a bucket holds some, says how long to wait, and fills again evenly`() async throws {
        let (limits, rule) = (try limits(), RateRule(3, per: 60))
        for _ in 0..<3 { try await limits.take("a", rule) }
        await #expect(throws: AccountError.tooOften(seconds: 20)) { try await limits.take("a", rule) }
        try await limits.take("b", rule)
        clock.change { $0 += 20 }
        try await limits.take("a", rule)
        await #expect(throws: AccountError.tooOften(seconds: 20)) { try await limits.take("a", rule) }
    }

    @Test func `looking takes nothing`() async throws {
        let (limits, rule) = (try limits(), RateRule(1, per: 60))
        for _ in 0..<5 { try await limits.look("a", rule) }
        try await limits.take("a", rule)
        await #expect(throws: AccountError.self) { try await limits.look("a", rule) }
    }

    @Test func `a restart forgets nothing, a clock that is set back gives nothing`() async throws {
        let rule = RateRule(1, per: 60)
        try await limits().take("a", rule)
        clock.change { $0 -= 3600 }
        await #expect(throws: AccountError.self) { try await limits().take("a", rule) }
    }

    @Test func `trusted hubs may allow more`() async throws {
        let limits = try limits(scale: 10)
        for _ in 0..<30 { try await limits.take("a", RateRule(3, per: 60)) }
        await #expect(throws: AccountError.self) { try await limits.take("a", RateRule(3, per: 60)) }
    }
}
