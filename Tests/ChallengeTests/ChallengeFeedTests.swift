import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// The board's lists (OU-1, OU-13, OU-15).
@Suite struct ChallengeFeedTests {
    private static func event(_ cast: ChallengeCast, _ from: Double, _ to: Double, grace: Int = 0) -> RuleTerms {
        var terms = ChallengeCast.counting
        let now = cast.house.now
        terms.event = .init(begins: now.addingTimeInterval(from), ends: now.addingTimeInterval(to), grace: grace)
        return terms
    }

    private func titles(
        _ cast: ChallengeCast, _ feed: ChallengeFeed, _ category: Challenge.Category? = nil,
        for viewer: Viewer = .visitor
    ) async throws -> [String] {
        try await cast.challenges.feed(feed, category: category, limit: 50, for: viewer).found.map(\.item.title)
    }

    @Test func `what is new, what can be tried anywhere, and what is near`() async throws {
        let cast = try await ChallengeCast()
        try await cast.challenge(title: "Anywhere")
        var here = ChallengeCast.counting
        here.place = .here
        try await cast.challenge(here, title: "Bonn") { ($0.point, $0.precision) = (ChallengeCast.bonn, .exact) }
        try await cast.challenge(here, title: "Köln") {
            ($0.point, $0.precision, $0.category) = (ChallengeCast.cologne, .exact, .games)
        }
        #expect(try await titles(cast, .new) == ["Köln", "Bonn", "Anywhere"])
        #expect(try await titles(cast, .new, .games) == ["Köln"])
        #expect(try await titles(cast, .global) == ["Anywhere"])
        func local(_ radius: Int) -> ChallengeFeed { .local(.init(ChallengeCast.bonn, radius: radius)) }
        #expect(try await titles(cast, local(10)) == ["Bonn"])
        #expect(try await titles(cast, local(100)) == ["Köln", "Bonn"])
        #expect(try await titles(cast, local(100), .games) == ["Köln"])
        #expect(ChallengeFeed.Locality(ChallengeCast.bonn, radius: 0).radius == 1)
        #expect(ChallengeFeed.Locality(ChallengeCast.bonn, radius: 9999).radius == 100)
    }

    @Test func `events run while they last, the next to end first, and then they are over`() async throws {
        let cast = try await ChallengeCast()
        try await cast.challenge(title: "For ever")
        let long = try await cast.challenge(Self.event(cast, -10, 7200), title: "Long")
        try await cast.challenge(Self.event(cast, 0, 3600, grace: 600), title: "Short")
        try await cast.challenge(Self.event(cast, 7000, 9000), title: "Later")
        try await cast.challenge(Self.event(cast, 600, 9000), title: "Soon") { $0.category = .games }
        #expect(try await titles(cast, .running) == ["Short", "Long"])
        #expect(try await titles(cast, .coming) == ["Soon", "Later"])
        #expect(try await titles(cast, .coming, .games) == ["Soon"])
        cast.house.wait(3600)
        #expect(try await titles(cast, .running) == ["Long", "Soon"])
        #expect(try await titles(cast, .running, .games) == ["Soon"])
        try await cast.library.transact { try Items.hide(long, true, in: $0) }
        #expect(try await titles(cast, .running, for: .member(cast.sue)) == ["Soon"])
        try await cast.library.transact { try Items.hide(long, false, in: $0) }
        try await cast.library.block(cast.ann, by: cast.sue)
        #expect(try await titles(cast, .running, for: .member(cast.ann)).isEmpty)
        // What came in the time after its end is taken; then it ends like what has had its time.
        _ = try await cast.library.sweep(at: cast.house.now)
        #expect(try await titles(cast, .new).count == 5)
        cast.house.wait(600)
        _ = try await cast.library.sweep(at: cast.house.now)
        #expect(try await titles(cast, .new) == ["Soon", "Later", "Long", "For ever"])
    }

    @Test func `another rule moves an event, and what was its end is none`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge(Self.event(cast, 0, 3600), title: "Moved")
        try await cast.challenges.change(id, version: 1, to: Self.event(cast, 600, 7200), by: cast.sue)
        #expect(try await titles(cast, .running).isEmpty)
        #expect(try await titles(cast, .coming) == ["Moved"])
        try await cast.challenges.change(id, version: 2, to: ChallengeCast.counting, by: cast.sue)
        #expect(try await titles(cast, .coming).isEmpty)
        cast.house.wait(9000)
        _ = try await cast.library.sweep(at: cast.house.now)
        #expect(try await titles(cast, .new) == ["Moved"])
    }

    @Test func `whoever pages through events sees each once, whatever comes and ends meanwhile`() async throws {
        let cast = try await ChallengeCast()
        var lasting: [String] = []
        for number in 0..<12 {
            // Some end together.
            try await cast.challenge(Self.event(cast, 0, 3600 + Double(number / 3) * 60), title: "Lasting \(number)")
            lasting.append("Lasting \(number)")
        }
        try await cast.challenge(Self.event(cast, 0, 100), title: "Soon over")
        var (found, after): ([String], String?) = ([], nil)
        repeat {
            let page = try await cast.challenges.feed(.running, after: after, limit: 5, for: .visitor)
            found += page.found.map(\.item.title)
            after = page.next
            cast.house.wait(100)
            try await cast.challenge(Self.event(cast, 0, 200), title: "Meanwhile")
        } while after != nil
        #expect(found.filter { $0.hasPrefix("Lasting") }.sorted() == lasting.sorted())
        for cursor in ["", "e", "e1", "e1-x", "n5", "e9223372036854775808-1"] {
            let page = try await cast.challenges.feed(.running, after: cursor, limit: 5, for: .visitor)
            #expect(page.found.count == 5, "\(cursor)")
        }
    }
}
