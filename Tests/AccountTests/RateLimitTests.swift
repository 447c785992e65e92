import ChirpAccounts
import ChirpCore
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

    private let ann = LimitHolder.name(SignInName(typed: "ann"))
    private let bob = LimitHolder.name(SignInName(typed: "bob"))

    @Test func `a bucket holds some, says how long to wait, and fills again evenly`() async throws {
        let (limits, rule) = (try limits(), RateRule(3, per: 60))
        for _ in 0..<3 { try await limits.consume("a", rule, by: ann) }
        await #expect(throws: AccountError.tooOften(seconds: 20)) { try await limits.consume("a", rule, by: ann) }
        try await limits.consume("a", rule, by: bob)
        clock.change { $0 += 20 }
        try await limits.consume("a", rule, by: ann)
        await #expect(throws: AccountError.tooOften(seconds: 20)) { try await limits.consume("a", rule, by: ann) }
    }

    @Test func `what is given back can be taken again, and never more than a bucket holds`() async throws {
        let (limits, rule) = (try limits(), RateRule(1, per: 60))
        let bucket = RateBucket("a", rule, by: ann)
        for _ in 0..<5 {
            try await limits.consume([bucket])
            await #expect(throws: AccountError.self) { try await limits.consume([bucket]) }
            try await limits.restore([bucket])
        }
        try await limits.restore([bucket])
        try await limits.consume([bucket])
        await #expect(throws: AccountError.self) { try await limits.consume([bucket]) }
    }

    @Test func `a restart forgets nothing, a clock that is set back gives nothing`() async throws {
        let rule = RateRule(1, per: 60)
        try await limits().consume("a", rule, by: ann)
        clock.change { $0 -= 3600 }
        await #expect(throws: AccountError.self) { try await limits().consume("a", rule, by: ann) }
    }

    @Test func `trusted hubs may allow more`() async throws {
        let limits = try limits(scale: 10)
        for _ in 0..<30 { try await limits.consume("a", RateRule(3, per: 60), by: ann) }
        await #expect(throws: AccountError.self) { try await limits.consume("a", RateRule(3, per: 60), by: ann) }
    }

    @Test func `a bucket of an hour in which the clock was years ahead fills again`() async throws {
        let (limits, rule) = (try limits(), RateRule(2, per: 60))
        clock.change { $0 += 20 * 365 * 86_400 }
        for _ in 0..<2 { try await limits.consume("a", rule, by: ann) }
        clock.change { $0 -= 20 * 365 * 86_400 }
        await #expect(throws: AccountError.self) { try await limits.consume("a", rule, by: ann) }
        clock.change { $0 += 31 }
        try await limits.consume("a", rule, by: ann)
        await #expect(throws: AccountError.self) { try await limits.consume("a", rule, by: ann) }
    }

    @Test func `what was typed is not in the file`() async throws {
        for text in ["ann.harbour@example.org", "correct horse battery"] {
            try await limits().consume("signin", RateRule(10, per: 900), by: .name(SignInName(typed: text)))
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
        try await limits.consume("signin", rule, by: ann)
        clock.change { $0 -= 20 * 365 * 86_400 }
        try await limits.sweep()
        #expect(try isKept())
        clock.change { $0 += 31 }
        try await limits.sweep()
        #expect(try !isKept())
    }

    @Test func `of several buckets one is taken of each, or none of any, and what is given back is there again`()
        async throws
    {
        let (limits, rule) = (try limits(), RateRule(2, per: 60))
        try await limits.consume("a", rule, by: ann)
        try await limits.consume("a", rule, by: ann)
        let both = [RateBucket("a", rule, by: bob), RateBucket("a", rule, by: ann)]
        await #expect(throws: AccountError.tooOften(seconds: 30)) { try await limits.consume(both) }
        for _ in 0..<2 { try await limits.consume("a", rule, by: bob) }
        try await limits.restore(both)
        try await limits.consume(both)
        await #expect(throws: AccountError.self) { try await limits.consume("a", rule, by: bob) }
        // No more than it holds.
        for _ in 0..<5 { try await limits.restore(both) }
        for _ in 0..<2 { try await limits.consume(both) }
        await #expect(throws: AccountError.self) { try await limits.consume(both) }
    }

    @Test(arguments: [
        (["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"], ["2001:db8:1:3::1", "2001:db8:2:2::1", "192.0.2.1"]),
        (["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2", "2001:db8:1:2::1"]), (["", "no address"], ["192.0.2.1"]),
    ])
    func `a household is one holder, however many addresses it has`(same: [String], others: [String]) {
        #expect(Set(same.map { LimitHolder.network(ClientNetwork($0)) }).count == 1)
        for other in others {
            #expect(LimitHolder.network(ClientNetwork(other)) != .network(ClientNetwork(same.first ?? "")))
        }
    }

    @Test func `all spellings by which one account is found are one name`() {
        for typed in ["ann", "@ann", " Ann ", "@ANN\t"] {
            #expect(SignInName(typed: typed) == SignInName(typed: "ann"))
        }
        for typed in ["ann@example.org", " Ann@Example.ORG ", "ANN@example.org"] {
            #expect(SignInName(typed: typed) == SignInName(typed: "ann@example.org"))
        }
        // Two that shared a bucket would say that they are one person's.
        #expect(SignInName(typed: "ann") != SignInName(typed: "ann@example.org"))
        #expect(SignInName(typed: "a b c") == SignInName(typed: "A b C"))
    }
}
