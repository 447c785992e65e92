import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What becomes of an item: listed, changed, ended, hidden (boards.md 2.1, 2.4, 5.4.5).
@Suite(.tags(.computing)) struct ItemTests {
    private func refusal(_ body: () async throws -> Void) async -> ItemRefusal? {
        do { try await body() } catch { return error as? ItemRefusal }
        return nil
    }

    @Test func `what is listed is there for everybody, once for its key`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("Blue  keys\u{0}", at: (50.7, 7.1), text: "on a ring\n\n\nwith a fob")
        draft.tags = ["ring", " ring ", "fob"]
        draft.placeName = "Bonn, Germany"
        draft.expires = world.house.now.addingTimeInterval(3600)
        let id = try await world.library.createItem(draft)
        #expect(try await world.library.createItem(draft) == id)
        guard case .item(let item)? = try await world.reader().item(id, board: ItemWorld.board) else {
            Issue.record("nobody sees it")
            return
        }
        #expect(item.title == "Blue keys" && item.text == "on a ring\n\nwith a fob" && item.tags == ["ring", "fob"])
        #expect(item.author.handle == "ann" && item.state == .open && item.version == 1)
        #expect(item.place?.shown == draft.point && item.place?.name == "Bonn, Germany")
        #expect(item.created == world.house.now && item.expires == draft.expires)
        #expect(try await world.titles(world.query()) == ["Blue keys"])
        #expect(try await world.reader().item(id, board: "cellar") == nil)
        #expect(try await world.reader().itemCounts(board: ItemWorld.board) == ["keys": 1])
        try await world.checkIndexes()
    }

    @Test func `what is too long, empty or not the author's is refused, and nothing is written`() async throws {
        let world = try await ItemWorld()
        let title = String(repeating: "x", count: ItemDraft.mostTitle + 1)
        #expect(await refusal { try await world.list(title) } == .tooLong(field: "title", most: ItemDraft.mostTitle))
        // Few characters, each of 25 bytes.
        let long = String(
            repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: ItemDraft.mostTitle / 6)
        #expect(await refusal { try await world.list(long) } == .tooLong(field: "title", most: ItemDraft.mostTitle))
        #expect(await refusal { try await world.list(" \u{202E}\n") } == .empty(field: "title"))
        #expect(
            await refusal { try await world.list("x", text: String(repeating: "y", count: 10_000_000)) }
                == .tooLong(field: "text", most: ItemDraft.mostText))
        #expect(await refusal { try await world.list("x", category: "") } == .empty(field: "category"))
        var many = world.draft("x")
        many.tags = (0..<100_000).map { "t\($0)" }
        #expect(await refusal { _ = try await world.library.createItem(many) } == .tooLong(field: "tags", most: 10))
        var clip = world.draft("x", by: world.bob)
        clip.clip = HubID()
        #expect(await refusal { _ = try await world.library.createItem(clip) } == clip.clip.map { .notYours($0) })
        let kit = try await world.house.person("kit", state: "unconfirmed")
        #expect(await refusal { try await world.list("x", by: kit) } == .noAccount)
        #expect(try await world.titles(world.query()) == [])
        try await world.checkIndexes()
    }

    @Test func `an edit replaces the content, and one over an older version is told`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys", at: (50.7, 7.1))
        var draft = world.draft("wallet", kind: "found", category: "wallets", at: (48.1, 11.5))
        try await world.edit(id, version: 1, to: draft)
        #expect(await refusal { try await world.edit(id, version: 1, to: draft) } == .changed(version: 2))
        draft.author = world.bob
        #expect(await refusal { try await world.edit(id, to: draft) } == .notFound)
        // The kind stays.
        let found = try await world.reader().items(world.query("wallet") { $0.kinds = ["lost"] }).items
        #expect(found.map(\.category) == ["wallets"] && found.first?.version == 2)
        #expect(try await world.titles(world.query("keys")) == [])
        #expect(try await world.reader().itemCounts(board: ItemWorld.board) == ["wallets": 1])
        let near = try world.point(50.7, 7.1)
        #expect(try await world.titles(world.query { $0.area = .circle(near, radius: 1000) }) == [])
        try await world.checkIndexes()
        draft.author = world.ann
        draft.point = nil
        draft.expires = world.house.now
        try await world.edit(id, to: draft)
        draft.expires = nil
        try await world.edit(id, to: draft)
        #expect(try await world.titles(world.query("wallet")) == ["wallet"])
        // Its end stays where none is named.
        #expect(try await world.reader().items(world.query()).items.map(\.expires) == [world.house.now])
        try await world.checkIndexes()
    }

    @Test(arguments: [Item.State.settled, .withdrawn, .expired])
    func `what has ended is in no list after the transaction`(_ state: Item.State) async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys", at: (50.7, 7.1))
        try await world.library.mark(id, .save, isOn: true, by: world.bob)
        try await world.move(id, to: state, by: world.ann)
        let point = try world.point(50.7, 7.1)
        let queries = [
            world.query(), world.query("keys"), world.query { $0.category = "keys" },
            world.query { $0.kinds = ["lost"] }, world.query { $0.order = .nearest(point) },
            world.query { $0.area = .circle(point, radius: 100) }, world.query { $0.author = world.ann },
            world.query { $0.marked = .save },
        ]
        for query in queries { #expect(try await world.titles(query, for: world.bob) == [], "\(query)") }
        #expect(try await world.reader().markers(world.query(), in: .world, most: 10) == [])
        #expect(try await world.reader().itemCounts(board: ItemWorld.board) == [:])
        try await world.checkIndexes()
        switch try await world.reader(world.bob).item(id, board: ItemWorld.board) {
        case .item(let item): #expect(item.state == state && state != .withdrawn && item.ended == world.house.now)
        case .gone(let found, let since): #expect(found == .withdrawn && state == found && since == world.house.now)
        case nil: Issue.record("nobody is told")
        }
        let own = try await world.titles(world.query { ($0.author, $0.states) = (world.ann, [state]) }, for: world.ann)
        #expect(own == ["keys"])
        let others = try await world.titles(world.query { ($0.author, $0.states) = (world.ann, [state]) })
        #expect(others == (state == .withdrawn ? [] : ["keys"]))
        let among = try await world.titles(world.query("keys") { $0.states = [state] })
        #expect(among == (state == .withdrawn ? [] : ["keys"]))
        #expect(await refusal { try await world.edit(id, to: world.draft("x")) } == .state(state))
    }

    @Test func `of many who end it at once one does`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys")
        let done = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let state: Item.State = number.isMultiple(of: 2) ? .settled : .withdrawn
                    return (try? await world.move(id, to: state, by: world.ann)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == 1)
    }

    @Test func `what is hidden is there for its author alone, and returns`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys", at: (1, 1))
        try await world.library.transact { try Items.hide(id, true, at: 5000, in: $0) }
        #expect(try await world.titles(world.query("keys"), for: world.bob) == [])
        #expect(try await world.titles(world.query { $0.author = world.ann }, for: world.bob) == [])
        #expect(try await world.titles(world.query { $0.author = world.ann }, for: world.ann) == ["keys"])
        #expect(
            try await world.reader().item(id, board: ItemWorld.board)
                == .gone(.open, since: Date(timeIntervalSince1970: 5)))
        guard case .item(let item)? = try await world.reader(world.ann).item(id, board: ItemWorld.board) else {
            Issue.record("its author does not see it")
            return
        }
        #expect(item.isHidden)
        try await world.checkIndexes()
        try await world.library.transact { try Items.hide(id, false, in: $0) }
        #expect(try await world.titles(world.query("keys"), for: world.bob) == ["keys"])
        try await world.checkIndexes()
    }

    @Test func `what a case is about is not changed by its author, and does not end by itself`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("keys")
        draft.expires = world.house.now
        let id = try await world.library.createItem(draft)
        try await world.library.transact { try Items.freeze(id, true, in: $0) }
        #expect(await refusal { try await world.move(id, to: .withdrawn, by: world.ann) } == .frozen)
        #expect(await refusal { try await world.edit(id, to: draft) } == .frozen)
        #expect(try await world.library.sweep(at: world.house.now).items == 0)
        #expect(try await world.titles(world.query()) == ["keys"])
        #expect(await refusal { try await world.move(id, to: .expired, by: nil) } == .frozen)
        try await world.move(id, to: .withdrawn, by: nil)
        #expect(try await world.titles(world.query()) == [])
    }

    @Test func `an open one ends when its time is over, unless it is renewed`() async throws {
        let world = try await ItemWorld()
        var ids: [HubID] = []
        for number in 0..<450 {
            var draft = world.draft("thing \(number)", at: (Double(number % 90), 7))
            draft.expires = world.house.now.addingTimeInterval(number < 430 ? 60 : 3600)
            ids.append(try await world.library.createItem(draft))
        }
        let (last, until) = (ids[0], world.house.now.addingTimeInterval(3600))
        try await world.library.transact {
            try Items.renew(last, until: until, by: world.ann, library: world.library, in: $0)
        }
        world.house.wait(60)
        #expect(try await world.library.sweep(at: world.house.now).items == 429)
        #expect(try await world.library.sweep(at: world.house.now).items == 0)
        #expect(try await world.titles(world.query()).count == 21)
        try await world.checkIndexes()
    }

    @Test func `a draft is its author's alone, and appears as the newest`() async throws {
        let world = try await ItemWorld()
        var draft = world.draft("first", at: (1, 1))
        draft.state = .draft
        let id = try await world.library.createItem(draft)
        try await world.list("second")
        #expect(try await world.titles(world.query()) == ["second"])
        #expect(try await world.titles(world.query { ($0.author, $0.states) = (world.ann, [.draft]) }) == [])
        #expect(try await world.reader(world.bob).item(id, board: ItemWorld.board) == nil)
        try await world.move(id, from: [.draft], to: .open, by: world.ann)
        #expect(try await world.titles(world.query()) == ["first", "second"])
        #expect(try await world.titles(world.query("first") { $0.area = .box(.world) }) == ["first"])
        try await world.checkIndexes()
    }

    @Test func `a closed account's items are in no list until it is opened again`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys", at: (1, 1))
        try await world.house.change("UPDATE accounts SET state = 'closed' WHERE handle = 'ann'")
        #expect(try await world.titles(world.query("keys")) == [])
        #expect(try await world.reader().item(id, board: ItemWorld.board) == nil)
        try await world.checkIndexes()
        try await world.house.change("UPDATE accounts SET state = 'active' WHERE handle = 'ann'")
        #expect(try await world.titles(world.query("keys")) == ["keys"])
        try await world.checkIndexes()
    }

    @Test func `those who have blocked one another find nothing of each other`() async throws {
        let world = try await ItemWorld()
        let id = try await world.list("keys", at: (1, 1))
        try await world.list("bag", by: world.bob, at: (1, 1))
        for (blocker, blocked) in [(world.ann, world.bob), (world.bob, world.ann)] {
            try await world.library.block(blocked, by: blocker)
            let point = try world.point(1, 1)
            for query in [
                world.query(), world.query { $0.order = .nearest(point) }, world.query { $0.area = .box(.world) },
            ] {
                #expect(try await world.titles(query, for: world.bob) == ["bag"])
                #expect(try await world.titles(query, for: world.ann) == ["keys"])
                #expect(try await Set(world.titles(query)) == ["keys", "bag"])
            }
            #expect(try await world.titles(world.query("keys"), for: world.bob) == [])
            #expect(try await world.titles(world.query { $0.author = world.ann }, for: world.bob) == [])
            #expect(try await world.reader(world.bob).item(id, board: ItemWorld.board) == nil)
            let markers = try await world.reader(world.bob).markers(world.query(), in: .world, most: 10)
            #expect(markers.map(\.count) == [1])
            try await world.library.unblock(blocked, by: blocker)
        }
    }
}
