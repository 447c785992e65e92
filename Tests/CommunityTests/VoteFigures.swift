import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import Foundation
import GRDB
import HubHousehold
import Testing

/// How long lists by popularity and votes take in a library with very many: figures, not limits; with `CHIRP_LONG_TESTS` in the environment.
@Suite struct VoteFigures {
    private static let isWanted = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil
    private static let (items, people, votes, towns) = (100_000, 2000, 500_000, 60)

    /// Sorted times, as somebody reads them.
    private func told(_ times: [Duration]) -> String {
        let sorted = times.map { Double($0.components.attoseconds) / 1e15 + Double($0.components.seconds) * 1000 }
            .sorted()
        guard let longest = sorted.last else { return "nothing" }
        func text(_ value: Double) -> String { String(format: "%.2f", value) }
        let (half, high) = (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
        return
            "\(sorted.count) times, median \(text(half)) ms, 95 % within \(text(high)) ms, longest \(text(longest)) ms"
    }

    private func timed<Result>(
        _ times: inout [Duration], _ work: () async throws -> Result
    ) async rethrows -> Result {
        let begin = ContinuousClock.now
        let result = try await work()
        times.append(ContinuousClock.now - begin)
        return result
    }

    /// Things in and around towns, a hundred times as many in the largest as in the smallest, of some weeks.
    private func fill(_ world: VoteWorld, _ dice: inout Dice) async throws -> [(id: HubID, point: GeoPoint)] {
        let centres = (0..<Self.towns).map { _ in
            (Double.random(in: 36...60, using: &dice), Double.random(in: -8...30, using: &dice))
        }
        var listed: [(id: HubID, point: GeoPoint)] = []
        while listed.count < Self.items {
            var drafts: [ItemDraft] = []
            for number in listed.count..<min(listed.count + 2000, Self.items) {
                let share = Double.random(in: 0..<1, using: &dice)
                let centre = centres[Int(share * share * Double(Self.towns))]
                let point = (
                    centre.0 + Double.random(in: -0.2...0.2, using: &dice),
                    centre.1 + Double.random(in: -0.3...0.3, using: &dice)
                )
                drafts.append(
                    world.items.draft(
                        "challenge \(number)", kind: number.isMultiple(of: 4) ? "lost" : "found",
                        category: "category\(number % 12)", at: point))
            }
            let ids = try await world.library.transact { [drafts] database in
                try drafts.map { try Items.create($0, by: world.library, in: database) }
            }
            for (id, draft) in zip(ids, drafts) { listed.append((id, try #require(draft.point))) }
            world.house.wait(12 * 3600)
        }
        return listed
    }

    @Test(.enabled(if: isWanted)) func `lists by popularity, a vote, and a sweep`() async throws {
        let world = try await VoteWorld()
        var dice = Dice(seed: 17)
        let begin = ContinuousClock.now
        let listed = try await fill(world, &dice)
        let people = try await world.people(Self.people, days: 60)
        // Each likes things otherwise; a fiftieth of all have no vote.
        try await world.house.change(
            """
            WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(Self.votes))
            INSERT INTO itemMarks (account, kind, item, at, counted, block)
            SELECT 'p-' || ((n * 7919 + n / \(Self.items) * 37) % \(Self.people)), iif(n * 31 % 97 < item % 97, 'up', 'down'), item, n, 1, n % 5000 + 1
            FROM (SELECT n, 1 + abs(n * 2654435761 % \(Self.items)) * 49 / 50 AS item FROM number) WHERE true
            ON CONFLICT DO NOTHING
            """)
        try await world.library.transact { try Votes.recount(in: $0) }
        print("filling with \(Self.items) things: \(ContinuousClock.now - begin)")

        let far = try world.items.point(48, 10)
        let areas: [(String, ItemQuery.Area?)] = [
            ("everywhere", nil), ("1 km around", .circle(far, radius: 1000)),
            ("10 km around", .circle(far, radius: 1e4)),
            ("100 km around", .circle(far, radius: 1e5)), ("1,000 km around", .circle(far, radius: 1e6)),
        ]
        var reads: [String: [Duration]] = [:]
        var (votes, thoughts, all) = ([Duration](), [Duration](), [Duration]())
        for round in 0..<40 {
            for (name, area) in areas {
                for choice in ["all", "a category", "a kind"] {
                    var query = world.items.query { ($0.order, $0.limit) = (.popular, 30) }
                    if choice == "a category" { query.category = "category\(round % 12)" }
                    if choice == "a kind" { query.kinds = ["lost"] }
                    if case .circle(_, let radius)? = area, let one = listed.randomElement(using: &dice) {
                        query.area = .circle(one.point, radius: radius)
                    }
                    let viewer = round.isMultiple(of: 2) ? nil : world.items.bob
                    for page in 0..<3 {
                        let name = "\(name), \(choice)"
                        let found = try await timed(&reads[name, default: []]) {
                            try await world.items.reader(viewer).items(query)
                        }
                        all.append(contentsOf: reads[name]?.suffix(1) ?? [])
                        guard let next = found.next else { break }
                        query.after = next
                        // Others vote meanwhile.
                        for again in 0..<2 where page < 2 {
                            guard let one = listed.randomElement(using: &dice),
                                let person = people.randomElement(using: &dice)
                            else { continue }
                            let address = "10.\(Int.random(in: 0...255, using: &dice)).\(again).1"
                            try await timed(&votes) {
                                try await world.vote(
                                    Bool.random(using: &dice) ? .up : .down, on: one.id, by: person, from: address)
                            }
                            if round.isMultiple(of: 10) {
                                try await timed(&thoughts) { try await world.vote(nil, on: one.id, by: person) }
                            }
                        }
                    }
                }
            }
        }
        for name in reads.keys.sorted() { print("  popular, \(name): \(told(reads[name] ?? []))") }
        print("popular, together: \(told(all))")
        print("a vote: \(told(votes))")
        print("a vote that is taken back: \(told(thoughts))")

        // Votes of a twentieth of all people count no longer while somebody pages through the list.
        try await world.house.change("UPDATE accounts SET state = 'suspended', until = NULL WHERE id LIKE 'p-1__'")
        var query = world.items.query { ($0.order, $0.limit) = (.popular, 30) }
        query.after = try await world.items.reader().items(query).next
        var (sweeps, pages) = ([Duration](), [Duration]())
        try await timed(&sweeps) { try await world.sweep() }
        try await timed(&sweeps) { try await world.sweep() }
        let former = try await world.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM formerScores") }
        print("a sweep after 100 of \(Self.people) people are suspended, and one with nothing to do: \(sweeps)")
        while let next = query.after, pages.count < 1000 {
            query.after = next
            query.after = try await timed(&pages) { try await world.items.reader().items(query) }.next
        }
        print("page after page, \(former ?? 0) former ranks: \(told(pages))")
    }
}
