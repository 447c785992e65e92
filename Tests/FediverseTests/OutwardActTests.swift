import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import Foundation
import HubHousehold
import Testing

/// What people here do to clips of another hub arrives there, once, and is taken back there (hub.md 8, decision 1902).
@Suite struct OutwardActTests {
    /// Ann hears a clip of Bob's.
    private func heard() async throws -> (pair: HubPair, clip: HubPost, original: HubPost) {
        let pair = try await HubPair()
        try await pair.near.follow(pair.far.name)
        await pair.settle()
        let original = try await pair.far.clip("Blackbird")
        await pair.settle()
        return (pair, try #require(try await pair.near.home().first), original)
    }

    private func notices(_ pair: HubPair) async throws -> [Notice] {
        try await pair.far.reader.notices(limit: 20).filter { $0.kind != .follow }
    }

    private func answer(_ pair: HubPair, _ clip: HubPost, _ visibility: HubPost.Visibility = .unlisted) async throws
        -> HubPost
    {
        var draft = PostDraft(author: pair.near.person, text: "Lovely & clear", key: UUID().uuidString)
        draft.replyTo = clip.sequence
        draft.visibility = visibility
        return try await pair.near.library.post(draft)
    }

    @Test func `likes and shares are told once, and taken back by what told of them`() async throws {
        let (pair, clip, original) = try await heard()
        for _ in 1...3 {
            try await pair.near.library.mark(clip, .favourite, by: pair.near.person)
            try await pair.near.library.mark(clip, .bookmark, by: pair.near.person)
            #expect(try await pair.near.library.shareOutwards(clip, by: pair.near.person))
        }
        await pair.settle()
        #expect(try await notices(pair).map { $0.remote?.deed } == [.share, .usual])
        #expect(try await notices(pair).allSatisfy { $0.post == original.sequence })
        #expect(try await notices(pair).first?.remote?.handle == pair.near.name)
        #expect(try await pair.near.reader.figures(of: [clip.sequence])[clip.sequence]?.isShared == true)
        #expect(
            try await pair.far.hub.house.texts("SELECT kind FROM remoteMarks ORDER BY kind") == ["announce", "like"])
        try await pair.near.library.unmark(clip.sequence, .favourite, by: pair.near.person)
        try await pair.near.library.unshareOutwards(clip, by: pair.near.person)
        await pair.settle()
        #expect(try await pair.far.hub.house.texts("SELECT kind FROM remoteMarks").isEmpty)
    }

    @Test(arguments: [true, false]) func `what is shared is told to followers elsewhere too, and to each inbox once`(
        isShared: Bool
    ) async throws {
        let (pair, clip, _) = try await heard()
        try await pair.far.follow(pair.near.name)
        await pair.settle()
        if !isShared { try await pair.near.hub.house.change("UPDATE remoteActors SET sharedInbox = NULL") }
        _ = try await pair.near.library.shareOutwards(clip, by: pair.near.person)
        var inboxes: Set<String> = []
        while let next = try await pair.near.library.nextDelivery(to: "far.example") {
            inboxes.insert(next.inbox)
            try await pair.near.library.deliveryEnded(next, wasSent: true)
        }
        #expect(inboxes.count == (isShared ? 2 : 1))
        #expect(inboxes.contains("https://far.example/ap/inbox") == isShared)
    }

    @Test func `an answer arrives with its words, is changed, hidden, shown and removed there`() async throws {
        let (pair, clip, _) = try await heard()
        let reply = try await answer(pair, clip)
        await pair.settle()
        let told = try #require(try await notices(pair).first?.remote)
        #expect(told.reply?.text == "@bob@far.example Lovely & clear" && told.handle == pair.near.name)
        #expect(told.reply?.page == "https://near.example/p/\(reply.id)")
        let note = try #require(try await pair.near.hub.fediverse.note(reply.id))
        #expect(note.audience == .unlisted && note.inReplyTo != nil && note.sounds.isEmpty)
        #expect(note.mentions.map(\.id) == [try await pair.far.actor()])
        for (change, text) in [
            ("text = 'Very lovely'", "@bob@far.example Very lovely"), ("state = 'hidden'", nil),
            ("state = 'shown'", "@bob@far.example Very lovely"),
        ] {
            try await pair.near.hub.house.change("UPDATE posts SET \(change) WHERE id = '\(reply.id)'")
            await pair.settle()
            #expect(try await pair.far.hub.house.texts("SELECT text FROM remoteReplies") == (text.map { [$0] } ?? []))
        }
        #expect(try await pair.near.library.removePost(reply.sequence, by: pair.near.person))
        await pair.settle()
        #expect(try await notices(pair).isEmpty)
        #expect(try await pair.near.hub.fediverse.note(reply.id) == nil)
    }

    @Test func `so much goes out within a day, and what is done again is not counted`() async throws {
        let (pair, clip, _) = try await heard()
        let library = pair.near.library
        for _ in 0..<HubLibrary.mostOutwardActsADay {
            try await library.unmark(clip.sequence, .favourite, by: pair.near.person)
            for _ in 1...2 { try await library.mark(clip, .favourite, by: pair.near.person) }
        }
        let wait = PostingRefusal.outward(seconds: 86_400)
        await #expect(throws: wait) { try await library.shareOutwards(clip, by: pair.near.person) }
        var draft = PostDraft(author: pair.near.person, text: "Lovely", key: "one")
        draft.replyTo = clip.sequence
        draft.visibility = .unlisted
        let answer = draft
        await #expect(throws: wait) { try await library.post(answer, under: PostingPolicy()) }
        try await library.unmark(clip.sequence, .favourite, by: pair.near.person)
        await #expect(throws: wait) { try await library.mark(clip, .favourite, by: pair.near.person) }
        // Others, and what stays here, are not held back.
        let cid = try await pair.near.hub.house.person("cid")
        try await library.mark(clip, .favourite, by: cid)
        try await library.mark(clip, .bookmark, by: pair.near.person)
        let likes = try await pair.near.hub.house.texts("SELECT kind FROM outwardMarks")
        #expect(likes.isEmpty)
    }

    @Test(arguments: HubPost.Visibility.allCases) func `answers for few stay here`(
        visibility: HubPost.Visibility
    ) async throws {
        let (pair, clip, _) = try await heard()
        let reply = try await answer(pair, clip, visibility)
        await pair.settle()
        let isOut = visibility == .published || visibility == .unlisted
        #expect(try await notices(pair).count == (isOut ? 1 : 0))
        #expect(try await (pair.near.hub.fediverse.note(reply.id) != nil) == isOut)
    }

    @Test func `who has not switched it on does all of that here alone`() async throws {
        let (pair, clip, _) = try await heard()
        let cid = try await pair.near.hub.house.person("cid")
        try await pair.near.library.mark(clip, .favourite, by: cid)
        #expect(try await !pair.near.library.shareOutwards(clip, by: cid))
        var draft = PostDraft(author: cid, text: "Lovely", key: "one")
        draft.replyTo = clip.sequence
        _ = try await pair.near.library.post(draft)
        #expect(try await pair.near.library.nextDelivery() == nil)
    }

    @Test func `a clip that is gone takes its marks with it, and nothing is taken back of it`() async throws {
        let (pair, clip, _) = try await heard()
        try await pair.near.library.mark(clip, .favourite, by: pair.near.person)
        _ = try await pair.near.library.shareOutwards(clip, by: pair.near.person)
        let reply = try await answer(pair, clip)
        await pair.settle()
        pair.near.hub.house.wait(RemoteClip.lasting + 1)
        _ = try await pair.near.library.sweep(at: pair.near.hub.house.now)
        #expect(try await pair.near.home().map(\.id) == [reply.id])
        #expect(try await pair.near.library.nextDelivery() == nil)
        // What answered it can still be removed there.
        #expect(try await pair.near.library.removePost(reply.sequence, by: pair.near.person))
        #expect(try await pair.near.library.nextDelivery(to: "far.example")?.kind == .delete)
    }

    @Test func `who is erased is erased there too`() async throws {
        let (pair, clip, _) = try await heard()
        try await pair.near.library.mark(clip, .favourite, by: pair.near.person)
        _ = try await answer(pair, clip)
        await pair.settle()
        #expect(try await notices(pair).count == 2)
        _ = try await pair.near.library.accounts().delete(pair.near.person)
        await pair.settle()
        #expect(try await notices(pair).isEmpty)
        #expect(try await pair.far.library.remoteFollowerCount(of: pair.far.person) == 0)
        for table in ["outwardMarks", "outwardReplies", "remoteFollows"] {
            #expect(try await pair.near.hub.house.texts("SELECT COUNT(*) FROM \(table)") == ["0"], "\(table)")
        }
    }
}
