import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// Many accounts of few people (boards.md 5.1.5), with a clock that is moved.
@Suite struct VoteStuffingTests {
    private static let day = 24 * 3600.0

    /// Five things that forty real people have voted on, the best first.
    private func voted() async throws -> (VoteWorld, [HubID]) {
        let world = try await VoteWorld()
        let people = try await world.people(40, "real", days: 30)
        var ids: [HubID] = []
        for (number, downs) in [1, 9, 15, 20, 26].enumerated() {
            let id = try await world.items.list("thing \(number)")
            ids.append(id)
            for (place, person) in people.enumerated() {
                try await world.vote(place < downs ? .down : .up, on: id, by: person, from: "10.\(place).0.1")
            }
        }
        return (world, ids)
    }

    private func scores(_ world: VoteWorld) async throws -> [[Int]] {
        try await world.library.reading {
            try Row.fetchAll($0, sql: "SELECT ups, downs FROM itemScores ORDER BY item").map {
                [$0["ups"], $0["downs"]]
            }
        }
    }

    @Test
    func `a thousand new accounts move nothing, after a day what five people would, and nothing when they have gone`()
        async throws
    {
        let (world, ids) = try await voted()
        let order = (0..<5).map { "thing \($0)" }
        #expect(try await world.popular() == order)
        let real = try await scores(world)

        // Five hundred for the worst, five hundred against the best, all from one place.
        let wave = try await world.people(1000, "wave", days: 0)
        for (number, account) in wave.enumerated() {
            let isUp = number < 500
            try await world.vote(
                isUp ? .up : .down, on: isUp ? ids[4] : ids[0], by: account, from: "203.0.113.\(number % 250)")
        }
        #expect(try await world.standing(ids[4]).ups == 514, "they are told")
        #expect(try await scores(world) == real, "and weigh nothing")
        #expect(try await world.popular() == order)
        try await world.sweep()
        #expect(try await scores(world) == real)

        // A day later those count whose address was confirmed.
        try await world.house.change(
            "UPDATE accounts SET state = 'unconfirmed' WHERE id LIKE 'wave-%' AND CAST(substr(id, 6) AS INTEGER) % 2")
        world.house.wait(Self.day - 60)
        try await world.sweep()
        #expect(try await scores(world) == real, "not a minute before")
        world.house.wait(60)
        try await world.sweep()
        var expected = real
        expected[4][0] += 5000
        expected[0][1] += 5000
        #expect(try await scores(world) == expected, "five of five hundred")
        try await world.house.change("UPDATE accounts SET state = 'active' WHERE state = 'unconfirmed'")
        try await world.sweep()
        #expect(try await scores(world) == expected, "and five of a thousand")
        #expect(try await world.popular() == order, "which is not enough against forty")
        try await world.check()

        try await world.house.change("UPDATE accounts SET state = 'suspended', until = NULL WHERE id LIKE 'wave-%'")
        try await world.sweep()
        #expect(try await scores(world) == real)
        try await world.check()
    }

    @Test(arguments: ["suspended", "closed", "erased"])
    func `what a wave of many places has pushed out keeps its address, and is back within one sweep`(_ fate: String)
        async throws
    {
        let (world, ids) = try await voted()
        let wave = try await world.people(2000, "wave", days: 3)
        // Five each from four hundred blocks.
        for (number, account) in wave.enumerated() {
            try await world.vote(.down, on: ids[2], by: account, from: "172.\(number / 5 % 200).\(number / 1000).9")
        }
        #expect(try await world.standing(ids[2]).isSunk)
        #expect(try await world.popular() == ["thing 0", "thing 1", "thing 3", "thing 4"])
        guard case .item(let item)? = try await world.items.reader().item(ids[2], board: ItemWorld.board) else {
            Issue.record("its address is gone")
            return
        }
        #expect(item.downs == 2015)
        #expect(try await world.items.titles(world.items.query()).contains("thing 2"), "the newest have it")
        #expect(try await world.items.titles(world.items.query("thing")).contains("thing 2"), "and it is found")

        switch fate {
        case "erased":
            try await world.house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id LIKE 'wave-%'")
        default: try await world.house.change("UPDATE accounts SET state = '\(fate)' WHERE id LIKE 'wave-%'")
        }
        try await world.sweep()
        #expect(try await world.popular() == (0..<5).map { "thing \($0)" })
        try await world.check()
    }

    @Test func `what has sunk rises with the votes of others`() async throws {
        let world = try await VoteWorld()
        let id = try await world.items.list("thing")
        let people = try await world.people(40)
        for (number, person) in people.prefix(6).enumerated() {
            try await world.vote(.down, on: id, by: person, from: "10.\(number).0.1")
            #expect(try await world.popular() == (number < 5 ? ["thing"] : []))
        }
        for (number, person) in people.dropFirst(6).enumerated() where number < 4 {
            try await world.vote(.up, on: id, by: person, from: "10.1.\(number).1")
        }
        #expect(try await world.popular() == ["thing"])
        try await world.check()
    }

    @Test func `a block is the beginning of an address, the same in each of its spellings`() async throws {
        let world = try await VoteWorld()
        let id = try await world.items.list("thing")
        let other = try await world.items.list("other")
        let addresses = [
            "192.0.2.1", "192.0.2.254", "::ffff:192.0.2.9", "192.0.3.1", "2001:db8:1:2::1", "2001:db8:1:ffff::9",
            "2001:db8:2::1", "127.0.0.1", "::1", "", "unknown", "192.0.2.1/8",
        ]
        let people = try await world.people(addresses.count)
        for (person, address) in zip(people, addresses) {
            try await world.vote(.up, on: id, by: person, from: address)
            try await world.vote(.up, on: other, by: person, from: address)
        }
        func blocks(_ title: String) async throws -> [Int64?] {
            try await world.library.reading {
                try Row.fetchAll(
                    $0,
                    sql: """
                        SELECT block FROM itemMarks JOIN items ON sequence = item JOIN accounts ON accounts.id = itemMarks.account
                        WHERE title = ? ORDER BY accounts.rowid
                        """, arguments: [title]
                ).map { $0["block"] }
            }
        }
        let found = try await blocks("thing")
        #expect(found[0] != nil && found[0] == found[1] && found[0] == found[2])
        #expect(found[4] != nil && found[4] == found[5])
        #expect(Set(found.compactMap(\.self)).count == 4 && Array(found[7...]) == [nil, nil, nil, nil, nil])
        #expect(try await Set(blocks("other").compactMap(\.self)).isDisjoint(with: found.compactMap(\.self)))
        try await world.check()
    }

    @Test func `the key of blocks is erased with its time, and what was capped stays so`() async throws {
        let world = try await VoteWorld()
        let id = try await world.items.list("thing")
        let people = try await world.people(20)
        for person in people.prefix(10) { try await world.vote(.up, on: id, by: person, from: "192.0.2.1") }
        func keys() async throws -> [Data] {
            try await world.library.reading { try Data.fetchAll($0, sql: "SELECT key FROM voteKeys") }
        }
        let first = try await keys()
        #expect(first.count == 1 && first[0].count == 32)
        world.house.wait(30 * Self.day)
        try await world.sweep()
        #expect(try await keys().isEmpty)
        #expect(try await scores(world) == [[5000, 0]])
        for person in people.dropFirst(10) { try await world.vote(.up, on: id, by: person, from: "192.0.2.1") }
        #expect(try await keys() != first)
        #expect(try await scores(world) == [[10_000, 0]], "a block begins anew with each key")
        try await world.check()
    }
}
