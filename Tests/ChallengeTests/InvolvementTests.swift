import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Nobody has a say in what is her own, in whatever way it is hers (OU-20; boards.md 5.3.4).
@Suite struct InvolvementTests {
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
            try await cast.mail(cast.ann, "An.n@gmail.com")
            try await cast.mail(cast.vic, "ANN@googlemail.com")
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the author's second account, with a tag", refusal: .involved(.author)) { cast, id in
            try await cast.mail(cast.ann, "ann@example.org")
            try await cast.mail(cast.vic, "Ann+records@example.org")
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the setter's second account", refusal: .involved(.setter)) { cast, id in
            try await cast.mail(cast.sue, "sue+one@example.org")
            try await cast.mail(cast.vic, "sue+two@example.org")
            return try await choose(cast.vic, cast, id)
        },
        Way(description: "the holder's second account, which moderates", refusal: .involved(.holder)) { cast, _ in
            try await cast.mail(cast.bob, "bob@example.org")
            try await cast.mail(cast.mod, "bob+mod@example.org")
            return cast.mod
        },
        Way(description: "who has a stake, chosen", refusal: .involved(.stake)) { cast, id in
            try await choose(cast.wim, cast, id)
        },
        Way(description: "the second account of who has a stake", refusal: .involved(.stake)) { cast, id in
            try await cast.mail(cast.wim, "wim@example.org")
            try await cast.mail(cast.vic, "wim+2@example.org")
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
            try await cast.mail(cast.cem, "cem@example.org")
            try await cast.mail(cast.vic, "cem+2@example.org")
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
