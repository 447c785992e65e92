import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What is left of comments, their clips and their number when some go, and of what somebody reads meanwhile (AR-3, OU-3).
@Suite struct CommentRemovalTests {
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
}
