import ChirpAccounts
import ChirpCommunity
import ChirpNumbers
import Foundation
import HubHousehold
import Testing

/// Public posts with a hashtag, as they are listed.
@Suite struct TagListTests {
    @Test func `a hashtag's posts come by pages, both ways, without those that the viewer may not see`() async throws {
        let world = try await CaseWorld()
        var places: [Int64] = []
        for number in 1...9 {
            var draft = PostDraft(
                author: number.isMultiple(of: 3) ? world.bob : world.ann, text: "Listen #Rain \(number)",
                key: "\(number)")
            if number == 5 { draft.visibility = .unlisted }
            places.append(try await world.library.post(draft, under: PostingPolicy()).sequence)
        }
        _ = try await world.library.post(
            PostDraft(author: world.ann, text: "Listen #other", key: "other"), under: PostingPolicy())
        try await world.library.block(world.bob, by: world.carl)
        func list(_ viewer: Viewer, before: PageCursor = .end, limit: Int = 20) async throws -> [Int64] {
            try await world.library.seen(by: viewer).posts(before: before, .tagged("rain"), limit: limit).map(
                \.sequence)
        }
        let seen = places.enumerated().filter { $0.offset != 4 }.map(\.element)
        #expect(try await list(.visitor) == seen.reversed())
        #expect(try await list(.visitor, limit: 3) == Array(seen.reversed().prefix(3)))
        #expect(try await list(.visitor, before: PageCursor(seen[3]), limit: 2) == [seen[2], seen[1]])
        let blocking = places.enumerated().filter { ![2, 4, 5, 8].contains($0.offset) }.map(\.element)
        #expect(try await list(.member(world.carl), limit: 4) == Array(blocking.reversed().prefix(4)))
        let later = try await world.library.seen(by: .visitor).posts(
            after: PageCursor(seen[1]), .tagged("rain"), limit: 3)
        #expect(later.map(\.sequence) == Array(seen[2...4]))
        #expect(try await world.library.seen(by: .visitor).posts(.tagged("none"), limit: 3).isEmpty)
    }
}
