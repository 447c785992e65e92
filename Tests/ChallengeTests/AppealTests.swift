import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import HubHousehold
import Testing

/// An author who was rejected may have somebody else look at it, once (OU-20).
@Suite struct AppealTests {
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
}
