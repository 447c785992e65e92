import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// The table of who holds what, through all that happens to attempts (OU-3, OU-13, OU-19).
@Suite struct HoldTests {
    @Test func `the history says who held it, how long and where, on every level`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        func spot(_ point: GeoPoint, _ name: String) -> (inout AttemptDraft) -> Void {
            { $0.spot = AttemptSpot(point: point, precision: .exact, name: name) }
        }
        try await cast.verified("50", at: id, by: cast.ann, spot(ChallengeCast.bonn, "Bonn, Germany"))
        cast.house.wait(3 * 86_400)
        try await cast.verified("60", at: id, by: cast.bob, spot(ChallengeCast.liege, "Liège, Belgium"))
        cast.house.wait(2 * 86_400)
        try await cast.verified("55", at: id, by: cast.cem, spot(ChallengeCast.cologne, "Köln, Germany"))
        cast.house.wait(86_400)
        #expect(try await cast.world(id) == ["ann 50", "bob 60"])
        #expect(try await cast.history(id, RecordArea(.country, "DE")) == ["ann 50", "cem 55"])
        #expect(try await cast.history(id, RecordArea(.town, "1")) == ["ann 50"])
        #expect(try await cast.history(id, RecordArea(.town, "2")) == ["cem 55"])
        #expect(try await cast.history(id, .around(ChallengeCast.liege)) == ["bob 60"])
        let rule = try await cast.rule(id).id
        let world = try await cast.holds.history(of: rule, in: .world, for: .visitor)
        #expect(world.map(\.days) == [3, 3] && world.map(\.until) == [world[1].from, nil])
        let now = try await cast.holds.holders(of: rule, for: .member(cast.bob))
        #expect(
            now.map(\.hold.area.level.rawValue) == [
                "world", "country", "country", "town", "town", "town", "place", "place", "place",
            ])
        #expect(
            now.map(\.name) == [
                "", "Belgium", "Germany", "Bonn", "Köln", "Liège", "Bonn, Germany", "Köln, Germany", "Liège, Belgium",
            ])
        #expect(now.map(\.isOwn) == [true, true, false, false, false, true, false, false, true])
        #expect(now[0].shown == ChallengeCast.liege)
        #expect(try await cast.holds.records(of: cast.ann, isNow: true, for: .visitor).count == 2)
        #expect(try await cast.holds.records(of: cast.ann, isNow: false, for: .visitor).count == 4)
        // Whom the viewer does not see held it all the same.
        try await cast.library.block(cast.vic, by: cast.ann)
        let seen = try await cast.holds.history(of: rule, in: .world, for: .member(cast.vic))
        #expect(seen.map { $0.person?.handle } == [nil, "bob"])
        #expect(try await cast.holds.records(of: cast.ann, isNow: false, for: .member(cast.vic)).isEmpty)
        try await cast.library.transact { try Items.hide(id, true, in: $0) }
        #expect(try await cast.holds.history(of: rule, in: .world, for: .visitor).isEmpty)
    }

    @Test func `who is erased has never held anything, and takes along challenges that nobody else has tried`()
        async throws
    {
        let cast = try await ChallengeCast()
        let (id, own) = (try await cast.challenge(), try await cast.challenge(by: cast.ann))
        try await cast.verified("50", at: id, by: cast.bob)
        try await cast.verified("60", at: id, by: cast.ann)
        try await cast.verified("55", at: id, by: cast.cem)
        try await cast.verified("70", at: own, by: cast.ann)
        #expect(try await cast.world(id) == ["bob 50", "ann 60"])
        _ = try await cast.library.accounts().delete(cast.ann)
        #expect(try await cast.world(id) == ["bob 50", "cem 55"])
        #expect(try await cast.rows("rules", "sequence").count == 1)
        #expect(try await cast.rows("holds", "rule").count == 2)
        #expect(try await cast.challenges.challenge(own, for: .visitor) == nil)
    }

    @Test func `whoever has set a challenge takes nobody's records along`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.invalid = "With gloves"
        let id = try await cast.challenge(terms) {
            ($0.text, $0.point, $0.placeName) = ("zinnober text", ChallengeCast.bonn, "Bonn")
        }
        try await cast.verified("50", at: id, by: cast.sue)
        try await cast.verified("60", at: id, by: cast.bob)
        let waiting = try await cast.attempt("70", at: id, by: cast.cem)
        try await cast.house.change("UPDATE accounts SET state = 'closed' WHERE id = 'id-sue'")
        _ = try await cast.library.accounts().delete(cast.sue)
        let traces = try await cast.house.traces(of: ["zinnober", "id-sue"], numbers: ["50.7339", "7.0997"])
        #expect(traces.isEmpty)
        guard case .challenge(let challenge)? = try await cast.challenges.challenge(id, for: .member(cast.ann)) else {
            Issue.record("gone")
            return
        }
        #expect(challenge.item.author.id == cast.library.owner.id && challenge.item.title == "Claps in a minute")
        #expect(challenge.item.text.isEmpty && challenge.item.place?.name == "Bonn" && challenge.item.state == .open)
        #expect(challenge.rule.terms == terms)
        #expect(try await cast.world(id) == ["bob 60"])
        #expect(try await cast.attempts.waiting(for: cast.mod, limit: 9).map(\.id) == [waiting])
        try await cast.attempts.decide(waiting, .verify, by: cast.mod)
        try await cast.verified("80", at: id, by: cast.ann)
        #expect(try await cast.world(id) == ["bob 60", "cem 70", "ann 80"])
        // A name that has gone does not come back.
        for setter in ["'id-ann'", "NULL"] {
            await #expect(throws: DatabaseError.self) {
                try await cast.house.change("UPDATE rules SET high = 7, setter = \(setter)")
            }
        }
    }

    @Test func `an erasure that leaves a hole in a history does not happen`() async throws {
        let cast = try await ChallengeCast()
        try await cast.verified("60", at: try await cast.challenge(), by: cast.ann)
        await #expect(throws: DatabaseError.self) {
            try await cast.house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-ann'")
        }
    }

    @Test func `a verified attempt that is taken back has never held anything`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.verified("50", at: id, by: cast.bob)
        let attempt = try await cast.verified("60", at: id, by: cast.ann)
        try await cast.attempts.withdraw(attempt, by: cast.ann)
        #expect(try await cast.world(id) == ["bob 50"])
    }

    @Test func `whatever happens in whatever order, the table is what the fold makes of the attempts`() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let spots: [GeoPoint?] = [nil, ChallengeCast.bonn, ChallengeCast.cologne, ChallengeCast.liege]
        for round in 0..<4 {
            let cast = try await ChallengeCast()
            var terms = ChallengeCast.counting
            terms.better = Bool.random(using: &generator) ? .more : .less
            let id = try await cast.challenge(terms)
            let people = [cast.ann, cast.bob, cast.cem, cast.vic, cast.wim]
            var gone: Set<AccountID> = []
            var known: [HubID] = []
            for step in 0..<40 {
                let person = try #require(people.randomElement(using: &generator))
                let attempt = known.randomElement(using: &generator)
                switch Int.random(in: 0...9, using: &generator) {
                case 0...3 where !gone.contains(person):
                    let spot = spots.randomElement(using: &generator) ?? nil
                    let score = "\(Int.random(in: 1...9, using: &generator))"
                    if Bool.random(using: &generator) { cast.house.wait(86_400) }
                    let new = try? await cast.attempt(score, at: id, by: person) { draft in
                        draft.spot = spot.map { AttemptSpot(point: $0, precision: .exact) }
                    }
                    if let new { known.append(new) }
                case 4...6:
                    if let attempt { _ = try? await cast.attempts.decide(attempt, .verify, by: cast.mod) }
                case 7:
                    if let attempt { _ = try? await cast.attempts.decide(attempt, .reject(why: "No"), by: cast.moe) }
                case 8:
                    if let attempt, let seen = try await cast.attempts.attempt(attempt, for: .member(cast.mod)) {
                        if let author = seen.person?.id {
                            if seen.state == .rejected {
                                _ = try? await cast.attempts.appeal(attempt, text: "Please", by: author)
                            } else if Bool.random(using: &generator) {
                                _ = try? await cast.attempts.withdraw(attempt, by: author)
                            }
                        }
                    }
                default:
                    if step > 20, gone.count < 3, gone.insert(person).inserted {
                        _ = try await cast.library.accounts().delete(person)
                    }
                }
                try await expectFold(cast, terms, "round \(round), step \(step), \(seed)")
            }
        }
    }

    /// The table against the fold over what the attempts say.
    private func expectFold(_ cast: ChallengeCast, _ terms: RuleTerms, _ comment: String) async throws {
        let (wanted, found) = try await cast.library.reading { database in
            let attempts = try Row.fetchAll(
                database, sql: "SELECT * FROM attempts WHERE state = 'verified' ORDER BY sequence DESC"
            ).map { row in
                VerifiedAttempt(
                    sequence: row["sequence"], score: row["score"], received: row["received"],
                    areas: RecordPlace.areas(place: row["place"], town: row["town"], country: row["country"]))
            }
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM holds").compactMap { row in
                RecordLevel(rawValue: row["level"]).map { level in
                    Hold(
                        area: RecordArea(level, row["place"]), attempt: row["attempt"], from: row["from"],
                        until: row["until"])
                }
            }
            return (HoldFold.holds(attempts, terms), rows)
        }
        #expect(Set(found) == Set(wanted) && found.count == wanted.count, "\(comment)")
    }

    @Test func `made at once or change by change, the table has the same bytes`() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let cast = try await ChallengeCast()
        let (one, two) = (try await cast.challenge(), try await cast.challenge())
        // The same attempts, in the same milliseconds, verified in another order.
        var pairs: [(HubID, HubID)] = []
        for number in 0..<14 {
            let score = "\(Int.random(in: 1...9, using: &generator))"
            let person = [cast.ann, cast.bob, cast.cem][number % 3]
            let spot = [nil, ChallengeCast.bonn, ChallengeCast.liege][Int.random(in: 0...2, using: &generator)]
            cast.house.wait(3600)
            var attempts: [HubID] = []
            for challenge in [one, two] {
                var draft = AttemptDraft(score: score, done: cast.house.now, version: 1)
                draft.spot = spot.map { AttemptSpot(point: $0, precision: .exact) }
                attempts.append(try await cast.attempts.begin(draft, at: challenge, by: person, key: UUID().uuidString))
            }
            pairs.append((attempts[0], attempts[1]))
            try await cast.attempts.decide(attempts[0], .verify, by: cast.mod)
            if number % 3 == 2 {
                for pair in pairs.suffix(3).shuffled(using: &generator) {
                    try await cast.attempts.decide(pair.1, .verify, by: cast.mod)
                }
            }
        }
        for pair in pairs.suffix(2).reversed() { try await cast.attempts.decide(pair.1, .verify, by: cast.moe) }
        let rows = try await cast.library.reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT rules.challenge, level, holds.place, score, account, "from", until
                    FROM holds JOIN attempts ON attempts.sequence = attempt JOIN rules ON rules.sequence = holds.rule
                    ORDER BY level, holds.place, "from"
                    """
            ).map { row in
                let challenge: String = row["challenge"]
                return (challenge, "\(row)".replacing(challenge, with: ""))
            }
        }
        let (first, second) = (rows.filter { $0.0 == one.text }, rows.filter { $0.0 == two.text })
        #expect(first.map(\.1) == second.map(\.1) && !first.isEmpty, "\(seed)")
    }
}
