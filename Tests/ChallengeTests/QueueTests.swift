import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import HubHousehold
import Testing

/// What somebody is shown to verify, whom a moderator has chosen (OU-20).
@Suite struct QueueTests {
    @Test func `whoever was chosen sees what waits at her rules, and not what she has to do with`() async throws {
        let cast = try await ChallengeCast()
        let (id, other) = (try await cast.challenge(), try await cast.challenge(title: "Another"))
        let own = try await cast.challenge(by: cast.vic, title: "Her own")
        for challenge in [id, own] { try await cast.verifiers.choose(cast.vic, at: challenge, by: cast.mod) }
        func queue(of account: AccountID? = nil) async throws -> [HubID] {
            try await cast.attempts.waiting(for: account ?? cast.vic, limit: 9).map(\.id)
        }
        #expect(try await queue().isEmpty)
        let first = try await cast.attempt("50", at: id, by: cast.ann)
        let second = try await cast.attempt("60", at: id, by: cast.bob)
        // At no rule of hers, at a challenge of hers, and her own.
        try await cast.attempt("50", at: other, by: cast.ann)
        try await cast.attempt("50", at: own, by: cast.ann)
        #expect(try await queue() == [first, second])
        #expect(try await queue(of: cast.wim).isEmpty)
        #expect(try await queue(of: cast.ann).isEmpty)
        // One that waits and would lose a record to another's: then she judges neither.
        let waiting = try await cast.attempt("70", at: id, by: cast.vic)
        #expect(try await queue().isEmpty)
        try await cast.attempts.withdraw(waiting, by: cast.vic)
        #expect(try await queue() == [first, second])
        // She holds a record that one of them would end.
        try await cast.verified("55", at: id, by: cast.vic)
        let lower = try await cast.attempt("40", at: id, by: cast.cem)
        // Ann's, who came before her, would take nothing from her.
        #expect(try await queue() == [first, lower])
        let decided = try await cast.refusal { try await cast.attempts.decide(second, .verify, by: cast.vic) }
        #expect(decided == .involved(.holder))
        // What she has decided is for another one.
        try await cast.attempts.decide(lower, .verify, by: cast.vic)
        #expect(try await queue() == [first])
        #expect(try await cast.attempts.waiting(for: cast.mod, limit: 9).count == 5)
    }

    @Test func `by the same mailbox she is involved too, and who is chosen no more is asked no more`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.house.change("UPDATE accounts SET mail = 'vic@example.org' WHERE id = 'id-vic'")
        try await cast.house.change("UPDATE accounts SET mail = 'vic+two@example.org' WHERE id = 'id-ann'")
        try await cast.verifiers.choose(cast.vic, at: id, by: cast.mod)
        try await cast.attempt("50", at: id, by: cast.ann)
        let others = try await cast.attempt("40", at: id, by: cast.bob)
        // This one would end what Ann's would hold.
        try await cast.attempt("60", at: id, by: cast.cem)
        #expect(try await cast.attempts.waiting(for: cast.vic, limit: 9).map(\.id) == [others])
        try await cast.verifiers.dismiss(cast.vic, at: id, by: cast.mod)
        #expect(try await cast.attempts.waiting(for: cast.vic, limit: 9).isEmpty)
    }

    @Test func `much that she has to do with does not keep from her what is behind it`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.verifiers.choose(cast.vic, at: id, by: cast.mod)
        try await cast.verified("50", at: id, by: cast.vic)
        for (number, person) in [cast.ann, cast.bob, cast.cem].enumerated() {
            try await cast.attempt("\(60 + number)", at: id, by: person)
        }
        let last = try await cast.attempt("10", at: id, by: cast.wim)
        #expect(try await cast.attempts.waiting(for: cast.vic, limit: 1).map(\.id) == [last])
    }
}
