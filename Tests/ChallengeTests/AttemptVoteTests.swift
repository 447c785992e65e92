import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import HubHousehold
import Testing

/// Votes on single attempts (OU-9).
@Suite struct AttemptVoteTests {
    @Test func `a vote counts once, is changed and taken back, and none of them changes who holds`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.verified("60", at: id, by: cast.ann)
        func votes(_ viewer: Viewer = .visitor) async throws -> AttemptVotes? {
            try await cast.attempts.votes(on: [attempt], for: viewer)[attempt]
        }
        #expect(try await votes() == nil)
        for _ in 0..<2 { try await cast.attempts.vote(.up, on: attempt, by: cast.bob, from: "192.0.2.1") }
        #expect(try await votes()?.ups == 1)
        #expect(try await votes(.member(cast.bob))?.own == .up)
        try await cast.attempts.vote(.down, on: attempt, by: cast.bob, from: "192.0.2.1")
        let turned = try await votes(.member(cast.bob))
        #expect(turned?.ups == 0 && turned?.downs == 1 && turned?.own == .down)
        try await cast.attempts.vote(nil, on: attempt, by: cast.bob, from: nil)
        #expect(try await votes() == nil)
        let own = try await cast.refusal { try await cast.attempts.vote(.up, on: attempt, by: cast.ann, from: nil) }
        #expect(own == .involved(.author))
        #expect(try await cast.world(id) == ["ann 60"])
        #expect(try await cast.house.traces(of: ["192.0.2"]).isEmpty)
    }

    @Test func `what few like sinks and rises again; a block of addresses and young accounts sink nothing`()
        async throws
    {
        let cast = try await ChallengeCast()
        let attempt = try await cast.verified("60", at: try await cast.challenge(), by: cast.ann)
        let people = [cast.sue, cast.bob, cast.cem, cast.vic, cast.wim, cast.moe]
        func isSunk() async throws -> Bool? {
            try await cast.attempts.votes(on: [attempt], for: .visitor)[attempt]?.isSunk
        }
        // One block has five votes, whoever votes from it.
        for person in people { try await cast.attempts.vote(.down, on: attempt, by: person, from: "192.0.2.7") }
        #expect(try await isSunk() == false)
        for person in people {
            try await cast.attempts.vote(nil, on: attempt, by: person, from: nil)
            try await cast.attempts.vote(.down, on: attempt, by: person, from: nil)
        }
        #expect(try await isSunk() == true)
        #expect(try await cast.attempts.attempt(attempt, for: .visitor) != nil, "it keeps its address")
        // An account counts when it is a day old.
        let now = Int64(cast.house.now.timeIntervalSince1970 * 1000)
        try await cast.house.change("UPDATE accounts SET created = \(now) WHERE id = 'id-moe'")
        #expect(try await isSunk() == false)
        cast.house.wait(86_400)
        #expect(try await isSunk() == true)
        try await cast.house.change("UPDATE accounts SET state = 'suspended' WHERE id = 'id-moe'")
        #expect(try await isSunk() == false)
    }

    @Test func `nobody votes on what she does not see, nor on what does not count`() async throws {
        let cast = try await ChallengeCast()
        let attempt = try await cast.attempt("60", at: try await cast.challenge(), by: cast.ann)
        try await cast.attempts.decide(attempt, .reject(why: "Cut"), by: cast.mod)
        let unseen = try await cast.refusal { try await cast.attempts.vote(.up, on: attempt, by: cast.bob, from: nil) }
        let seen = try await cast.refusal { try await cast.attempts.vote(.up, on: attempt, by: cast.mod, from: nil) }
        #expect(unseen == .notFound && seen == .state(.rejected))
    }
}
