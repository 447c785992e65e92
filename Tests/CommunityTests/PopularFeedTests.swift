import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import Foundation
import GRDB
import HubHousehold
import Testing

/// Lists by popularity while votes change them (OU-1, boards.md 5.1.3).
@Suite struct PopularFeedTests {
    private struct Listed { let id: HubID, title, kind, category: String, point: GeoPoint }

    private func fill(_ world: VoteWorld, _ many: Int, _ dice: inout Dice) async throws -> [Listed] {
        var (drafts, listed) = ([ItemDraft](), [Listed]())
        for number in 0..<many {
            let point = (Double.random(in: 40...60, using: &dice), Double.random(in: 0...15, using: &dice))
            drafts.append(
                world.items.draft(
                    "thing \(number)", kind: number.isMultiple(of: 3) ? "lost" : "found",
                    category: number.isMultiple(of: 2) ? "keys" : "pets", at: point))
        }
        let ids = try await world.library.transact { [drafts] database in
            try drafts.map { try Items.create($0, by: world.library, in: database) }
        }
        for (id, draft) in zip(ids, drafts) {
            listed.append(
                Listed(
                    id: id, title: draft.title, kind: draft.kind, category: draft.category,
                    point: try #require(draft.point)))
        }
        return listed
    }

    /// What somebody adds, changes or removes between two pages, and many votes.
    private func disturb(
        _ world: VoteWorld, _ listed: [Listed], _ people: [AccountID], _ left: inout Set<HubID>, _ dice: inout Dice
    ) async throws {
        for _ in 0..<Int.random(in: 1...6, using: &dice) {
            guard let one = listed.filter({ left.contains($0.id) }).randomElement(using: &dice) else { return }
            let person = people[Int.random(in: 0..<people.count, using: &dice)]
            switch Int.random(in: 0...15, using: &dice) {
            case 0: try await world.items.list("new", at: (50, 7))
            case 1:
                try await world.library.transact { try Items.hide(one.id, true, in: $0) }
                left.remove(one.id)
            case 2:
                try await world.items.move(one.id, to: .settled, by: world.items.ann)
                left.remove(one.id)
            case 3:
                try await world.house.change("DELETE FROM items WHERE id = '\(one.id)'")
                left.remove(one.id)
            case 4:
                try await world.house.change("UPDATE accounts SET state = 'suspended' WHERE id = '\(person.rawValue)'")
                try await world.sweep()
            case 5: world.house.wait(1)
            default:
                let vote = [ItemVote.up, .down, .down, nil].randomElement(using: &dice) ?? nil
                // Some are suspended by now.
                do throws(VoteRefusal) { try await world.vote(vote, on: one.id, by: person) } catch {
                    guard error == .notActive else { throw error }
                }
            }
        }
    }

    /// Two hundred runs, in eight libraries: one of its own for each would take most of the time.
    @Test(arguments: 0..<8)
    func `each that was there throughout appears exactly once, where it stood when the list began`(_ first: Int)
        async throws
    {
        let world = try await VoteWorld()
        let people = try await world.people(12)
        for run in stride(from: first, to: 200, by: 8) {
            try await page(run, world, people)
            try await world.house.change("DELETE FROM items; UPDATE accounts SET state = 'active'")
            try await world.sweep()
        }
    }

    private func page(_ run: Int, _ world: VoteWorld, _ people: [AccountID]) async throws {
        var dice = Dice(seed: UInt64(run) &+ 1)
        let listed = try await fill(world, 30, &dice)
        for one in listed {
            for person in people where Int.random(in: 0...2, using: &dice) == 0 {
                try await world.vote(Bool.random(using: &dice) ? .up : .down, on: one.id, by: person)
            }
        }
        // Some sink before the list begins.
        for person in people { try await world.vote(.down, on: listed[7].id, by: person) }
        let centre = try world.items.point(50, 7)
        var query = world.items.query { ($0.order, $0.limit) = (.popular, Int.random(in: 1...8, using: &dice)) }
        var isWanted: (Listed) -> Bool = { _ in true }
        switch run % 5 {
        case 0: break
        case 1:
            query.category = "keys"
            isWanted = { $0.category == "keys" }
        case 2:
            query.kinds = ["lost"]
            isWanted = { $0.kind == "lost" }
        case 3:
            query.area = .circle(centre, radius: 5e5)
            isWanted = { centre.distance(to: $0.point) <= 5e5 }
        default: query.kinds = ["lost", "found"]
        }
        let order = try await world.library.reading {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT id FROM itemScores JOIN items ON sequence = item WHERE sunk = 0 ORDER BY rank DESC, item DESC
                    """)
        }
        let expected = order.compactMap { id in listed.first { $0.id.text == id } }.filter(isWanted)
        var (seen, left) = ([String](), Set(listed.map(\.id)))
        let viewer = run.isMultiple(of: 2) ? nil : world.items.bob
        for _ in 0..<100 {
            let page = try await world.items.reader(viewer).items(query)
            #expect(page.items.count <= query.limit)
            seen += page.items.map(\.title)
            guard let next = page.next else { break }
            query.after = next
            try await disturb(world, listed, people, &left, &dice)
        }
        let old = seen.filter { $0 != "new" }
        #expect(Set(old).count == old.count, "something is repeated in run \(run)")
        let stayed = Set(expected.filter { left.contains($0.id) }.map(\.title))
        #expect(old.filter(stayed.contains) == expected.map(\.title).filter(stayed.contains), "run \(run)")
        #expect(Set(old).isSubset(of: expected.map(\.title)))
        try await world.check()
    }

    @Test func `in an area with very many the same are found as by looking at all of them`() async throws {
        let world = try await VoteWorld()
        var dice = Dice(seed: 77)
        let listed = try await fill(world, 5300, &dice)
        let people = try await world.people(5)
        for _ in 0..<300 {
            guard let one = listed.randomElement(using: &dice), let person = people.randomElement(using: &dice) else {
                continue
            }
            try await world.vote(Int.random(in: 0...3, using: &dice) > 0 ? .up : .down, on: one.id, by: person)
        }
        let centre = try world.items.point(50, 7)
        // Around the middle everything is older than elsewhere: it takes long to get there from the top.
        let old = listed.filter { centre.distance(to: $0.point) <= 5e5 }.map(\.id.text)
        #expect((1000...2200).contains(old.count))
        try await world.library.transact { database in
            try database.execute(
                sql: """
                    UPDATE itemScores SET rank = rank - 5 WHERE item IN (
                        SELECT sequence FROM items WHERE id IN (SELECT value FROM json_each(?)))
                    """, arguments: [String(decoding: JSONEncoder().encode(old), as: UTF8.self)])
        }
        try await world.items.list("nowhere", by: world.items.bob)
        let order = try await world.library.reading {
            try String.fetchAll(
                $0, sql: "SELECT title FROM itemScores JOIN items ON sequence = item ORDER BY rank DESC, item DESC")
        }
        for radius in [2e5, 5e5, 2e6] {
            let near = Set(listed.filter { centre.distance(to: $0.point) <= radius }.map(\.title))
            let change: (inout ItemQuery) -> Void = { query in
                (query.area, query.limit) = (.circle(centre, radius: radius), 100)
            }
            #expect(try await world.popular(change, for: world.items.bob) == order.filter(near.contains), "\(radius)")
        }
        try await world.house.change("INSERT INTO blocks (blocker, blocked, created) VALUES ('id-bob', 'id-ann', 0)")
        #expect(try await world.popular({ $0.limit = 100 }, for: world.items.bob) == ["nowhere"])
        #expect(try await world.popular({ $0.limit = 100 }).count == 5301)
    }

    @Test func `a list that was left for longer goes on by what ranks are then`() async throws {
        let world = try await VoteWorld()
        var dice = Dice(seed: 3)
        let listed = try await fill(world, 20, &dice)
        let people = try await world.people(10)
        var query = world.items.query { ($0.order, $0.limit) = (.popular, 5) }
        query.after = try await world.items.reader().items(query).next
        #expect(query.after != nil)
        for one in listed.prefix(10) { try await world.vote(.up, on: one.id, by: people[0]) }
        let kept = try await world.items.reader().items(query).items.map(\.id)
        world.house.wait(HubLibrary.rankMemory + 1)
        try await world.sweep()
        let count = try await world.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM formerScores") }
        #expect(count == 0)
        #expect(kept == listed.reversed().map(\.id)[5..<10].map(\.self))
        var seen: [HubID] = []
        while let next = query.after {
            let page = try await world.items.reader().items(query)
            seen += page.items.map(\.id)
            query.after = page.next
            #expect(next != page.next)
        }
        #expect(Set(seen).count == seen.count && Set(seen).isSuperset(of: listed[10..<15].map(\.id)))
    }

    @Test func `what is no cursor begins anew, and a search by words has the newest first`() async throws {
        let world = try await VoteWorld()
        let ids = [try await world.items.list("one"), try await world.items.list("two")]
        try await world.vote(.up, on: ids[0], by: try await world.people(1)[0])
        for text in [
            "p", "p1", "p1-2", "p1-2-3-4", "p-1-2-3", "p1-\(UInt64.max)-3", "p1-\(Double.nan.bitPattern)-3", "n-1", "🙂",
        ] {
            #expect(try await world.popular({ $0.after = text }) == ["one", "two"], "\(text)")
        }
        let infinite = "p1-\(Double.infinity.bitPattern)-3"
        #expect(try await world.popular({ $0.after = infinite }) == ["one", "two"])
        // A turn that has not come yet is as the present one.
        let rank = try await world.library.reading { try Double.fetchOne($0, sql: "SELECT MAX(rank) FROM itemScores") }
        let future = "p\(Int64.max)-\(try #require(rank).bitPattern)-1"
        #expect(try await world.popular({ $0.after = future }) == ["two"])
        #expect(try await world.popular({ $0.words = "one" }) == ["one"])
        #expect(try await world.popular({ $0.author = world.items.ann }) == ["two", "one"])
        #expect(try await world.popular({ $0.board = "cellar" }) == [])
    }
}
