import ChirpCommunity
import HubHousehold
import Testing

/// Whether anything has changed that somebody reads (boards.md 5.1.2).
@Suite struct ContentVersionTests {
    private let world: ItemWorld
    private let content: ContentVersion

    init() async throws {
        world = try await ItemWorld()
        for number in 0..<30 { try await world.list("Lantern \(number)") }
        content = try ContentVersion(world.library)
    }

    @Test func `what is written is counted, by this process or another`() async throws {
        let first = try #require(try content.current)
        #expect(try content.current == first)
        try await world.list("Lamp")
        let second = try #require(try content.current)
        #expect(second != first)
        try await world.house.change("UPDATE items SET title = 'Torch' WHERE title = 'Lamp'")
        #expect(try content.current != second)
    }

    @Test func `words that come together are not, though pages of the file change`() async throws {
        let first = try content.current
        let file = try LibraryVersion(world.library)
        let before = try file.current
        while try await world.library.mergeWords(content) {}
        #expect(try file.current != before)
        #expect(try content.current == first)
        // What was written before it and not asked for is.
        try await world.list("Lamp")
        _ = try await world.library.mergeWords(content)
        #expect(try content.current != first)
    }

    @Test func `whoever is told of words only is told of what comes after them`() async throws {
        let first = try content.current
        while try await world.library.mergeWords(content) {}
        try await world.list("Lamp")
        #expect(try content.current != first)
    }

    /// Somebody writes all the time while words come together, and after each of his writes the number is another one than before it.
    @Test func `nothing that others write is taken for words`() async throws {
        let merging = Task { [library = world.library, content] in
            while !Task.isCancelled { _ = try await library.mergeWords(content) }
        }
        var told = 0
        for number in 0..<200 {
            let before = try content.current
            // By a connection that the library does not know, and by its own.
            if number.isMultiple(of: 2) {
                try await world.house.change("UPDATE items SET title = 'Torch \(number)' WHERE rowid = 1")
            } else {
                try await world.list("Torch \(number)")
            }
            let after = try content.current
            #expect(after == nil || after != before, "\(number)")
            if after != nil { told += 1 }
        }
        merging.cancel()
        _ = await merging.result
        #expect(told > 20)
    }
}
