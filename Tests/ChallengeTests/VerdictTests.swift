import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Who says whether an attempt counts: people who have nothing to do with it (OU-20; boards.md 5.3.4).
@Suite struct VerdictTests {
    @Test func `two verifiers who agree decide, and the same one twice changes nothing`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.vic, cast.wim, cast.cem] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        #expect(try await cast.attempts.decide(attempt, .verify, by: cast.vic).state == .waiting)
        for verdict in [AttemptVerdict.verify, .reject(why: "No")] {
            #expect(
                try await cast.refusal { try await cast.attempts.decide(attempt, verdict, by: cast.vic) }
                    == .decidedAlready)
        }
        #expect(try await cast.state(attempt) == .waiting)
        // One says yes, one no: a third decides.
        #expect(try await cast.attempts.decide(attempt, .reject(why: "No"), by: cast.wim).state == .waiting)
        let outcome = try await cast.attempts.decide(attempt, .verify, by: cast.cem)
        #expect(outcome.state == .verified && outcome.begun.count == 1 && outcome.ended.isEmpty)
        #expect(try await cast.world(id) == ["ann 60"])
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .verify, by: cast.wim) }
                == .state(.verified))
    }

    @Test func `what was rejected is seen by those who have judged it, and by nobody else`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.vic, cast.wim, cast.cem] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.attempts.decide(attempt, .reject(why: "No"), by: cast.vic)
        #expect(try await cast.attempts.decide(attempt, .reject(why: "Cut"), by: cast.wim).state == .rejected)
        for account in [cast.vic, cast.wim, cast.ann, cast.mod] {
            #expect(try await cast.attempts.attempt(attempt, for: .member(account))?.state == .rejected)
        }
        #expect(try await cast.attempts.attempt(attempt, for: .member(cast.cem)) == nil)
        #expect(try await cast.attempts.attempt(attempt, for: .visitor) == nil)
    }

    @Test func `two accounts of one person are one word`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.vic, cast.wim] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
        try await cast.mail(cast.vic, "vic@example.org")
        try await cast.mail(cast.wim, "Vic+second@example.org")
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.attempts.decide(attempt, .verify, by: cast.vic)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .verify, by: cast.wim) } == .decidedAlready
        )
        #expect(try await cast.state(attempt) == .waiting)
    }

    @Test func `who has come to hold the record meanwhile, or verifies no more, has said nothing`() async throws {
        let cast = try await ChallengeCast()
        for isDismissed in [false, true] {
            let id = try await cast.challenge(title: "Dismissed: \(isDismissed)")
            for account in [cast.vic, cast.wim, cast.cem] {
                try await cast.verifiers.choose(account, at: id, by: cast.mod)
            }
            let attempt = try await cast.attempt("60", at: id, by: cast.ann)
            #expect(try await cast.attempts.decide(attempt, .verify, by: cast.vic).state == .waiting)
            if isDismissed {
                try await cast.verifiers.dismiss(cast.vic, at: id, by: cast.moe)
            } else {
                // Ann's, which came before it, would take it from Vic.
                try await cast.verified("50", at: id, by: cast.vic)
                #expect(try await cast.world(id) == ["vic 50"])
            }
            #expect(try await cast.attempts.decide(attempt, .verify, by: cast.wim).state == .waiting)
            #expect(try await cast.attempts.decide(attempt, .verify, by: cast.cem).state == .verified)
            #expect(try await cast.world(id) == ["ann 60"])
        }
    }

    @Test func `whoever has three verified attempts at a rule verifies there, and at no other version`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for score in ["10", "11"] { try await cast.verified(score, at: id, by: cast.bob) }
        try await cast.verified("90", at: id, by: cast.cem)
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .verify, by: cast.bob) } == .notAllowed)
        #expect(try await cast.attempts.waiting(for: cast.bob, limit: 9).isEmpty)
        try await cast.verified("12", at: id, by: cast.bob)
        #expect(try await cast.attempts.waiting(for: cast.bob, limit: 9).map(\.id) == [attempt])
        #expect(try await cast.attempts.waiting(for: cast.ann, limit: 9).isEmpty)
        try await cast.attempts.decide(attempt, .verify, by: cast.bob)
        #expect(try await cast.attempts.waiting(for: cast.bob, limit: 9).isEmpty)
        #expect(try await cast.attempts.waiting(for: cast.moe, limit: 9).map(\.id) == [attempt])
        try await cast.challenges.change(id, version: 1, to: ChallengeCast.counting, by: cast.mod)
        let other = try await cast.attempt("60", at: id, by: cast.vic, version: 2)
        #expect(try await cast.refusal { try await cast.attempts.decide(other, .verify, by: cast.bob) } == .notAllowed)
    }

    @Test func `a moderator decides alone, and rejects also what was verified, with a reason`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let first = try await cast.verified("60", at: id, by: cast.ann)
        let second = try await cast.verified("70", at: id, by: cast.bob)
        for reason in ["", " \n "] {
            #expect(
                try await cast.refusal { try await cast.attempts.decide(second, .reject(why: reason), by: cast.moe) }
                    == .fields([.reason: .missing]))
        }
        let long = String(repeating: "a", count: 1001)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(second, .reject(why: long), by: cast.moe) }
                == .fields([.reason: .tooLong(most: 1000)]))
        #expect(
            try await cast.refusal { try await cast.attempts.decide(second, .verify, by: cast.moe) }
                == .state(.verified))
        let outcome = try await cast.attempts.decide(second, .reject(why: "Cut at 0:37"), by: cast.moe)
        #expect(outcome.state == .rejected && outcome.ended.count == 2 && outcome.begun.count == 1)
        // As if it had never been (OU-19).
        #expect(try await cast.world(id) == ["ann 60"])
        #expect(try await cast.holds.history(of: cast.rule(id).id, in: .world, for: .visitor).first?.until == nil)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(second, .verify, by: cast.mod) }
                == .state(.rejected))
        #expect(try await cast.state(first) == .verified)
        // The author reads why; nobody else does, and nobody but moderators who.
        #expect(try await cast.attempts.rulings(of: second, for: .member(cast.bob)).map(\.why) == ["", "Cut at 0:37"])
        #expect(try await cast.attempts.rulings(of: second, for: .member(cast.bob)).allSatisfy { $0.by == nil })
        #expect(try await cast.attempts.rulings(of: second, for: .member(cast.ann)).isEmpty)
        #expect(try await cast.attempts.rulings(of: second, for: .member(cast.mod)).map(\.by) == [cast.mod, cast.moe])
    }

    @Test func `what was said is neither changed nor removed, by whatever statement`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.attempts.decide(attempt, .reject(why: "Too dark"), by: cast.mod)
        for statement in [
            "UPDATE verdicts SET why = 'x'", "UPDATE verdicts SET what = 'verify'", "UPDATE verdicts SET \"by\" = NULL",
            "UPDATE verdicts SET \"by\" = 'id-moe'", "DELETE FROM verdicts",
            "INSERT OR REPLACE INTO verdicts SELECT sequence, attempt, \"by\", standing, 'verify', '', round, at FROM verdicts",
        ] {
            await #expect(throws: DatabaseError.self, "\(statement)") { try await cast.house.change(statement) }
        }
        // The name of who has gone goes; the word stays.
        _ = try await cast.library.accounts().delete(cast.mod)
        let rows = try await cast.rows("verdicts", "sequence")
        #expect(rows.count == 1 && rows[0].contains("Too dark") && !rows[0].contains("id-mod"))
        // It goes with the attempt.
        _ = try await cast.library.accounts().delete(cast.ann)
        #expect(try await cast.rows("verdicts", "sequence").isEmpty)
    }

    @Test func `of many who decide at once, each word counts once and one decision is made`() async throws {
        let cast = try await ChallengeCast()
        for round in 0..<6 {
            let id = try await cast.challenge(title: "Round \(round)")
            for account in [cast.vic, cast.wim] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
            let attempt = try await cast.attempt("60", at: id, by: cast.ann)
            let callers: [(AccountID, AttemptVerdict?)] = [
                (cast.mod, .verify), (cast.moe, .reject(why: "No")), (cast.vic, .verify), (cast.vic, .verify),
                (cast.wim, .verify), (cast.wim, .reject(why: "No")), (cast.ann, nil), (cast.ann, nil),
            ]
            let outcomes = await withTaskGroup(of: Attempt.State?.self) { group in
                for (account, verdict) in callers {
                    group.addTask { [attempts = cast.attempts] in
                        guard let verdict else {
                            do { try await attempts.withdraw(attempt, by: account) } catch { return nil }
                            return .withdrawn
                        }
                        return try? await attempts.decide(attempt, verdict, by: account).state
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // From waiting it went to one state; from verified it may have been rejected or taken back after that.
            let state = try #require(try await cast.state(attempt))
            let made = outcomes.compactMap { $0 }.filter { $0 != .waiting }
            #expect(made.filter { $0 == .verified }.count <= 1 && made.filter { $0 == .withdrawn }.count <= 1)
            #expect(made.contains(state) && made.count <= 2, "\(made) \(state)")
            #expect(try await cast.world(id) == (state == .verified ? ["ann 60"] : []))
            let words = try await cast.library.reading { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT "by", COUNT(*) AS n FROM verdicts JOIN attempts ON attempts.sequence = attempt
                        WHERE attempts.id = ? GROUP BY "by"
                        """, arguments: [attempt.text]
                ).map { $0["n"] as Int }
            }
            #expect(words.allSatisfy { $0 == 1 })
        }
    }

    @Test func `moderators alone choose who verifies`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.ann, cast.sue] {
            #expect(
                try await cast.refusal { try await cast.verifiers.choose(cast.vic, at: id, by: account) } == .notAllowed
            )
            #expect(
                try await cast.refusal { try await cast.verifiers.dismiss(cast.vic, at: id, by: account) }
                    == .notAllowed)
        }
        try await cast.verifiers.choose(cast.vic, at: id, by: cast.mod)
        try await cast.verifiers.choose(cast.vic, at: id, by: cast.moe)
        #expect(try await cast.verifiers.chosen(at: id, for: .visitor).map(\.handle) == ["vic"])
    }
}
