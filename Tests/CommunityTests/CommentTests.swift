import ChirpAccounts
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// What people say about what boards list: by whom, of whom, in what order, and how many (AR-3, OU-3).
@Suite struct CommentTests {
    @Test func `words, a clip or both are said once for a key, and read in both orders`() async throws {
        let world = try await CommentWorld()
        let clip = try await world.clip(of: world.bob)
        let first = try await world.say("  It rings\n\n\nwell \u{202E} ", by: world.bob, key: "one")
        #expect(try await world.say("Another", by: world.bob, key: "one") == first, "once for its key")
        #expect(try await world.say("Mine", by: world.ann, key: "one") != first, "keys are each writer's own")
        try await world.say("", by: world.bob, clip: clip)
        #expect(try await world.read() == ["It rings\n\nwell", "Mine", ""])
        #expect(try await world.read(.newest) == ["", "Mine", "It rings\n\nwell"])
        let spoken = try #require(try await world.world.reader().comments(world.query(.newest))?.comments.first)
        #expect(spoken.clip?.id == clip && spoken.author?.handle == "bob")
        #expect(try await world.isHeard(clip))
        #expect(try await world.count() == 3)
        guard case .item(let item) = try await world.world.reader().item(world.item, board: ItemWorld.board) else {
            Issue.record("the item is gone")
            return
        }
        #expect(item.comments == 3)
    }

    @Test func `what is too long, empty, or not one's own is refused, and nothing is left of it`() async throws {
        let world = try await CommentWorld()
        let (other, gone) = (
            try await world.clip(of: world.ann), try await world.clip(of: world.bob, expires: world.world.house.now)
        )
        let most = ItemComment.longestText
        // One character of 25 bytes.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        for (draft, refusal) in [
            (world.draft("", by: world.bob), CommentRefusal.empty),
            (world.draft(" \n\u{200E}", by: world.bob), .empty),
            (world.draft(String(repeating: "ä", count: most + 1), by: world.bob), .tooLong(most: most)),
            (world.draft(String(repeating: family, count: most / 6), by: world.bob), .tooLong(most: most)),
            (world.draft(String(repeating: "x", count: 10_000_000), by: world.bob), .tooLong(most: most)),
            (world.draft("Hear", by: world.bob, clip: other), .notYours),
            (world.draft("Hear", by: world.bob, clip: gone), .notYours),
            (world.draft("Hear", by: world.bob, clip: HubID()), .notYours),
            (world.draft("What", by: world.bob, answers: HubID()), .notFound),
        ] {
            let answer = await world.refusal { () async throws(CommentRefusal) in try await world.library.comment(draft)
            }
            #expect(answer == refusal, "\(draft.text.prefix(20))")
        }
        #expect(try await world.count() == 0)
        #expect(try await !world.isHeard(other))
        try await world.say(String(repeating: "ä", count: most), by: world.bob)
    }

    @Test(arguments: Item.State.allCases) func `only what is open or settled is talked about`(
        _ state: Item.State
    ) async throws {
        let world = try await CommentWorld()
        try await world.world.house.change("UPDATE items SET state = '\(state.rawValue)'")
        let wanted: (own: CommentRefusal?, other: CommentRefusal?) =
            switch state {
            case .open, .settled: (nil, nil)
            case .expired: (.ended(state), .ended(state))
            case .draft, .withdrawn: (.ended(state), .notFound)
            }
        for (account, refusal) in [(world.ann, wanted.own), (world.bob, wanted.other)] {
            let answer = await world.refusal { () async throws(CommentRefusal) in
                try await world.library.comment(world.draft("Hello", by: account))
            }
            #expect(answer == refusal, "\(account)")
        }
    }

    @Test func `suspended and unconfirmed people say nothing, and nobody does on another board or a hidden item`()
        async throws
    {
        let world = try await CommentWorld()
        let sue = try await world.world.house.person("sue", state: "suspended")
        let una = try await world.world.house.person("una", state: "unconfirmed")
        try await world.world.house.change("UPDATE accounts SET until = 9999999999999 WHERE handle = 'sue'")
        for account in [sue, una] {
            let answer = await world.refusal { () async throws(CommentRefusal) in
                try await world.library.comment(world.draft("Hello", by: account))
            }
            #expect(answer == .notActive)
        }
        var elsewhere = world.draft("Hello", by: world.bob)
        elsewhere.board = "cellar"
        #expect(
            await world.refusal { () async throws(CommentRefusal) in try await world.library.comment(elsewhere) }
                == .notFound)
        try await world.world.house.change("UPDATE items SET hidden = 1")
        #expect(
            await world.refusal { () async throws(CommentRefusal) in
                try await world.library.comment(world.draft("Hello", by: world.bob))
            } == .notFound)
        #expect(try await world.world.reader(world.bob).comments(world.query()) == nil)
    }

    @Test func `people who have blocked one another neither answer nor read one another`() async throws {
        let world = try await CommentWorld()
        let carl = try await world.world.house.person("carl")
        let bobs = try await world.say("By Bob", by: world.bob)
        try await world.say("By Carl", by: carl)
        try await world.say("Ann to Bob", by: world.ann, answers: bobs)
        try await world.library.block(carl, by: world.bob)
        #expect(try await world.read(by: carl) == ["- [Ann to Bob]", "By Carl"], "its place is left for Ann's answer")
        #expect(try await world.read(by: world.bob) == ["By Bob [Ann to Bob]"])
        #expect(try await world.read() == ["By Bob [Ann to Bob]", "By Carl"])
        let answer = await world.refusal { () async throws(CommentRefusal) in
            try await world.library.comment(world.draft("To Bob", by: carl, answers: bobs))
        }
        #expect(answer == .notFound)
        try await world.library.block(carl, by: world.ann)
        let said = await world.refusal { () async throws(CommentRefusal) in
            try await world.library.comment(world.draft("To Ann", by: carl))
        }
        #expect(said == .notFound)
    }

    @Test func `answers stand below what they answer, one level deep, a few with it and the others behind a cursor`()
        async throws
    {
        let world = try await CommentWorld()
        let top = try await world.say("Whose is it?", by: world.bob)
        let answer = try await world.say("Mine", by: world.ann, answers: top)
        try await world.say("Yours?", by: world.bob, answers: answer)
        #expect(try await world.read() == ["Whose is it? [Mine, Yours?]"])
        for number in 0..<10 { try await world.say("\(number)", by: world.bob, answers: answer) }
        let page = try #require(try await world.world.reader().comments(world.query()))
        #expect(page.comments.first?.answers.count == HubReader.mostAnswers)
        #expect(page.comments.first?.hasMoreAnswers == true)
        var (query, texts) = (world.query(answersTo: top, limit: 5), [String]())
        while let page = try await world.world.reader().comments(query) {
            texts += page.comments.map(\.text)
            #expect(page.comments.allSatisfy { $0.above == top })
            guard let next = page.next else { break }
            query.after = next
        }
        #expect(texts == ["Mine", "Yours?"] + (0..<10).map { "\($0)" })
        #expect(try await world.count() == 13)
        // The database itself keeps answers to one level.
        await #expect(throws: (any Error).self) {
            try await world.world.house.change(
                """
                INSERT INTO comments (id, item, account, key, answers, text, created)
                SELECT 'x', item, account, 'x', sequence, 'x', 0 FROM comments WHERE id = '\(answer)'
                """)
        }
    }

    @Test func `an item's author and who is answered are told once each, as far as they want to be`() async throws {
        let world = try await CommentWorld()
        let carl = try await world.world.house.person("carl")
        func told(_ account: AccountID) async throws -> [String] {
            try await world.world.reader(account).notices(limit: 50).map {
                "\($0.kind.rawValue) \($0.actor?.handle ?? "") \($0.item?.path ?? "") \($0.item?.isOwn == true)"
            }
        }
        let top = try await world.say("Top", by: world.bob)
        let path = "/\(ItemWorld.board)/\(world.item)/comments"
        #expect(try await told(world.ann) == ["comment bob \(path)/\(top) true"])
        let answer = try await world.say("Answer", by: carl, answers: top, key: "k")
        try await world.say("Answer", by: carl, answers: top, key: "k")
        #expect(try await told(world.bob) == ["comment carl \(path)/\(answer) false"])
        #expect(try await told(world.ann).count == 2)
        // Ann is both: told once; nobody is told of what she says herself.
        let own = try await world.say("Own", by: world.ann)
        try await world.say("To Ann", by: carl, answers: own)
        #expect(try await told(world.ann).count == 3)
        // To an answer: whoever wrote that is told, not who began.
        try await world.say("To Carl", by: world.ann, answers: answer)
        #expect(try await told(carl).count == 1)
        #expect(try await told(world.bob).count == 1)
        // A hidden or removed comment is no news.
        try await world.world.house.change("UPDATE comments SET state = 'hidden' WHERE id = '\(answer)'")
        #expect(try await told(world.bob).isEmpty)
        try await world.world.house.change("UPDATE comments SET state = 'shown' WHERE id = '\(answer)'")
        #expect(try await told(world.bob).count == 1)
        try await world.library.removeComment(answer, by: carl)
        #expect(try await told(world.bob).isEmpty)
        // Who does not want to be told is not.
        try await world.library.choose([.comment: NoticeChoice(onPage: false, byMail: false)], of: world.ann)
        let before = try await told(world.ann).count
        try await world.say("Quiet", by: world.bob)
        #expect(try await told(world.ann).count == before)
    }
}
