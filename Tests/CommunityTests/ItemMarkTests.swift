import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// Marks and their numbers (boards.md 5.1.4, LF-10).
@Suite(.tags(.computing)) struct ItemMarkTests {
    private func item(_ id: HubID, _ world: ItemWorld) async throws -> Item? {
        guard case .item(let item)? = try await world.reader().item(id, board: ItemWorld.board) else { return nil }
        return item
    }

    @Test func `marks at random, repeated and at once, and the numbers are those of the rows`() async throws {
        let world = try await ItemWorld()
        let ids = [try await world.list("a"), try await world.list("b")]
        var people: [AccountID] = []
        for number in 0..<20 { people.append(try await world.house.person("p\(number)")) }
        await withTaskGroup { group in
            for (number, person) in people.enumerated() {
                group.addTask {
                    var dice = Dice(seed: UInt64(number) &+ 9)
                    for _ in 0..<25 {
                        let mark = ItemMark.allCases.randomElement(using: &dice) ?? .up
                        let (id, isOn) = (ids[Int.random(in: 0...1, using: &dice)], Bool.random(using: &dice))
                        for _ in 0...Int.random(in: 0...1, using: &dice) {
                            try? await world.library.mark(id, mark, isOn: isOn, by: person)
                        }
                    }
                }
            }
        }
        try await world.checkIndexes()
        try await world.library.reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ups - SUM(kind = 'up') AS a, downs - SUM(kind = 'down') AS b, views - SUM(kind = 'view') AS c,
                        watches - SUM(kind = 'watch') AS d
                    FROM itemTallies JOIN itemMarks USING (item) GROUP BY item
                    """)
            #expect(rows.allSatisfy { $0["a"] == 0 && $0["b"] == 0 && $0["c"] == 0 && $0["d"] == 0 })
            let both = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM itemMarks AS one JOIN itemMarks AS other USING (account, item)
                    WHERE one.kind = 'up' AND other.kind = 'down'
                    """)
            #expect(both == 0)
        }
    }

    @Test func `each sees her own marks, and the last two hundred that she has opened`() async throws {
        let world = try await ItemWorld()
        var ids: [HubID] = []
        for number in 0...HubLibrary.mostViews {
            ids.append(try await world.list("thing \(number)"))
            try await world.library.mark(ids[number], .view, isOn: true, by: world.bob)
            world.house.wait(1)
        }
        let query = world.query { $0.marked = .view }
        #expect(try await world.titles(query, for: world.bob).count == HubLibrary.mostViews)
        #expect(try await item(ids[0], world)?.views == 0)
        try await world.library.mark(ids[5], .view, isOn: true, by: world.bob)
        #expect(try await world.titles(query, for: world.bob).first == "thing 5")
        try await world.library.mark(ids[5], .save, isOn: true, by: world.bob)
        try await world.library.mark(ids[5], .save, isOn: true, by: world.bob)
        #expect(
            try await world.reader(world.bob).marks(of: [ids[5], ids[6], HubID()]) == [
                ids[5]: [.save, .view], ids[6]: [.view],
            ])
        #expect(try await world.reader().marks(of: ids) == [:])
        let found = try await item(ids[5], world)
        #expect(found?.saves == 1 && found?.views == 1)
        try await world.library.clearMarks(.view, of: world.bob)
        #expect(try await world.titles(query, for: world.bob) == [])
        #expect(try await item(ids[5], world)?.views == 0)
        try await world.checkIndexes()
    }

    @Test func `what somebody does not see she cannot mark`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys")
        try await world.library.transact { try Items.hide(id, true, in: $0) }
        await #expect(throws: ItemRefusal.notFound) {
            try await world.library.mark(id, .save, isOn: true, by: world.bob)
        }
        await #expect(throws: ItemRefusal.notFound) {
            try await world.library.mark(HubID(), .save, isOn: true, by: world.bob)
        }
    }
}
