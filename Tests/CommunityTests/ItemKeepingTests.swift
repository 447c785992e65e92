import ChirpAccounts
import ChirpCommunity
import ChirpDatabase
import ChirpPlaces
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What boards ask of items beside lists and pages: what is kept when its author goes, other words, whom a viewer sees.
@Suite(.tags(.computing)) struct ItemKeepingTests {
    @Test func `what others need stays without its author's words, and is the owner's`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("Steps of the tower", at: (50.73391, 7.09972), text: "quixotic")
        draft.precision = .near
        draft.tags = ["zinnober"]
        draft.words = ["zrkept"]
        let id = try await world.library.createItem(draft)
        try await world.library.transact { try Items.freeze(id, true, in: $0) }
        try await world.library.transact { try Items.letSeePlace(of: id, world.bob, at: 1, in: $0) }
        try await world.library.mark(id, .watch, isOn: true, by: world.bob)
        for _ in 0..<2 { try await world.library.transact { try Items.inherit(id, in: $0) } }
        try await world.library.transact { try Items.inherit(HubID(), in: $0) }
        _ = try await world.library.accounts().delete(world.ann)
        #expect(try await world.house.traces(of: ["quixotic", "zinnober", "id-ann", "50.73391", "7.09972"]).isEmpty)
        #expect(try await world.titles(world.query("quixotic")).isEmpty)
        #expect(try await world.titles(world.query("tower") { $0.tokens = ["zrkept"] }) == ["Steps of the tower"])
        guard case .item(let item)? = try await world.reader(world.bob).item(id, board: ItemWorld.board) else {
            Issue.record("gone")
            return
        }
        #expect(item.author.id == world.library.owner.id && item.text.isEmpty && !item.isFrozen)
        #expect(item.place?.exact == nil && item.version == 2)
        #expect(try await world.reader(world.bob).marks(of: [id]) == [id: [.watch]])
    }

    @Test func `other words of a board take the place of those before, and so does another end`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("A lamp", at: (50.7, 7.1))
        draft.words = ["zrold", "zrboth"]
        let id = try await world.library.createItem(draft)
        let end = world.house.now.addingTimeInterval(60)
        try await world.library.transact { try Items.reword(id, ["zrnew", "zrboth", "zbattic"], expires: end, in: $0) }
        func found(_ token: String) async throws -> Int {
            try await world.titles(world.query { $0.tokens = [token] }).count
        }
        #expect(try await found("zrold") == 0)
        #expect(try await found("zrnew") == 1)
        #expect(try await found("zrboth") == 1)
        let near = try #require(GeoPoint(latitude: 50.7, longitude: 7.1))
        #expect(try await world.titles(world.query { $0.area = .circle(near, radius: 1000) }) == ["A lamp"])
        #expect(try await world.titles(world.query { $0.category = "keys" }) == ["A lamp"])
        world.house.wait(60)
        _ = try await world.library.sweep(at: world.house.now)
        #expect(try await world.titles(world.query()).isEmpty)
    }

    /// Which of people and items a board's tables would name, somebody sees.
    private func seen(_ world: ItemWorld, _ items: [HubID], by viewer: AccountID?) async throws -> [String] {
        let reader = world.reader(viewer)
        return try await world.library.reading { database in
            let (person, item) = (reader.sees("list.value"), reader.seesItem("list.value"))
            let listed = reader.listsItem("list.value", category: "keys")
            func ask(_ values: [String], _ condition: (sql: String, arguments: StatementArguments)) throws -> String {
                let found = try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM json_each(?) AS list WHERE \(condition.sql)",
                    arguments: [values.statementList()] + condition.arguments)
                return "\(found ?? 0)"
            }
            return [
                try ask([world.ann.rawValue, world.bob.rawValue, "nobody"], person), try ask(items.map(\.text), item),
                try ask(items.map(\.text), listed),
                "\(try reader.authors([world.ann, world.bob], in: database).count)",
            ]
        }
    }

    @Test func `boards leave out in SQL whom and what a viewer does not see`() async throws {
        let world = try await ItemWorld()
        let items = [
            try await world.list("One"), try await world.list("Two", category: "pets"), try await world.list("Three"),
        ]
        #expect(try await seen(world, items, by: nil) == ["2", "3", "2", "2"])
        try await world.library.transact { try Items.hide(items[2], true, in: $0) }
        #expect(try await seen(world, items, by: world.bob) == ["2", "2", "1", "2"])
        // Her own, hidden: she opens it, but it stands in no list.
        #expect(try await seen(world, items, by: world.ann) == ["2", "3", "1", "2"])
        try await world.library.block(world.ann, by: world.bob)
        #expect(try await seen(world, items, by: world.bob) == ["1", "0", "0", "1"])
        #expect(try await seen(world, items, by: world.ann) == ["1", "3", "1", "1"])
        try await world.house.change("UPDATE accounts SET state = 'closed' WHERE id = 'id-ann'")
        #expect(try await seen(world, items, by: nil) == ["1", "0", "0", "1"])
    }

    @Test func `a place is shown where an item of the same author would be`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("A key", at: (50.73, 7.09))
        draft.precision = .near
        let id = try await world.library.createItem(draft)
        guard case .item(let item)? = try await world.reader().item(id, board: ItemWorld.board) else {
            Issue.record("gone")
            return
        }
        let point = try #require(GeoPoint(latitude: 50.73, longitude: 7.09))
        let (shown, others, exact) = try await world.library.reading { database in
            (
                try Items.shown(point, .near, author: world.ann, town: nil, in: database),
                try Items.shown(point, .near, author: world.bob, town: nil, in: database),
                try Items.shown(point, .exact, author: world.ann, town: nil, in: database)
            )
        }
        #expect(shown == item.place?.shown && shown != others && exact == point)
    }

    @Test func `a board is told who marks an item`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("One")
        try await world.library.mark(id, .watch, isOn: true, by: world.bob)
        try await world.library.mark(id, .save, isOn: true, by: world.ann)
        let people = try await world.library.reading { database in
            let question = Items.people(marking: id, .watch)
            return try AccountID.fetchAll(database, sql: question.sql, arguments: question.arguments)
        }
        #expect(people == [world.bob])
    }

    @Test func `what only some boards tell can be chosen only where one of them is`() async throws {
        let plain = try await ItemWorld()
        #expect(!plain.library.noticeKinds.contains(.record) && plain.library.noticeKinds.contains(.comment))
        let board = BoardTables(name: "attic", steps: [], notices: [.record])
        let world = try await ItemWorld(boards: [board])
        #expect(world.library.noticeKinds.contains(.record) && !world.library.noticeKinds.contains(.event))
    }
}
