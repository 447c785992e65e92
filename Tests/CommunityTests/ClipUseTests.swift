import ChirpAccounts
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// A clip of which its author has made several uses: the end of one leaves it to the others.
@Suite struct ClipUseTests {
    private func post(_ clip: HubID, by author: AccountID, in world: CommentWorld) async throws -> Int64 {
        var draft = PostDraft(author: author, text: "Ding", key: UUID().uuidString)
        draft.clip = clip
        return try await world.library.post(draft).sequence
    }

    private func list(_ clip: HubID, in world: CommentWorld) async throws -> HubID {
        var draft = world.world.draft("A bell that rings", by: world.bob)
        draft.clip = clip
        return try await world.library.createItem(draft)
    }

    private func isSound(_ clip: HubID, in world: CommentWorld) async throws -> Bool {
        if case .clip = try await world.world.reader().sound(at: clip) { true } else { false }
    }

    @Test func `a post that is removed leaves its clip to an item and to a comment`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        let (first, second) = (
            try await post(clip, by: world.bob, in: world), try await post(clip, by: world.bob, in: world)
        )
        let item = try await list(clip, in: world)
        let comment = try await world.say("Hear", by: world.bob, clip: clip)
        for place in [first, second] {
            #expect(try await world.library.removePost(place, by: world.bob))
            #expect(try await world.isHeard(clip))
        }
        guard case .item(let listed) = try await world.world.reader().item(item, board: ItemWorld.board) else {
            Issue.record("the item is gone")
            return
        }
        #expect(listed.clip?.id == clip)
        try await world.world.move(item, to: .withdrawn, by: world.bob)
        #expect(try await world.isHeard(clip), "a comment has it")
        try await world.library.removeComment(comment, by: world.bob)
        #expect(try await !world.isHeard(clip))
    }

    @Test func `a clip that only a comment has after its post is heard no longer than that, and swept`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        let place = try await post(clip, by: world.bob, in: world)
        let comment = try await world.say("Hear", by: world.bob, clip: clip)
        #expect(try await world.library.removePost(place, by: world.bob))
        #expect(try await world.isHeard(clip))
        try await world.library.removeComment(comment, by: world.bob)
        #expect(try await !world.isHeard(clip))
        world.world.house.wait(HubLibrary.unheardPatience + 1)
        #expect(try await world.library.sweep(at: world.world.house.now).unheard == 1)
    }

    @Test func `the last use takes the clip along`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        let place = try await post(clip, by: world.bob, in: world)
        #expect(try await world.library.removePost(place, by: world.bob))
        #expect(try await world.library.unfilteredClip(clip) == nil)
        #expect(try await world.world.reader().clip(clip) == .gone)
        // One that nobody else heard goes with what it was for; what is heard by its link has another use.
        let (own, linked) = (try await world.clip(of: world.bob), try await world.clip(of: world.bob, shared: true))
        for clip in [own, linked] { try await world.library.release(clip) }
        #expect(try await world.library.unfilteredClip(own) == nil)
        #expect(try await world.isHeard(linked))
    }

    @Test func `what is taken back or hidden leaves its clip to what others still see`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        let item = try await list(clip, in: world)
        _ = try await post(clip, by: world.bob, in: world)
        for change in ["hidden = 1", "hidden = 0, state = 'withdrawn'", "state = 'draft'"] {
            try await world.world.house.change("UPDATE items SET \(change) WHERE id = '\(item)'")
            #expect(try await world.isHeard(clip), "\(change)")
            #expect(try await isSound(clip, in: world), "\(change)")
        }
        for state in ["held", "hidden"] {
            try await world.world.house.change("UPDATE posts SET state = '\(state)'")
            #expect(try await !world.isHeard(clip), "\(state)")
            #expect(try await !isSound(clip, in: world), "\(state)")
        }
        try await world.world.house.change("UPDATE items SET state = 'open' WHERE id = '\(item)'")
        #expect(try await isSound(clip, in: world), "its item has it")
        try await world.world.house.change("UPDATE accounts SET state = 'closed' WHERE handle = 'bob'")
        #expect(try await !isSound(clip, in: world))
    }

    @Test func `a clip of the hub's owner is hidden from visitors too`() async throws {
        let world = try await CommentWorld()
        let house = world.world.house
        let clip = try #require(HubID(try await house.publish()))
        #expect(try await isSound(clip, in: world))
        try await house.change("UPDATE posts SET state = 'hidden'")
        #expect(try await !isSound(clip, in: world))
        #expect(try await !world.isHeard(clip))
    }

    @Test func `the voice of a comment is heard no longer than its item is seen`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        try await world.say("", by: world.bob, clip: clip)
        for (change, back) in [
            ("hidden = 1", "hidden = 0"), ("state = 'withdrawn'", "state = 'open'"), ("shut = 1", "shut = 0"),
        ] {
            #expect(try await world.isHeard(clip))
            try await world.world.house.change("UPDATE items SET \(change)")
            #expect(try await !world.isHeard(clip), "\(change)")
            #expect(try await !world.isHeard(clip, by: world.ann), "\(change)")
            #expect(try await !isSound(clip, in: world), "\(change)")
            #expect(try await world.isHeard(clip, by: world.bob), "it is still the writer's own")
            try await world.world.house.change("UPDATE items SET \(back)")
        }
    }
}
