import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// How long a verdict takes at a rule that very many have tried: figures, not limits; with `CHIRP_LONG_TESTS` in the environment.
@Suite struct VerdictFigures {
    private static let isWanted = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil

    private func told(_ times: [Duration]) -> String {
        let sorted = times.map { $0 / .milliseconds(1) }.sorted()
        guard let longest = sorted.last else { return "nothing" }
        func text(_ value: Double) -> String { String(format: "%.2f", value) }
        return """
            \(sorted.count) times, median \(text(sorted[sorted.count / 2])) ms, 95 % within \
            \(text(sorted[sorted.count * 95 / 100])) ms, longest \(text(longest)) ms
            """
    }

    @Test(.enabled(if: isWanted), arguments: [1000, 5000])
    func `a moderator's verdicts at a rule with many attempts`(_ count: Int) async throws {
        var generator = TestSeed().generator
        let cast = try await ChallengeCast()
        let rule = try await cast.rule(try await cast.challenge())
        let start = Int64(cast.house.now.timeIntervalSince1970 * 1000)
        // Each twentieth waits; people get better, and some are from where few are.
        let draws = (0..<count).map { _ in
            (Int.random(in: 0..<400, using: &generator), Int.random(in: 0..<300, using: &generator))
        }
        let waiting = try await cast.library.transact { database in
            try database.execute(
                sql: """
                    INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                    WITH RECURSIVE numbers (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM numbers WHERE value < ?)
                    SELECT 'many' || value, 'many' || value, 'many' || value, 'many', 'member', 'active', 0 FROM numbers
                    """, arguments: [count])
            var waiting: [Int64] = []
            for (number, draw) in draws.enumerated() {
                let attempt = try HoldFollowTests.insert(
                    Int64(1 + draw.0 + 300 * number / count), at: rule.id, by: AccountID(rawValue: "many\(number)"),
                    received: start + Int64(number) * 1000, square: draw.1 < 200 ? draw.1 % 6 : nil, in: database)
                if number % 20 == 7 {
                    waiting.append(attempt)
                } else {
                    try database.execute(
                        sql: "UPDATE attempts SET state = 'verified', decided = received WHERE sequence = ?",
                        arguments: [attempt])
                }
            }
            try HoldStore.recount([rule.id], in: database)
            return waiting
        }
        cast.house.wait(Double(count))
        let ids = try await cast.library.reading { database in
            try waiting.compactMap { number in
                try String.fetchOne(database, sql: "SELECT id FROM attempts WHERE sequence = ?", arguments: [number])
                    .flatMap { HubID($0) }
            }
        }
        var (verified, rejected): ([Duration], [Duration]) = ([], [])
        for id in ids.shuffled(using: &generator).prefix(50) {
            verified.append(
                try await ContinuousClock().measure { _ = try await cast.attempts.decide(id, .verify, by: cast.mod) })
            rejected.append(
                try await ContinuousClock().measure {
                    _ = try await cast.attempts.decide(id, .reject(why: "After all"), by: cast.moe)
                })
        }
        #expect(verified.count == 50)
        print("\(count) attempts: verified \(told(verified)); rejected after all \(told(rejected))")
    }
}
