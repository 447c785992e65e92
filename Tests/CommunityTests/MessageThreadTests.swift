import ChirpAccounts
import ChirpCommunity
import ChirpNumbers
import Foundation
import HubHousehold
import Testing

/// Conversations are made of messages among the same people, whoever of them wrote.
@Suite struct MessageThreadTests {
    @Test func `one conversation is the same as among all, by its id, by a message and by pages`() async throws {
        let world = try await CaseWorld()
        func write(_ text: String, by author: AccountID) async throws -> Int64 {
            var draft = PostDraft(author: author, text: text, key: text)
            draft.visibility = .direct
            return try await world.library.post(draft, under: PostingPolicy()).sequence
        }
        let two = [try await write("@bob one", by: world.ann), try await write("@ann two", by: world.bob)]
        let three = [
            try await write("@ann @carl three", by: world.bob), try await write("@carl @bob four", by: world.ann),
        ]
        let latest = try await write("@bob five", by: world.ann)
        let reader = world.library.seen(by: .member(world.bob))
        let all = try await reader.threads()
        #expect(all.map(\.posts) == [[latest] + two.reversed(), three.reversed()])
        #expect(all.map { $0.people.map(\.handle).sorted() } == [["ann"], ["ann", "carl"]])
        #expect(all.map(\.unread) == [2, 1])
        for thread in all {
            #expect(try await reader.thread(thread.id) == thread)
            for post in thread.posts { #expect(try await reader.thread(with: post) == thread) }
        }
        #expect(try await reader.threads(limit: 1) == [all[0]])
        #expect(try await reader.threads(before: PageCursor(latest)) == [all[1]])
        #expect(try await reader.thread("another") == nil)
        #expect(try await reader.thread(with: latest + 1) == nil)
        #expect(try await world.library.seen(by: .member(world.dora)).thread(all[0].id) == nil)
    }
}
