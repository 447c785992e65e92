import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Pages of lists while others write (boards.md 5.1.3).
@Suite(.tags(.computing)) struct ItemCursorTests {
    /// What somebody adds, changes, hides, ends or removes between two pages.
    private func disturb(_ world: ItemWorld, _ ids: inout [HubID: String], _ dice: inout Dice) async throws {
        let id = ids.keys.sorted { $0.text < $1.text }.randomElement(using: &dice)
        switch (Int.random(in: 0...4, using: &dice), id) {
        case (0, _), (_, nil): try await world.list("new", at: (Double.random(in: 40...60, using: &dice), 8))
        case (1, let id?):
            // Changed where neither words nor place are another: it stays where it is.
            guard case .item(let item)? = try await world.reader().item(id, board: ItemWorld.board) else { return }
            var draft = world.draft(item.title, text: "word changed")
            draft.point = item.place?.shown
            try await world.edit(id, to: draft)
        case (2, let id?):
            try await world.library.transact { try Items.hide(id, true, in: $0) }
            ids[id] = nil
        case (3, let id?):
            try await world.move(id, to: .settled, by: world.ann)
            ids[id] = nil
        case (_, let id?):
            try await world.house.change("DELETE FROM items WHERE id = '\(id)'")
            ids[id] = nil
        }
    }

    @Test(arguments: 0..<200)
    func `each that was there throughout appears exactly once`(_ run: Int) async throws {
        let world = try await ItemWorld()
        var dice = Dice(seed: UInt64(run) &+ 1)
        var ids: [HubID: String] = [:]
        for number in 0..<30 {
            let point = (Double.random(in: 40...60, using: &dice), Double.random(in: 0...15, using: &dice))
            ids[try await world.list("thing \(number)", at: point, text: "word")] = "thing \(number)"
        }
        let centre = try world.point(50, 7)
        var query = world.query { $0.limit = Int.random(in: 1...8, using: &dice) }
        switch run % 5 {
        case 0: break
        case 1: query.words = "word"
        case 2: query.order = .nearest(centre)
        case 3: query.area = .circle(centre, radius: 3e6)
        default: (query.words, query.order) = ("word", .nearest(centre))
        }
        var seen: [String] = []
        for _ in 0..<100 {
            let page = try await world.reader().items(query)
            #expect(page.items.count <= query.limit)
            seen += page.items.map(\.title)
            guard let next = page.next else { break }
            query.after = next
            try await disturb(world, &ids, &dice)
        }
        let old = seen.filter { $0 != "new" }
        #expect(Set(old).count == old.count, "something is repeated")
        #expect(Set(ids.values).isSubset(of: old), "something is left out")
    }

    @Test func `marks are paged by when they were put, also in the same millisecond`() async throws {
        let world = try await ItemWorld()
        var expected: [String] = []
        for number in 0..<25 {
            let id = try await world.list("thing \(number)")
            try await world.library.mark(id, .save, isOn: true, by: world.bob)
            if number.isMultiple(of: 6) { world.house.wait(1) }
            expected.insert("thing \(number)", at: 0)
        }
        let query = world.query { ($0.marked, $0.limit) = (.save, 4) }
        #expect(try await world.titles(query, for: world.bob) == expected)
        #expect(try await world.titles(query, for: world.ann) == [])
        #expect(try await world.titles(query) == [])
    }

    @Test(arguments: ["", "thing"])
    func `a list by distance says that there is more where it ends before all are told`(words: String) async throws {
        let world = try await ItemWorld()
        for number in 0..<1000 { try await world.list("thing \(number)", at: (50 + Double(number) / 1000, 7)) }
        var query = world.query(words) { $0.limit = 97 }
        query.order = .nearest(try world.point(50, 7))
        func walk() async throws -> (many: Int, isCut: [Bool]) {
            var (query, many, isCut) = (query, 0, [Bool]())
            while true {
                let page = try await world.reader().items(query)
                many += page.items.count
                isCut.append(page.isCut)
                guard let next = page.next else { return (many, isCut) }
                query.after = next
            }
        }
        let all = try await walk()
        #expect(all.many == 1000 && !all.isCut.contains(true))
        try await world.list("thing beyond", at: (60, 7))
        let cut = try await walk()
        #expect(cut.many == 1000 && cut.isCut == Array(repeating: false, count: 10) + [true])
    }

    @Test func `what is no cursor begins anew`() async throws {
        let world = try await ItemWorld()
        try await world.list("one", at: (1, 1))
        let point = try world.point(1, 1)
        for text in [
            "", "x", "n", "n-1", "n99999999999999999999", "m1", "m1-2-3", "d1-2", "d\(UInt64.max)-1-1", "d0-1--1",
            "n1;", "🙂",
            String(repeating: "1", count: 100_000), "n1\u{0}",
        ] {
            let first = try await world.reader().items(world.query { $0.after = text })
            #expect(first.items.count == 1, "\(text.prefix(30))")
            let near = try await world.reader().items(world.query { ($0.after, $0.order) = (text, .nearest(point)) })
            #expect(near.items.count == 1, "\(text.prefix(30))")
        }
        #expect(try await world.reader().items(world.query { $0.after = "d0-1-\(Int.max)" }).items.count == 1)
        let far = world.query { ($0.after, $0.order) = ("d0-1-\(Int.max)", .nearest(point)) }
        #expect(try await world.reader().items(far).items == [])
        #expect(try await world.reader().items(world.query { $0.limit = -1 }).items == [])
    }
}
