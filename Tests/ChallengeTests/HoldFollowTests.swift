import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import ChirpTestKit
import Foundation
import GRDB
import Testing

/// The table of holds after single steps, against the one that is made from all attempts (OU-19, OU-20; boards.md 5.3.3).
@Suite struct HoldFollowTests {
    /// A row of the table of attempts.
    private struct Tried {
        let attempt: VerifiedAttempt
        let account: AccountID
        let state: String
    }

    private static func all(_ rule: Int64, in database: Database) throws -> [Tried] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT sequence, score, received, place, town, country, account, state FROM attempts
                    WHERE rule = ? AND received IS NOT NULL
                    """), arguments: [rule]
        ).map { row in
            let areas = RecordPlace.areas(place: row[3], town: row[4], country: row[5])
            return Tried(
                attempt: VerifiedAttempt(sequence: row[0], score: row[1], received: row[2], areas: areas),
                account: row[6], state: row[7])
        }
    }

    /// Hands in an attempt by one row, which waits.
    static func insert(
        _ score: Int64, at rule: Int64, by account: AccountID, received: Int64, square: Int?, in database: Database
    ) throws -> Int64 {
        try database.cachedStatement(
            sql: """
                INSERT INTO attempts (id, rule, account, key, score, text, done, begun, received, media, shownLat, shownLon,
                    placeName, place, town, country, townName, countryName, state)
                VALUES (?1, ?2, ?3, ?1, ?4, '', ?5, ?5, ?5, '', iif(?6 IS NULL, NULL, 50), iif(?6 IS NULL, NULL, 7), '', ?6,
                    ?6 / 2, iif(?6 IS NULL, NULL, iif(?6 < 4, 'DE', 'BE')), '', '', 'waiting')
                """
        ).execute(arguments: [HubID().text, rule, account, score, received, square])
        return database.lastInsertedRowID
    }

    /// Whose attempts that wait another one matters to, by its definition: histories of all attempts, with and without.
    private static func rivals(
        _ attempt: Tried, _ open: [Tried], _ verified: [Tried], _ terms: RuleTerms
    ) -> Set<AccountID> {
        let others = verified.filter { $0.attempt.sequence != attempt.attempt.sequence }
        let authors = Dictionary((others + [attempt]).map { ($0.attempt.sequence, $0.account) }) { $1 }
        let found = open.filter { own in
            let histories = [others + [attempt], others].map { tried in
                HoldFold.holds((tried + [own]).map(\.attempt), terms)
            }
            let held = histories.map { $0.filter { $0.attempt == own.attempt.sequence } }
            let isTaking = histories.contains { history in
                zip(history, history.dropFirst()).contains { before, after in
                    after.attempt == own.attempt.sequence && before.area == after.area
                        && authors[before.attempt] == attempt.account
                }
            }
            return isTaking || held[0] != held[1]
        }
        return Set(found.map(\.account))
    }

    @Test func `after each of ten thousand steps the table, and who is involved, are as made from all attempts`()
        async throws
    {
        let seed = TestSeed()
        var generator = seed.generator
        let cast = try await ChallengeCast()
        var less = ChallengeCast.counting
        less.better = .less
        let rules = [
            try await cast.rule(try await cast.challenge()), try await cast.rule(try await cast.challenge(less)),
        ]
        let people = [cast.ann, cast.bob, cast.cem, cast.vic, cast.wim]
        let draws = (0..<10_000).map { _ in
            (0..<7).map { _ in Int.random(in: 0..<1_000_000, using: &generator) }
        }
        // In one transaction: each would be written through to the disk.
        let (ended, told) = try await cast.library.transact { database in
            var (ended, told) = (0, 0)
            for (step, draw) in draws.enumerated() {
                let rule = rules[step / 50 % 2]
                // Some thirty attempts each time, then it begins anew.
                if step % 50 == 0 {
                    try database.execute(sql: "DELETE FROM holds; DELETE FROM attempts")
                }
                let known = try Self.all(rule.id, in: database)
                let free = people.filter { person in !known.contains { $0.account == person && $0.state == "waiting" } }
                if draw[0] % 5 < 2, let person = free.isEmpty ? nil : free[draw[1] % free.count] {
                    // Few scores and instants, so that there are ties of both kinds.
                    _ = try Self.insert(
                        Int64(1 + draw[2] % 6), at: rule.id, by: person, received: Int64(1000 + draw[3] % 12),
                        square: draw[4] % 3 == 0 ? nil : draw[4] % 6, in: database)
                    continue
                }
                guard !known.isEmpty else { continue }
                let tried = known[draw[1] % known.count]
                let sequence = tried.attempt.sequence
                let verified = known.filter { $0.state == "verified" }
                let without = HoldFold.holds(
                    verified.filter { $0.attempt.sequence != sequence }.map(\.attempt), rule.terms)
                let with = HoldFold.holds(
                    (verified.filter { $0.attempt.sequence != sequence } + [tried]).map(\.attempt), rule.terms)
                let changed = Set(Set(with).symmetricDifference(without).map(\.attempt))
                let touched = try HoldTable.touched(by: sequence, of: rule.id, rule.terms, in: database)
                let authors = Set(known.filter { changed.contains($0.attempt.sequence) }.map(\.account))
                #expect(touched == authors, "step \(step) \(seed)")
                let rivals = try HoldTable.rivals(
                    of: sequence, by: tried.account, at: rule.id, rule.terms, among: people, at: 2000, in: database)
                let open = known.filter { $0.state == "waiting" && $0.attempt.sequence != sequence }
                #expect(rivals == Self.rivals(tried, open, verified, rule.terms), "step \(step) \(seed)")
                told += touched.count + rivals.count

                let state = tried.state == "verified" ? ["rejected", "withdrawn"][draw[2] % 2] : "verified"
                let before = Set(try HoldTable.holds(of: rule.id, in: database))
                try database.cachedStatement(sql: "UPDATE attempts SET state = ? WHERE sequence = ?").execute(
                    arguments: [state, sequence])
                let change = try HoldTable.follow(sequence, at: rule.id, rule.terms, in: database)
                let after = Set(try HoldTable.holds(of: rule.id, in: database))
                #expect(after == Set(state == "verified" ? with : without), "step \(step) \(seed)")
                #expect(change.begun == after.subtracting(before), "step \(step) \(seed)")
                #expect(change.ended == before.subtracting(after), "step \(step) \(seed)")
                ended += change.ended.count
            }
            return (ended, told)
        }
        // It is no test of nothing.
        #expect(ended > 1000 && told > 1000)
    }
}
