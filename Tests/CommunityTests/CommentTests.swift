import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// An attic where people say something about what is listed.
struct CommentWorld {
    let world: ItemWorld
    let item: HubID
    var ann: AccountID { world.ann }
    var bob: AccountID { world.bob }
    var library: HubLibrary { world.library }

    /// Ann has listed something.
    init() async throws {
        world = try await ItemWorld()
        item = try await world.list("A bell")
    }

    func draft(
        _ text: String, by account: AccountID, clip: HubID? = nil, answers: HubID? = nil,
        key: String = UUID().uuidString
    ) -> CommentDraft {
        CommentDraft(
            board: ItemWorld.board, item: item, author: account, key: key, text: text, clip: clip, answers: answers)
    }

    @discardableResult
    func say(
        _ text: String, by account: AccountID, clip: HubID? = nil, answers: HubID? = nil,
        key: String = UUID().uuidString
    ) async throws -> HubID {
        try await library.comment(draft(text, by: account, clip: clip, answers: answers, key: key))
    }

    func query(_ order: CommentQuery.Order = .oldest, answersTo above: HubID? = nil, limit: Int = 100) -> CommentQuery {
        var query = CommentQuery(board: ItemWorld.board, item: item)
        (query.order, query.answersTo, query.limit) = (order, above, limit)
        return query
    }

    /// What somebody reads on the item: each comment with its answers in brackets.
    func read(by account: AccountID? = nil, _ order: CommentQuery.Order = .oldest) async throws -> [String] {
        let page = try #require(try await world.reader(account).comments(query(order)))
        return page.comments.map { comment in
            let answers = comment.answers.map(Self.text).joined(separator: ", ")
            return Self.text(comment) + (answers.isEmpty ? "" : " [\(answers)]")
        }
    }

    private static func text(_ comment: ItemComment) -> String {
        switch comment.state {
        case .shown: comment.text
        case .hidden: "hidden: \(comment.text)"
        case .removed: "-"
        }
    }

    /// What a call is refused with; nil when it is not.
    func refusal<T>(_ body: () async throws(CommentRefusal) -> T) async -> CommentRefusal? {
        do throws(CommentRefusal) {
            _ = try await body()
            return nil
        } catch { return error }
    }

    /// A clip of somebody's that nobody else hears.
    func clip(of owner: AccountID, expires: Date? = nil, shared: Bool = false) async throws -> HubID {
        let id = HubID()
        var clip = HubClip(
            id: id, title: "Ding", fileName: "ding.mp3", contentType: "audio/mpeg", bytes: 1, sha256: "",
            sound: HubSound(seconds: 1, peaks: [1]), created: world.house.now, expires: expires, shared: shared)
        clip.owner = owner
        #expect(try await library.insert(clip) == nil)
        return id
    }

    func isHeard(_ clip: HubID, by account: AccountID? = nil) async throws -> Bool {
        if case .clip = try await world.reader(account).find(clip) { true } else { false }
    }

    /// The number that is kept with the item, after it was compared with the rows.
    func count(_ location: SourceLocation = #_sourceLocation) async throws -> Int {
        try await library.reading { [item] database in
            let wrong = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM items LEFT JOIN itemTallies ON itemTallies.item = items.sequence
                    WHERE COALESCE(itemTallies.comments, 0) <> (SELECT COUNT(*) FROM comments
                        WHERE comments.item = items.sequence AND state = 'shown' AND shut = 0)
                    """)
            #expect(wrong == 0, sourceLocation: location)
            let stray = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM comments WHERE (state = 'removed') <> (account IS NULL)
                        OR state = 'removed' AND (text <> '' OR clip IS NOT NULL OR key <> '' OR NOT EXISTS (
                            SELECT 1 FROM comments AS answer WHERE answer.answers = comments.sequence))
                        OR state <> 'removed' AND text = '' AND clip IS NULL
                    """)
            #expect(
                stray == 0, "comments without words, or places of what nobody has answered", sourceLocation: location)
            return try Int.fetchOne(
                database,
                sql: "SELECT comments FROM itemTallies JOIN items ON items.sequence = item WHERE items.id = ?",
                arguments: [item.text]) ?? 0
        }
    }
}

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
        for (draft, refusal) in [
            (world.draft("", by: world.bob), CommentRefusal.empty),
            (world.draft(" \n\u{200E}", by: world.bob), .empty),
            (world.draft(String(repeating: "ä", count: most + 1), by: world.bob), .tooLong(most: most)),
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

    @Test func `a removed comment is gone, or leaves its place to its answers, and its clip is heard no more`()
        async throws
    {
        let world = try await CommentWorld()
        let carl = try await world.world.house.person("carl")
        let clip = try await world.clip(of: world.bob)
        let top = try await world.say("Top", by: world.bob, clip: clip)
        let answer = try await world.say("Answer", by: carl, answers: top)
        let alone = try await world.say("Alone", by: world.bob)
        for account in [carl, try await world.world.house.person("dora")] {
            let refusal = await world.refusal { () async throws(CommentRefusal) in
                try await world.library.removeComment(alone, by: account)
            }
            #expect(refusal == .notFound, "others remove nothing")
        }
        try await world.library.removeComment(alone, by: world.bob)
        #expect(try await world.read() == ["Top [Answer]"])
        #expect(try await world.isHeard(clip))
        try await world.library.removeComment(top, by: world.bob)
        #expect(try await world.read() == ["- [Answer]"])
        #expect(try await world.read(by: world.bob) == ["- [Answer]"])
        #expect(try await !world.isHeard(clip))
        #expect(try await world.isHeard(clip, by: world.bob), "it is still her own")
        let again = await world.refusal { () async throws(CommentRefusal) in
            try await world.library.removeComment(top, by: world.bob)
        }
        #expect(again == .notFound)
        #expect(try await world.count() == 1)
        // The item's author removes what others have said about her item.
        try await world.library.removeComment(answer, by: world.ann)
        #expect(try await world.read().isEmpty)
        #expect(try await world.count() == 0)
        let rows = try await world.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM comments") }
        #expect(rows == 0)
    }

    @Test func `a clip that others heard before is still heard, and one that goes takes a comment without words along`()
        async throws
    {
        let world = try await CommentWorld()
        let known = try await world.clip(of: world.bob, shared: true)
        let comment = try await world.say("Hear", by: world.bob, clip: known)
        try await world.library.removeComment(comment, by: world.bob)
        #expect(try await world.isHeard(known))
        let both = try await world.clip(of: world.bob)
        let first = try await world.say("First", by: world.bob, clip: both)
        let second = try await world.say("Second", by: world.bob, clip: both)
        try await world.library.removeComment(first, by: world.bob)
        #expect(try await world.isHeard(both), "another comment has it")
        try await world.library.removeComment(second, by: world.bob)
        #expect(try await !world.isHeard(both))
        let clip = try await world.clip(of: world.bob)
        let spoken = try await world.say("", by: world.bob, clip: clip)
        try await world.say("And words", by: world.bob, clip: clip)
        try await world.say("What?", by: world.ann, answers: spoken)
        try await world.library.remove(clip)
        #expect(try await world.read() == ["- [What?]", "And words"])
        #expect(try await world.count() == 2)
        // A comment without words whose clip has expired, before the sweep has seen it.
        let short = try await world.clip(of: world.bob, expires: world.world.house.now.addingTimeInterval(60))
        try await world.say("", by: world.bob, clip: short)
        #expect(try await world.read().count == 3)
        world.world.house.wait(61)
        #expect(try await world.read().count == 2)
        // What waits to be heard is not swept while a comment has it.
        world.world.house.wait(HubLibrary.unheardPatience + 1)
        let kept = try await world.clip(of: world.bob)
        try await world.say("Kept", by: world.bob, clip: kept)
        world.world.house.wait(HubLibrary.unheardPatience + 1)
        _ = try await world.library.sweep(at: world.world.house.now)
        #expect(try await world.isHeard(kept))
    }

    @Test func `a reader who pages while others say and remove sees what stays once, in order`() async throws {
        let world = try await CommentWorld()
        var ids: [HubID] = []
        for number in 0..<60 { ids.append(try await world.say("\(number)", by: world.bob)) }
        for order in CommentQuery.Order.allCases {
            var (query, seen, step) = (world.query(order, limit: 7), [String](), 0)
            while let page = try await world.world.reader().comments(query) {
                seen += page.comments.map(\.text)
                #expect(page.comments.count == 7 || page.next == nil, "pages are full")
                guard let next = page.next else { break }
                query.after = next
                // Said behind the reader and before her; removed behind her and before her.
                try await world.say("new \(order) \(step)", by: world.bob)
                try await world.library.removeComment(
                    ids.remove(at: order == .oldest ? 0 : ids.count - 1), by: world.bob)
                step += 1
            }
            let old = seen.filter { !$0.hasPrefix("new") }.compactMap { Int($0) }
            #expect(old == (order == .oldest ? old.sorted() : old.sorted(by: >)) && Set(old).count == old.count)
            for id in ids {
                let text =
                    try await world.world.reader().comment(id, on: world.item, board: ItemWorld.board)?.text ?? ""
                #expect(seen.contains(text), "\(order): \(text)")
            }
            #expect(seen.contains("new \(order) 0") == (order == .oldest))
        }
        _ = try await world.count()
    }

    @Test func `after random acts the counts are those of the rows, and answers stand`() async throws {
        let world = try await CommentWorld()
        let seed = TestSeed()
        var random = SeededGenerator(seed: seed.value)
        var people = [world.ann, world.bob]
        var (ids, clips): ([HubID], [HubID]) = ([], [])
        for step in 0..<400 {
            let account = try #require(people.randomElement(using: &random))
            let comment = ids.randomElement(using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5:
                let clip = Bool.random(using: &random) ? try await world.clip(of: account) : nil
                if let clip { clips.append(clip) }
                let text = clip == nil || Bool.random(using: &random) ? "\(step)" : ""
                let above = Bool.random(using: &random) ? comment : nil
                if let id = try? await world.say(text, by: account, clip: clip, answers: above) { ids.append(id) }
            case 5, 6: if let comment { try? await world.library.removeComment(comment, by: account) }
            case 7:
                let state = Bool.random(using: &random) ? "hidden" : "shown"
                try await world.world.house.change(
                    "UPDATE comments SET state = '\(state)' WHERE id = '\(comment?.text ?? "")' AND state <> 'removed'")
            // Without the one whose item it is nobody says anything.
            case 8 where account != world.ann:
                let state = Bool.random(using: &random) ? "closed" : "active"
                try await world.world.house.change("UPDATE accounts SET state = '\(state)' WHERE id = '\(account)'")
            case 9: if let clip = clips.randomElement(using: &random) { try await world.library.remove(clip) }
            case 10 where account != world.ann && Int.random(in: 0..<4, using: &random) == 0:
                try await world.world.house.change("DELETE FROM accounts WHERE id = '\(account)'")
                people.removeAll { $0 == account }
            default: people.append(try await world.world.house.person("p\(step)"))
            }
            if step % 20 == 0 { _ = try await world.count() }
        }
        _ = try await world.count()
        #expect(ids.count > 50, "\(seed)")
        try await world.world.house.change("DELETE FROM accounts WHERE id = '\(world.ann)'")
        let rows = try await world.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM comments") }
        #expect(rows == 0, "they go with their item")
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
