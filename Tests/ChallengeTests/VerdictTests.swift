import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Who says whether an attempt counts: people who have nothing to do with it (OU-20; boards.md 5.3.4).
@Suite struct VerdictTests {
    /// Every way in which somebody could have a say in what is her own.
    private struct Way: Sendable, CustomStringConvertible {
        let description: String
        let refusal: AttemptRefusal
        /// Makes somebody who is not allowed to decide about Ann's attempt.
        let who: @Sendable (ChallengeCast, HubID) async throws -> AccountID
    }

    private static func choose(_ account: AccountID, _ cast: ChallengeCast, _ id: HubID) async throws -> AccountID {
        try await cast.verifiers.choose(account, at: id, by: cast.mod)
        return account
    }

    private static func moderate(_ account: AccountID, _ cast: ChallengeCast) async throws -> AccountID {
        try await cast.house.change("UPDATE accounts SET role = 'moderator' WHERE id = '\(account)'")
        return account
    }

    private static func mail(_ account: AccountID, _ mail: String, _ cast: ChallengeCast) async throws {
        try await cast.house.change("UPDATE accounts SET mail = '\(mail)' WHERE id = '\(account)'")
    }

    private static let ways: [Way] = [
        Way(description: "the author, whom a moderator has chosen", refusal: .involved(.author)) { cast, id in
            try await choose(cast.ann, cast, id)
        },
        Way(description: "the author, who has three verified attempts", refusal: .involved(.author)) { cast, _ in
            cast.ann
        },
        Way(description: "the author, who moderates", refusal: .involved(.author)) { cast, _ in
            try await moderate(cast.ann, cast)
        },
        Way(description: "the author, who owns the hub", refusal: .involved(.author)) { cast, _ in
            try await cast.house.change("UPDATE accounts SET role = 'owner' WHERE id = 'id-ann'")
            return cast.ann
        },
        Way(description: "the setter, chosen", refusal: .involved(.setter)) { cast, id in
            try await choose(cast.sue, cast, id)
        },
        Way(description: "the setter, who moderates", refusal: .involved(.setter)) { cast, _ in
            try await moderate(cast.sue, cast)
        },
        Way(description: "the holder, chosen", refusal: .involved(.holder)) { cast, id in
            try await choose(cast.bob, cast, id)
        },
        Way(description: "the holder, who moderates", refusal: .involved(.holder)) { cast, _ in
            try await moderate(cast.bob, cast)
        },
        Way(
            description: "the author's second account, with the same address in other letters",
            refusal: .involved(.author)
        ) {
            cast, id in
            // The table itself knows an address without case; one account has another domain of the same mailbox.
            try await mail(cast.ann, "An.n@gmail.com", cast)
            try await mail(cast.vic, "ANN@googlemail.com", cast)
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the author's second account, with a tag", refusal: .involved(.author)) { cast, id in
            try await mail(cast.ann, "ann@example.org", cast)
            try await mail(cast.vic, "Ann+records@example.org", cast)
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the setter's second account", refusal: .involved(.setter)) { cast, id in
            try await mail(cast.sue, "sue+one@example.org", cast)
            try await mail(cast.vic, "sue+two@example.org", cast)
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the holder's second account, which moderates", refusal: .involved(.holder)) { cast, _ in
            try await mail(cast.bob, "bob@example.org", cast)
            try await mail(cast.mod, "bob+mod@example.org", cast)
            return cast.mod
        },
        Way(description: "who has a stake, chosen", refusal: .involved(.stake)) { cast, id in
            try await choose(cast.wim, cast, id)
        },
        Way(description: "the second account of who has a stake", refusal: .involved(.stake)) { cast, id in
            try await mail(cast.wim, "wim@example.org", cast)
            try await mail(cast.vic, "wim+2@example.org", cast)
            return try await choose(cast.vic, cast, id)
        },
        Way(
            description: "whose better attempt waits, and would take the record from the author",
            refusal: .involved(.rival)
        ) {
            cast, id in
            try await cast.attempt("70", at: id, by: cast.cem)
            return try await choose(cast.cem, cast, id)
        },
        Way(description: "the second account of whose better attempt waits", refusal: .involved(.rival)) { cast, id in
            try await mail(cast.cem, "cem@example.org", cast)
            try await mail(cast.vic, "cem+2@example.org", cast)
            try await cast.attempt("70", at: id, by: cast.cem)
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "anybody else", refusal: .notAllowed) { cast, _ in cast.cem },
        Way(description: "a verifier of another challenge", refusal: .notAllowed) { cast, _ in
            try await choose(cast.vic, cast, try await cast.challenge())
        },
        Way(description: "a suspended verifier", refusal: .noAccount) { cast, id in
            let vic = try await choose(cast.vic, cast, id)
            try await cast.house.change("UPDATE accounts SET state = 'suspended' WHERE id = '\(vic)'")
            return vic
        },
        Way(description: "a verifier whom a moderator has dismissed", refusal: .notAllowed) { cast, id in
            let vic = try await choose(cast.vic, cast, id)
            try await cast.verifiers.dismiss(vic, at: id, by: cast.moe)
            return vic
        },
        Way(description: "nobody", refusal: .noAccount) { _, _ in AccountID(rawValue: "nobody") },
    ]

    @Test(arguments: ways.indices)
    func `nobody verifies or rejects what she is involved in, in whatever way`(index: Int) async throws {
        let way = Self.ways[index]
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for score in ["1", "2", "3"] { try await cast.verified(score, at: id, by: cast.ann) }
        try await cast.verified("50", at: id, by: cast.bob)
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        let who = try await way.who(cast, id)
        let attempts = AttemptStore(library: cast.library, stakes: { _, _, _ in [AccountID(rawValue: "id-wim")] })
        let before = try await cast.rows("verdicts", "sequence")
        for verdict in [AttemptVerdict.verify, .reject(why: "It was not so")] {
            #expect(
                try await cast.refusal { try await attempts.decide(attempt, verdict, by: who) } == way.refusal, "\(way)"
            )
        }
        #expect(try await cast.state(attempt) == .waiting, "\(way)")
        #expect(try await cast.rows("verdicts", "sequence") == before)
    }

    @Test func `whose attempt waits, and would lose the record to another, has no say in that one`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.bob, cast.cem] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
        try await cast.verified("50", at: id, by: cast.vic)
        try await cast.attempt("70", at: id, by: cast.cem)
        try await cast.attempt("40", at: id, by: cast.bob)
        let attempt = try await cast.attempt("80", at: id, by: cast.ann)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .reject(why: "No"), by: cast.cem) }
                == .involved(.rival))
        // Bob's is no record with Ann's, nor without.
        #expect(try await cast.attempts.decide(attempt, .verify, by: cast.bob).state == .waiting)
    }

    @Test func `nobody chooses the judges by blocking the others`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        for account in [cast.sue, cast.ann] { try await cast.library.block(cast.mod, by: account) }
        #expect(try await cast.attempts.waiting(for: cast.mod, limit: 9).map(\.id) == [attempt])
        #expect(try await cast.attempts.attempt(attempt, for: .member(cast.mod))?.person == nil)
        #expect(try await cast.attempts.decide(attempt, .verify, by: cast.mod).state == .verified)
    }

    @Test func `the table itself takes no word of the author or of the setter`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.attempt("60", at: id, by: cast.ann)
        for who in [cast.ann, cast.sue] {
            await #expect(throws: DatabaseError.self) {
                try await cast.house.change(
                    """
                    INSERT INTO verdicts (attempt, "by", standing, what, why, round, at)
                    SELECT sequence, '\(who)', 'moderator', 'verify', '', 0, 0 FROM attempts
                    """)
            }
        }
    }

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
        try await Self.mail(cast.vic, "vic@example.org", cast)
        try await Self.mail(cast.wim, "Vic+second@example.org", cast)
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

    @Test func `an author appeals once, another moderator looks, and it keeps its place`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for account in [cast.vic, cast.wim] { try await cast.verifiers.choose(account, at: id, by: cast.mod) }
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.verified("60", at: id, by: cast.bob)
        try await cast.attempts.decide(attempt, .reject(why: "Too dark"), by: cast.moe)
        #expect(try await cast.world(id) == ["bob 60"])
        #expect(
            try await cast.refusal { try await cast.attempts.appeal(attempt, text: "No", by: cast.bob) } == .notFound)
        try await cast.attempts.appeal(attempt, text: "The sound is clear", by: cast.ann)
        #expect(
            try await cast.refusal { try await cast.attempts.appeal(attempt, text: "No", by: cast.ann) }
                == .state(.waiting))
        // Her one open attempt is this.
        #expect(try await cast.refusal { try await cast.attempt("61", at: id, by: cast.ann) } == .already)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .verify, by: cast.vic) } == .notAllowed)
        #expect(
            try await cast.refusal { try await cast.attempts.decide(attempt, .reject(why: "Still"), by: cast.moe) }
                == .involved(.decided))
        #expect(try await cast.attempts.attempt(attempt, for: .member(cast.ann))?.appeal == "The sound is clear")
        #expect(try await cast.attempts.attempt(attempt, for: .member(cast.cem))?.appeal == nil)
        let outcome = try await cast.attempts.decide(attempt, .verify, by: cast.mod)
        #expect(outcome.state == .verified)
        // It came before Bob's, which is as good.
        #expect(try await cast.world(id) == ["ann 60"])
        try await cast.attempts.decide(attempt, .reject(why: "Seen again"), by: cast.mod)
        #expect(
            try await cast.refusal { try await cast.attempts.appeal(attempt, text: "Please", by: cast.ann) }
                == .noAppeal)
    }

    @Test func `who has rejected decides an appeal where nobody else could`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        // The other moderator is the author, and the owner of the hub sets the challenge with another account.
        try await cast.house.change(
            """
            UPDATE accounts SET role = 'member' WHERE id = 'id-moe';
            UPDATE accounts SET mail = 'sue@example.org' WHERE id = 'id-sue';
            UPDATE accounts SET mail = 'sue+me@example.org' WHERE id = 'me';
            """)
        let attempt = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.attempts.decide(attempt, .reject(why: "Too dark"), by: cast.mod)
        try await cast.attempts.appeal(attempt, text: "It is not", by: cast.ann)
        try await cast.attempts.decide(attempt, .verify, by: cast.mod)
        #expect(try await cast.state(attempt) == .verified)
    }

    @Test func `an appeal comes in time, and not beside another attempt`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let one = try await cast.attempt("60", at: id, by: cast.ann)
        try await cast.attempts.decide(one, .reject(why: "Too dark"), by: cast.mod)
        let other = try await cast.attempt("61", at: id, by: cast.ann)
        #expect(try await cast.refusal { try await cast.attempts.appeal(one, text: "No", by: cast.ann) } == .already)
        try await cast.attempts.decide(other, .reject(why: "Too dark"), by: cast.mod)
        cast.house.wait(Attempt.appealTime)
        try await cast.attempts.appeal(other, text: "No", by: cast.ann)
        cast.house.wait(2)
        try await cast.attempts.withdraw(other, by: cast.ann)
        #expect(try await cast.refusal { try await cast.attempts.appeal(one, text: "No", by: cast.ann) } == .noAppeal)
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

    @Test func `ties are found by person and by mailbox, the nearest first`() {
        let (one, two, three) = (AccountID(rawValue: "1"), AccountID(rawValue: "2"), AccountID(rawValue: "3"))
        var ties = Involvement(author: one, setter: two)
        #expect(ties.tie(of: one) == .author && ties.tie(of: two) == .setter && ties.tie(of: three) == nil)
        (ties.holders, ties.stakes) = ([three], [three])
        #expect(ties.tie(of: three) == .holder)
        let other = AccountID(rawValue: "4")
        ties.mailboxes = [other: "a@b", one: "c@d"]
        #expect(ties.tie(of: other) == nil)
        ties.mailboxes[three] = "a@b"
        #expect(ties.tie(of: other) == .holder)
        ties.mailboxes[one] = "a@b"
        #expect(ties.tie(of: other) == .author)
    }
}
