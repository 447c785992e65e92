import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// Reports, decisions and appeals about comments; what is exported, and what is left when somebody goes.
@Suite struct CommentCaseTests {
    /// Ann's item, on which Bob has said something.
    private func said() async throws -> (world: CaseWorld, item: HubID, comment: HubID) {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        return (world, item, try await say("You are a fool", item, world.bob, world))
    }

    private func say(
        _ text: String, _ item: HubID, _ account: AccountID, _ world: CaseWorld, answers: HubID? = nil,
        clip: HubID? = nil
    ) async throws -> HubID {
        try await world.library.comment(
            CommentDraft(
                board: "lost-and-found", item: item, author: account, key: UUID().uuidString, text: text, clip: clip,
                answers: answers))
    }

    private func state(_ comment: HubID, _ item: HubID, for account: AccountID?, _ world: CaseWorld) async throws
        -> ItemComment.State?
    {
        let viewer: Viewer = account.map { .member($0) } ?? .visitor
        return try await world.library.seen(by: viewer).comment(comment, on: item, board: "lost-and-found")?.state
    }

    private func report(
        _ comment: HubID, by account: AccountID, _ world: CaseWorld, for reason: ReportReason = .abuse
    ) async throws(CaseError) -> ReportReceipt {
        world.house.wait(600)
        return try await world.library.report(.comment(comment), by: account, for: reason, text: "Look at this")
    }

    @Test func `two reports hide a comment for a day from all but its writer and moderators`() async throws {
        let (world, item, comment) = try await said()
        #expect(try await !report(comment, by: world.ann, world).hides)
        #expect(try await state(comment, item, for: nil, world) == .shown, "one report alone does not")
        let receipt = try await report(comment, by: world.carl, world)
        #expect(receipt.hides && !receipt.freezes)
        for (account, wanted) in [
            (nil, nil), (world.ann, nil), (world.dora, nil), (world.bob, ItemComment.State.hidden),
            (world.mia, .hidden),
        ] {
            #expect(try await state(comment, item, for: account, world) == wanted, "\(account?.rawValue ?? "visitor")")
        }
        // What others' reports have just taken from sight can still be reported: it is one case.
        #expect(try await report(comment, by: world.dora, world).caseID == receipt.caseID)
        #expect(try await world.library.commentToReport(comment, by: world.dora)?.text == "You are a fool")
        world.house.wait(25 * 3600)
        try await world.library.settleCases()
        #expect(try await state(comment, item, for: nil, world) == .shown)
        let found = try await world.library.moderationCase(receipt.caseID, for: world.mia)
        #expect(found.hasReturned && found.subject == .comment(comment) && found.comment?.text == "You are a fool")
        #expect(found.comment?.path == "/lost-and-found/\(item)/comments/\(comment)" && found.reports.count == 3)
    }

    @Test func `nobody reports her own comment, twice, for its ownership, or what she does not see`() async throws {
        let (world, item, comment) = try await said()
        let own = await world.refusal { () async throws(CaseError) in
            _ = try await report(comment, by: world.bob, world)
        }
        #expect(own == .own)
        _ = try await report(comment, by: world.carl, world)
        let twice = await world.refusal { () async throws(CaseError) in
            _ = try await report(comment, by: world.carl, world)
        }
        #expect(twice == .already)
        let mine = await world.refusal { () async throws(CaseError) in
            _ = try await report(comment, by: world.dora, world, for: .ownership)
        }
        #expect(mine == .refused(field: "reason", .noReason))
        try await world.library.block(world.dora, by: world.bob)
        let unseen = await world.refusal { () async throws(CaseError) in
            _ = try await report(comment, by: world.dora, world)
        }
        #expect(unseen == .notFound)
        try await world.library.removeComment(comment, by: world.bob)
        let gone = await world.refusal { () async throws(CaseError) in
            _ = try await report(comment, by: world.mia, world)
        }
        #expect(gone == .notFound)
        #expect(try await state(comment, item, for: world.mia, world) == nil)
    }

    @Test func `a decision hides or shows, is told, and an appeal to another moderator takes it back`() async throws {
        let (world, item, comment) = try await said()
        let answer = try await say("Calm down", item, world.carl, world, answers: comment)
        let id = try await report(comment, by: world.ann, world).caseID
        try await world.library.decide(id, Verdict(.warning, why: "Be kind"), by: world.mia, from: .open)
        #expect(try await state(comment, item, for: nil, world) == .removed, "its place is left for Carl's answer")
        #expect(try await state(answer, item, for: nil, world) == .shown)
        #expect(try await state(comment, item, for: world.bob, world) == .hidden)
        let standing = try #require(try await world.library.standing(of: world.bob).first)
        #expect(standing.comment?.text == "You are a fool" && standing.decisions.map(\.why) == ["Be kind"])
        #expect(standing.reports.allSatisfy { $0.reporter == nil && $0.text.isEmpty })
        #expect(
            try await world.library.seen(by: .member(world.bob)).notices(limit: 9).contains { $0.kind == .moderation })
        try await world.library.appeal(id, by: world.bob, text: "It was a joke")
        let same = await world.refusal { () async throws(CaseError) in
            _ = try await world.library.decide(id, Verdict(.show, why: "so"), by: world.mia, from: .appealed)
        }
        #expect(same == .involved)
        try await world.library.decide(id, Verdict(.show, why: "It was"), by: world.max, from: .appealed)
        #expect(try await state(comment, item, for: nil, world) == .shown)
        for step in [Verdict.Step.freeze, .restore] {
            let other = try await world.library.openCase(about: .comment(comment), by: world.mia)
            let refusal = await world.refusal { () async throws(CaseError) in
                _ = try await world.library.decide(other, Verdict(step, why: "so"), by: world.mia, from: .open)
            }
            #expect(refusal == .refused(field: "what", .onlyItems))
        }
    }

    @Test func `a moderator's report hides at once, and a notice without hiding leaves a comment in sight`()
        async throws
    {
        let (world, item, comment) = try await said()
        let id = try await report(comment, by: world.max, world).caseID
        #expect(try await state(comment, item, for: nil, world) == nil)
        try await world.library.decide(
            id, Verdict(.notice, hidesPost: false, why: "A word"), by: world.mia, from: .open)
        #expect(try await state(comment, item, for: nil, world) == .shown)
    }

    @Test func `the clip of a hidden comment is heard by its owner alone`() async throws {
        let (world, item, _) = try await said()
        let clip = HubID()
        var sound = HubClip(
            id: clip, title: "Boo", fileName: "boo.mp3", contentType: "audio/mpeg", bytes: 1, sha256: "", sound: nil,
            created: world.house.now, expires: nil, shared: false)
        sound.owner = world.bob
        #expect(try await world.library.insert(sound) == nil)
        let comment = try await say("", item, world.bob, world, clip: clip)
        func isHeard(_ viewer: Viewer) async throws -> Bool {
            if case .clip = try await world.library.seen(by: viewer).clip(clip) { true } else { false }
        }
        #expect(try await isHeard(.visitor))
        _ = try await report(comment, by: world.max, world)
        #expect(try await !isHeard(.visitor))
        #expect(try await isHeard(.member(world.bob)))
        #expect(try await world.library.comment(comment, for: world.mia).clip == clip)
    }

    @Test func `an export holds one's comments, and an erased account leaves places without name and words`()
        async throws
    {
        let (world, item, comment) = try await said()
        let answer = try await say("Xylophone", item, world.carl, world, answers: comment)
        let alone = try await say("quixotic", item, world.bob, world)
        let mine = try await say("Bob to Carl", item, world.bob, world, answers: answer)
        _ = try await report(comment, by: world.carl, world)
        let export = try await world.library.export(of: world.bob)
        let text = String(
            decoding: try #require(export.documents.first { $0.name == "comments.json" }).bytes, as: UTF8.self)
        #expect(text.contains("You are a fool") && text.contains("quixotic") && text.contains(comment.text))
        #expect(text.contains("/lost-and-found/\(item)") && !text.contains("Xylophone"))
        _ = try await world.accounts.delete(world.bob)
        let page = try await world.library.seen(by: .visitor).comments(
            CommentQuery(board: "lost-and-found", item: item))
        #expect(page?.comments.map(\.state) == [.removed] && page?.comments.first?.id == comment)
        #expect(page?.comments.first?.answers.map(\.text) == ["Xylophone"])
        let traces = try await world.house.traces(
            of: [world.bob.rawValue, alone.text, mine.text, "You are a fool", "quixotic", "Bob to Carl"])
        #expect(traces.isEmpty, "\(traces)")
        // With the last answer the place goes too.
        _ = try await world.accounts.delete(world.carl)
        #expect(try await world.house.traces(of: [comment.text, answer.text, "Xylophone"]).isEmpty)
        // What was said about an item goes with it.
        _ = try await say("By Dora", item, world.dora, world)
        _ = try await world.accounts.delete(world.ann)
        #expect(try await world.house.traces(of: ["By Dora"]).isEmpty)
    }

    @Test func `a library of a release without comments keeps its cases, reports and tallies`() async throws {
        let (world, item, _) = try await said()
        let id = try await world.library.report(.item(item), by: world.bob, for: .ownership, text: "Mine").caseID
        try await world.library.mark(item, .save, isOn: true, by: world.bob)
        try await world.house.change(
            """
            DROP TRIGGER commentsShut;
            DROP TRIGGER commentsLeft;
            DROP TRIGGER commentsUnsaid;
            DROP TRIGGER commentsCome;
            DROP TRIGGER commentsTurn;
            DROP TRIGGER commentsGo;
            DROP TRIGGER commentsRemoved;
            DELETE FROM notices WHERE kind = 'comment';
            DROP INDEX noticesByComment;
            ALTER TABLE notices DROP COLUMN comment;
            DROP TABLE comments;
            ALTER TABLE itemTallies DROP COLUMN comments;
            DELETE FROM grdb_migrations WHERE identifier IN ('comments-001', 'comments-002');
            """)
        let later = try HubHousehold(sharing: world.house).library
        let found = try await later.moderationCase(id, for: world.mia)
        #expect(found.isClaim && found.reports.map(\.text) == ["Mine"] && found.item?.isFrozen == true)
        let broken = try await later.reading { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").count }
        #expect(broken == 0)
        _ = try await later.comment(
            CommentDraft(board: "lost-and-found", item: item, author: world.bob, key: "1", text: "Still here"))
        guard case .item(let after) = try await later.seen(by: .visitor).item(item, board: "lost-and-found") else {
            Issue.record("the item is gone")
            return
        }
        #expect(after.comments == 1 && after.saves == 1)
    }
}
