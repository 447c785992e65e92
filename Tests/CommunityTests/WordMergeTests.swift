import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// Parts of the index of words, which nobody who writes brings together (boards.md 5.1.1).
@Suite struct WordMergeTests {
    /// How many parts the index has.
    private func parts(_ world: ItemWorld) throws -> Int {
        let queue = try DatabaseQueue(path: "\(world.library.folder)/hub.sqlite")
        return try queue.read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(DISTINCT segid) FROM itemWords_idx") ?? 0
        }
    }

    @Test func `those who write leave them, and they are few afterwards`() async throws {
        let world = try await ItemWorld()
        var removed: HubID?
        for number in 0..<60 {
            let id = try await world.list("Lantern \(number)", text: "with a handle of brass, the \(number)th")
            if number == 7 { removed = id }
        }
        try await world.move(try #require(removed), to: .withdrawn, by: world.ann)
        #expect(try parts(world) >= 60)
        while try await world.library.mergeWords() {}
        #expect(try parts(world) < 8)
        #expect(try await world.titles(world.query("brass 31th")) == ["Lantern 31"])
        #expect(try await world.titles(world.query("lantern 7th")) == [])
        // The index is what the texts are, in the words of SQLite itself (sqlite.org/fts5.html, 6.6).
        try await world.house.change("INSERT INTO itemWords (itemWords, rank) VALUES ('integrity-check', 1)")
        // Nothing is left to do, and nothing is written.
        let before = try version(world)
        #expect(try await !world.library.mergeWords())
        #expect(try version(world) == before)
    }

    /// What changes with every page that is written.
    private func version(_ world: ItemWorld) throws -> [Data] {
        let queue = try DatabaseQueue(path: "\(world.library.folder)/hub.sqlite")
        return try queue.read { try Data.fetchAll($0, sql: "SELECT block FROM itemWords_data ORDER BY id") }
    }

    @Test func `nobody merges, and there are no more parts than a few hundred`() async throws {
        let world = try await ItemWorld()
        for number in 0..<230 { try await world.list("Lantern \(number)") }
        let left = try parts(world)
        #expect(left >= 3 && left < 130, "\(left)")
    }
}
