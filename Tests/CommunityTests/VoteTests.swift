import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// Votes and their numbers (OU-2, OU-9, boards.md 5.1.4).
@Suite struct VoteTests {
    @Test func `ten thousand votes of two hundred people at once, repeated, and the numbers are those of the rows`()
        async throws
    {
        let world = try await VoteWorld()
        var ids: [HubID] = []
        for number in 0..<10 { ids.append(try await world.items.list("thing \(number)")) }
        let people = try await world.people(200)
        let last = await withTaskGroup(of: [HubID: ItemVote?].self) { [ids] group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    var (dice, last) = (Dice(seed: UInt64(number) &+ 5), [HubID: ItemVote?]())
                    var sent = 0
                    while sent < 50 {
                        let id = ids[Int.random(in: 0..<ids.count, using: &dice)]
                        let vote = [ItemVote.up, .down, nil].randomElement(using: &dice) ?? nil
                        for _ in 0...Int.random(in: 0...2, using: &dice) where sent < 50 {
                            sent += 1
                            do {
                                try await world.vote(vote, on: id, by: person, from: "192.0.\(number / 8).7")
                            } catch { Issue.record("\(error)") }
                        }
                        last[id] = .some(vote)
                    }
                    return last
                }
            }
            return await group.reduce(into: [HubID: [ItemVote?]]()) { all, one in
                for (id, vote) in one { all[id, default: []].append(vote) }
            }
        }
        for id in ids {
            let standing = try await world.standing(id)
            let votes = last[id, default: []]
            #expect(standing.ups == votes.count { $0 == .up } && standing.downs == votes.count { $0 == .down })
        }
        try await world.check()
        let before = try await world.popular()
        try await world.library.transact { try Votes.recount(in: $0) }
        try await world.check()
        #expect(try await world.popular() == before)
    }

    @Test func `the same again changes nothing, another takes its place, and none takes it back`() async throws {
        let world = try await VoteWorld()
        let id = try await world.items.list("keys")
        let ann = try await world.people(1)[0]
        func state() async throws -> [String] {
            try await world.library.reading { database in
                try ["itemMarks", "itemScores", "formerScores", "scoreTurns", "voteSums", "itemTallies"].flatMap {
                    try Row.fetchAll(database, sql: "SELECT * FROM \($0)").map(\.description)
                }
            }
        }
        try await world.vote(.up, on: id, by: ann, from: "192.0.2.1")
        let first = try await state()
        world.house.wait(10)
        try await world.vote(.up, on: id, by: ann, from: "198.51.100.1")
        #expect(try await state() == first)
        let standing = try await world.standing(id, for: ann)
        #expect(standing.ups == 1 && standing.downs == 0 && standing.own == .up && standing.score > 0.5)
        #expect(try await world.standing(id).own == nil)

        try await world.vote(.down, on: id, by: ann)
        #expect(try await world.standing(id, for: ann).own == .down)
        #expect(try await world.standing(id).ups == 0)
        try await world.check()
        try await world.vote(nil, on: id, by: ann)
        try await world.vote(nil, on: id, by: ann)
        #expect(try await world.standing(id, for: ann).own == nil)
        let score = try await world.standing(id).score
        #expect(abs(score - 0.5) < 1e-4)
        try await world.check()
        guard case .item(let item)? = try await world.items.reader().item(id, board: ItemWorld.board) else {
            Issue.record("it is gone")
            return
        }
        #expect(item.ups == 0 && item.downs == 0)
    }

    @Test func `who may not, on what she does not see, on her own, and where there are no votes: nothing is counted`()
        async throws
    {
        let world = try await VoteWorld()
        let (ann, bob) = (world.items.ann, world.items.bob)
        let id = try await world.items.list("keys")
        await #expect(throws: VoteRefusal.own) { try await world.vote(.up, on: id, by: ann) }
        await #expect(throws: VoteRefusal.notFound) { try await world.vote(.up, on: HubID(), by: bob) }
        await #expect(throws: VoteRefusal.notFound) {
            try await world.library.vote(.up, on: id, board: "cellar", by: bob, from: nil)
        }
        let una = try await world.house.person("una", state: "unconfirmed")
        await #expect(throws: VoteRefusal.notActive) { try await world.vote(.up, on: id, by: una) }
        try await world.library.transact { try Items.hide(id, true, in: $0) }
        await #expect(throws: VoteRefusal.notFound) { try await world.vote(.up, on: id, by: bob) }
        try await world.library.transact { try Items.hide(id, false, in: $0) }
        try await world.items.move(id, to: .expired, by: nil)
        await #expect(throws: VoteRefusal.ended(.expired)) { try await world.vote(.up, on: id, by: bob) }
        // By the other way in neither.
        for isOn in [true, false] {
            await #expect(throws: ItemRefusal.notFound) {
                try await world.library.mark(id, .up, isOn: isOn, by: bob)
            }
        }
        let elsewhere = try await world.library.createItem(
            ItemDraft(board: "cellar", kind: "thing", author: ann, key: "1", title: "Wine", category: "things"))
        await #expect(throws: VoteRefusal.notFound) {
            try await world.library.vote(.up, on: elsewhere, board: "cellar", by: bob, from: nil)
        }
        #expect(try await world.items.reader().votes(on: [elsewhere]) == [:])
        try await world.library.mark(elsewhere, .up, isOn: true, by: bob)
        #expect(try await world.items.reader().marks(of: [elsewhere, id]).isEmpty)
        let rows = try await world.library.reading {
            try Int.fetchAll($0, sql: "SELECT COUNT(*) FROM itemMarks UNION ALL SELECT COUNT(*) FROM voters")
        }
        #expect(rows == [1, 0])
    }

    @Test func `what was a draft, changed its category or was settled is voted on and listed as it is now`()
        async throws
    {
        let world = try await VoteWorld()
        let people = try await world.people(3)
        var draft = world.items.draft("late")
        draft.state = .draft
        let late = try await world.library.createItem(draft)
        world.house.wait(8 * 24 * 3600)
        let keys = try await world.items.list("keys")
        try await world.items.move(late, from: [.draft], to: .open, by: world.items.ann)
        #expect(try await world.popular() == ["late", "keys"], "it is as old as its appearance")
        try await world.items.edit(late, to: world.items.draft("late", category: "pets"))
        #expect(try await world.popular({ $0.category = "pets" }) == ["late"])
        #expect(try await world.popular({ $0.category = "keys" }) == ["keys"])
        for person in people { try await world.vote(.up, on: keys, by: person) }
        #expect(try await world.popular() == ["keys", "late"])
        try await world.items.move(keys, to: .settled, by: world.items.ann)
        #expect(try await world.popular() == ["late"])
        try await world.vote(.down, on: keys, by: people[0])
        #expect(try await world.standing(keys).downs == 1)
        try await world.check()
    }

    @Test func `an account that is erased takes its votes along, and an item its scores`() async throws {
        let world = try await VoteWorld()
        let (first, second) = (try await world.items.list("first"), try await world.items.list("second"))
        let people = try await world.people(8)
        for person in people {
            try await world.vote(.up, on: first, by: person, from: "192.0.2.1")
            try await world.vote(.down, on: second, by: person, from: "192.0.2.1")
        }
        #expect(try await world.standing(first).ups == 8)
        try await world.house.change("DELETE FROM accounts WHERE id LIKE 'p-%' AND id <> 'p-0'")
        try await world.check(areRanked: false)
        try await world.sweep()
        try await world.check()
        #expect(try await world.standing(first).ups == 1)
        try await world.house.change("DELETE FROM items WHERE id = '\(first)'")
        try await world.check()
        let left = try await world.library.reading {
            try Int.fetchAll(
                $0,
                sql: """
                    SELECT COUNT(*) FROM itemScores UNION ALL SELECT COUNT(*) FROM voteSums
                    UNION ALL SELECT COUNT(DISTINCT item) FROM formerScores
                    """)
        }
        #expect(left == [1, 1, 1])
    }

    @Test func `a board that gets votes has those that were there before, and what it has listed`() async throws {
        let items = try await ItemWorld()
        let (first, second) = (try await items.list("first"), try await items.list("second"))
        try await items.library.mark(first, .up, isOn: true, by: items.bob)
        items.house.wait(2 * 24 * 3600)
        let library = try HubHousehold(sharing: items.house, boards: [VoteWorld.tables]).library
        let reader = library.seen(by: .visitor)
        var query = ItemQuery(board: ItemWorld.board)
        query.order = .popular
        #expect(try await reader.items(query).items.map(\.id) == [second, first])
        _ = try await library.sweep(at: items.house.now)
        #expect(try await reader.items(query).items.map(\.id) == [first, second])
        #expect(try await reader.votes(on: [first])[first]?.ups == 1)
    }

    @Test func `a second board that gets votes counts those of people who have voted on the first`() async throws {
        let world = try await VoteWorld()
        let first = try await world.items.list("first")
        let drafts = ["second", "third"].map { title in
            ItemDraft(
                board: "cellar", kind: "thing", author: world.items.ann, key: title, title: title, category: "things")
        }
        let ids = try await world.library.transact { [library = world.library] database in
            try drafts.map { try Items.create($0, by: library, in: database) }
        }
        let people = try await world.people(3)
        try await world.vote(.up, on: first, by: people[0])
        // Suspended after she was counted, before the board has votes.
        try await world.vote(.up, on: first, by: people[1])
        try await world.house.change("UPDATE accounts SET state = 'suspended', until = NULL WHERE id = 'p-1'")
        try await world.sweep()
        try await world.library.mark(ids[0], .up, isOn: true, by: people[0])
        try await world.house.change(
            "INSERT INTO itemMarks (account, kind, item, at) SELECT 'p-1', 'up', sequence, 0 FROM items WHERE id = '\(ids[0])'"
        )
        try await world.library.mark(ids[0], .down, isOn: true, by: people[2])

        let cellar = BoardTables(name: "cellar", steps: [BoardTables.votes(on: "cellar")])
        let library = try HubHousehold(sharing: world.house, boards: [VoteWorld.tables, cellar]).library
        _ = try await library.sweep(at: world.house.now)
        let rows = try await library.reading {
            try Row.fetchAll(
                $0, sql: "SELECT ups, downs, stale FROM itemScores WHERE board = 'cellar' ORDER BY item"
            ).map { [$0["ups"], $0["downs"], $0["stale"]] as [Int] }
        }
        #expect(rows == [[1000, 1000, 0], [0, 0, 0]])
        let standing = try await library.seen(by: .visitor).votes(on: ids)
        #expect(standing[ids[0]]?.ups == 2 && standing[ids[0]]?.downs == 1 && standing[ids[1]]?.score == 0.5)
    }

    @Test func `an export has the votes, and nothing of where they came from`() async throws {
        let world = try await VoteWorld()
        let id = try await world.items.list("keys")
        try await world.vote(.down, on: id, by: world.items.bob, from: "192.0.2.1")
        let export = try await world.library.export(of: world.items.bob)
        let marks = try #require(export.documents.first { $0.name == "item-marks.json" })
        let text = String(decoding: marks.bytes, as: UTF8.self)
        #expect(text.contains("down") && text.contains(id.text) && !text.contains("block") && !text.contains("192"))
        #expect(try await world.house.traces(of: ["192.0.2"]).isEmpty)
    }
}
