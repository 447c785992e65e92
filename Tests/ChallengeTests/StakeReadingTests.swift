import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// How a pledge is read: from who holds the record and from what is not decided, as if from all attempts (OU-17).
@Suite struct StakeReadingTests {
    private static let day: Int64 = 86_400_000

    /// How it stands by its definition: by all that was received.
    private static func wanted(
        _ rule: Rule, setter: AccountID, from made: Int64, until end: Int64, at now: Int64, in database: Database
    ) throws -> StakeOutcome {
        let rows = try Row.fetchAll(
            database, sql: "SELECT sequence, score, received, state, decided, account FROM attempts WHERE rule = ?",
            arguments: [rule.id])
        let tries = rows.compactMap { row -> StakeOutcome.Try? in
            guard let state = Attempt.State(rawValue: row["state"]) else { return nil }
            let received: Int64 = row["received"]
            guard state == .verified || received <= end else { return nil }
            return StakeOutcome.Try(
                VerifiedAttempt(sequence: row["sequence"], score: row["score"], received: received, areas: [.world]),
                state, decided: row["decided"], isSetters: (row["account"] as AccountID) == setter)
        }
        return StakeOutcome.outcome(tries, rule.terms, from: made, until: end, at: now)
    }

    private static func told(_ outcome: StakeOutcome, _ now: Int64) -> String {
        switch outcome {
        case .open: "open"
        case .waiting, .back: "waiting"
        case .frozen(let attempt, let until): "frozen \(attempt) \(until)"
        case .won(let attempt): "frozen \(attempt) \(now)"
        }
    }

    @Test func `whatever was tried, verified and rejected, a pledge is told as all attempts tell it`() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let cast = try await StakeCast()
        var kinds: Set<String> = []
        let start = Int64(cast.cast.house.now.timeIntervalSince1970 * 1000)
        let id = try await cast.cast.challenge()
        let rule = try await cast.cast.rule(id)
        _ = try await cast.pledge(30, at: id, by: cast.cast.sue)
        let made = Int64(cast.cast.house.now.timeIntervalSince1970 * 1000)
        let people = [cast.cast.sue, cast.cast.ann, cast.cast.bob, cast.cast.cem, cast.cast.vic, cast.cast.wim]
        var clock = made
        for round in 0..<150 {
            let draws = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                (0..<6).map { _ in Int.random(in: 0..<1_000_000, using: &generator) }
            }
            let now = made + Int64.random(in: 0...60, using: &generator) * Self.day
            try await cast.cast.library.transact { database in
                try database.execute(sql: "DELETE FROM holds; DELETE FROM attempts")
                var open: Set<AccountID> = []
                for draw in draws {
                    let person = people[draw[0] % people.count]
                    let received = start + Int64(draw[1] % 60 - 15) * Self.day
                    guard received <= now, !open.contains(person) else { continue }
                    let attempt = try HoldFollowTests.insert(
                        Int64(1 + draw[2] % 9), at: rule.id, by: person, received: received, square: nil, in: database)
                    let state = ["verified", "verified", "verified", "waiting", "rejected"][draw[3] % 5]
                    if state == "waiting" { open.insert(person) }
                    let decided = state == "waiting" ? nil : min(now, received + Int64(draw[4] % 20) * Self.day)
                    try database.execute(
                        sql: "UPDATE attempts SET state = ?, decided = ? WHERE sequence = ?",
                        arguments: [state, decided, attempt])
                    if state == "verified" {
                        try HoldTable.follow(attempt, at: rule.id, rule.terms, in: database)
                    }
                }
            }
            cast.cast.house.wait(Double(now - clock) / 1000)
            clock = now
            let stake = try #require(try await cast.store.stakes(at: id, for: .visitor).first)
            let end = Int64(stake.ends.timeIntervalSince1970 * 1000)
            let wanted = try await cast.cast.library.reading { database in
                try Self.wanted(rule, setter: cast.cast.sue, from: made, until: end, at: now, in: database)
            }
            let number = try await cast.cast.library.reading { [attempt = stake.attempt] database in
                try Int64.fetchOne(
                    database, sql: "SELECT sequence FROM attempts WHERE id = ?", arguments: [attempt?.text])
            }
            let found =
                switch stake.state {
                case .open: "open"
                case .waiting: "waiting"
                case .frozen(let until):
                    "frozen \(number ?? 0) \(Int64((until.timeIntervalSince1970 * 1000).rounded()))"
                case .paid, .back: "settled"
                }
            #expect(found == Self.told(wanted, now), "round \(round) \(seed)")
            kinds.insert(String(found.prefix(4)))
        }
        #expect(kinds == ["open", "wait", "froz"], "\(seed)")
    }
}
