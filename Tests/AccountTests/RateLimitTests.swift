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

    @Test func `a bucket of an hour in which the clock was years ahead fills again`() async throws {
        let (limits, rule) = (try limits(), RateRule(2, per: 60))
        clock.change { $0 += 20 * 365 * 86_400 }
        for _ in 0..<2 { try await limits.take("a", rule) }
        clock.change { $0 -= 20 * 365 * 86_400 }
        await #expect(throws: AccountError.self) { try await limits.look("a", rule) }
        clock.change { $0 += 31 }
        try await limits.take("a", rule)
        await #expect(throws: AccountError.self) { try await limits.take("a", rule) }
    }

    @Test func `what was typed is not in the file`() async throws {
        for text in ["ann.harbour@example.org", "correct horse battery"] {
            try await limits().take("signin:name:\(text)", RateRule(10, per: 900))
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path("")) {
            let bytes = FileManager.default.contents(atPath: folder.path(file)) ?? Data()
            #expect(bytes.range(of: Data("ann.harbour".utf8)) == nil && bytes.range(of: Data("horse".utf8)) == nil)
        }
    }

    @Test func `what is full again is not in the files after a sweep, not even as a digest`() async throws {
        let (limits, rule) = (try limits(), RateRule(2, per: 60))
        // The SHA-256 of the name.
        let digest = "MjxO0ozJ3jbsfXUI1OIaPAvhw2iMx4e9lyIOUKD58jo="
        func isKept() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.path("")).contains { file in
                (FileManager.default.contents(atPath: folder.path(file)) ?? Data()).range(of: Data(digest.utf8)) != nil
            }
        }
        // One taken in an hour in which the clock was years ahead ends like the others.
        clock.change { $0 += 20 * 365 * 86_400 }
        try await limits.take("signin:name:ann", rule)
        clock.change { $0 -= 20 * 365 * 86_400 }
        try await limits.sweep()
        #expect(try isKept())
        clock.change { $0 += 31 }
        try await limits.sweep()
        #expect(try !isKept())
    }
}
