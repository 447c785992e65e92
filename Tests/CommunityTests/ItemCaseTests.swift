import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Cases about what boards list: many people, many items, two sides, and what stays.
@Suite(.tags(.computing)) struct ItemCaseTests {
    @Test func `fifty people who report one item make one case, and its author is told once`() async throws {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        var ids: Set<String> = []
        for number in 0..<50 {
            let reporter = try await world.house.person("r\(number)")
            ids.insert(try await world.library.report(.item(item), by: reporter, for: .spam, text: "Look").caseID)
        }
        let cases = try await world.cases(about: item)
        #expect(ids.count == 1 && cases.count == 1 && cases.first?.reports.count == 50)
        #expect(try await world.library.seen(by: .member(world.ann)).notices(limit: 100).count == 1)
    }

    @Test func `of one person's reports of fifty items one in five minutes gets through, the others are told when`()
        async throws
    {
        let world = try await CaseWorld()
        var answers: [CaseError?] = []
        for number in 0..<50 {
            let item = try await world.item(by: world.ann, "Item \(number)")
            answers.append(
                await world.refusal { () async throws(CaseError) in
                    try await world.library.report(.item(item), by: world.bob, for: .spam, text: "Look")
                })
            world.house.wait(30)
        }
        // 50 times 30 s are 25 minutes: five reports.
        #expect(answers.filter { $0 == nil }.count == 5)
        for (number, answer) in answers.enumerated() where number % 10 != 0 {
            #expect(answer == .tooOften(seconds: 300 - number % 10 * 30), "\(number)")
        }
    }

    @Test func `a case about whose an item is has two sides, and neither learns the other's words`() async throws {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        try await world.house.change(
            """
            INSERT INTO itemPlaces (item, lat, lon, precision, shownLat, shownLon, name, wide, middle, fine)
            SELECT sequence, 50.7374, 7.0982, 'town', 50.7, 7.1, 'Bonn', 1, 1, 1 FROM items WHERE id = '\(item)'
            """)
        let picture = try await world.picture(of: world.bob)
        let receipt = try await world.library.report(
            .item(item), by: world.bob, for: .ownership, text: "Its number is 4711", picture: picture)
        #expect(receipt.freezes && !receipt.hides)
        let found = try await world.library.moderationCase(receipt.caseID, for: world.mia)
        #expect(found.isClaim && found.account.id == world.ann && found.reports.first?.reporter?.id == world.bob)
        #expect(found.reports.first?.text == "Its number is 4711" && found.reports.first?.picture == picture)
        // A moderator within the case sees where it is.
        #expect(found.item?.place?.exact.latitude == 50.7374)
        #expect(try await world.library.item(item, for: world.mia).0.place == nil)
        #expect(found.item?.title == "A red bicycle" && found.item?.path == "/lost-and-found/\(item)")
        try await world.library.answer(receipt.caseID, by: world.ann, text: "I found it at the station")
        for side in [world.ann, world.bob] {
            let own = try #require(try await world.library.standing(of: side).first)
            #expect(
                own.isClaim && own.reports.allSatisfy { $0.text.isEmpty && $0.reporter == nil && $0.picture == nil })
            #expect(own.answer.isEmpty == (side == world.bob) && own.item?.place == nil)
        }
        #expect(try await world.library.standing(of: world.carl).isEmpty)
        // The other side neither answers nor appeals; both are told what was decided.
        let answer = await world.refusal { () async throws(CaseError) in
            try await world.library.appeal(receipt.caseID, by: world.bob, text: "Please")
        }
        #expect(answer == .notFound)
        try await world.library.decide(receipt.caseID, Verdict(.hide, why: "It is his"), by: world.mia, from: .open)
        #expect(try await world.library.seen(by: .member(world.bob)).notices(limit: 10).map(\.kind) == [.moderation])
        let claimants = try #require(try await world.library.standing(of: world.bob).first)
        // What is hidden by now is no longer shown to the one who reported it.
        #expect(claimants.decisions.map(\.why) == ["It is his"] && claimants.item == nil)
    }

    @Test func `only items are in dispute, frozen or restored`() async throws {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        for subject in [CaseSubject.post(post), .account(world.ann)] {
            let refusal = await world.refusal { () async throws(CaseError) in
                try await world.library.report(subject, by: world.bob, for: .ownership, text: "Mine")
            }
            #expect(refusal == .refused(field: "reason", .noReason))
        }
        let id = try await world.report(post, by: world.bob).caseID
        for step in [Verdict.Step.freeze, .restore] {
            let refusal = await world.refusal { () async throws(CaseError) in
                try await world.library.decide(id, Verdict(step, why: "so"), by: world.mia, from: .open)
            }
            #expect(refusal == .refused(field: "what", .onlyItems))
        }
    }

    @Test func `decisions about items cannot be changed or removed`() async throws {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        let id = try await world.library.report(.item(item), by: world.bob, for: .spam, text: "Look").caseID
        let number = try await world.library.decide(id, Verdict(.warning, why: "no"), by: world.mia, from: .open)
        for sql in [
            "UPDATE decisions SET why = 'yes' WHERE sequence = \(number)",
            "UPDATE decisions SET what = 'show' WHERE sequence = \(number)",
            "UPDATE decisions SET \"by\" = '\(world.max)' WHERE sequence = \(number)",
            "DELETE FROM decisions WHERE sequence = \(number)",
            "INSERT OR REPLACE INTO decisions (sequence, what, why, at) VALUES (\(number), 'show', 'yes', 1)",
        ] {
            await #expect(throws: (any Error).self) { try await world.house.change(sql) }
        }
        let row = try #require(try await world.library.log(for: world.max, limit: 1).first)
        #expect(row.what == "warning" && row.why == "no")
    }

    @Test func `a case outlives its item's reporter, and goes with its author`() async throws {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        let id = try await world.library.report(.item(item), by: world.bob, for: .ownership, text: "Mine").caseID
        _ = try await world.accounts.delete(world.bob)
        #expect(try await world.look(at: item).isFrozen)
        let found = try await world.library.moderationCase(id, for: world.mia)
        #expect(found.reports.map(\.reporter) == [nil])
        try await world.library.decide(id, Verdict(.show, why: "so it is"), by: world.mia, from: .open)
        #expect(try await !world.look(at: item).isFrozen)
        _ = try await world.accounts.delete(world.ann)
        let gone = await world.refusal { () async throws(CaseError) in
            _ = try await world.library.moderationCase(id, for: world.mia)
        }
        #expect(gone == .notFound)
    }
}

/// Notices about what boards list.
@Suite(.tags(.computing)) struct ItemNoticeTests {
    private func tell(
        _ kind: Notice.Kind, about item: HubID, to account: AccountID, by actor: AccountID? = nil, in world: CaseWorld
    ) async throws {
        try await world.library.transact { database in
            try Notice.add(
                Notice.Draft(account: account, kind: kind, actor: actor, item: item),
                at: Int64(world.house.now.timeIntervalSince1970 * 1000), in: database)
        }
    }

    @Test func `a notice leads to its item, once for its cause, and is gone with what it is about`() async throws {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        for _ in 0..<2 { try await tell(.match, about: item, to: world.bob, in: world) }
        try await tell(.claim, about: item, to: world.ann, by: world.bob, in: world)
        let bobs = world.library.seen(by: .member(world.bob))
        let told = try #require(try await bobs.notices(limit: 10).first)
        #expect(try await bobs.notices(limit: 10).count == 1)
        #expect(told.kind == .match && told.actor == nil && told.item?.id == item)
        #expect(told.item?.title == "A red bicycle" && told.item?.path == "/lost-and-found/\(item)")
        // What the reader may not see any more is left out, and back when it is.
        try await world.library.report(.item(item), by: world.carl, for: .spam, text: "Look")
        #expect(try await bobs.notices(limit: 10).isEmpty)
        #expect(try await world.library.seen(by: .member(world.ann)).notices(limit: 10).count == 2)
        world.house.wait(24 * 3600)
        try await world.library.settleCases()
        #expect(try await bobs.notices(limit: 10).count == 1)
        try await world.library.block(world.bob, by: world.ann)
        #expect(try await bobs.notices(limit: 10).isEmpty)
        try await world.house.change("DELETE FROM items WHERE id = '\(item)'")
        #expect(try await world.library.seen(by: .member(world.ann)).notices(limit: 10).isEmpty)
    }

    @Test func `what one would miss comes by mail, without an actor too, and never of what one does not see`()
        async throws
    {
        let world = try await CaseWorld()
        let item = try await world.item(by: world.ann)
        try await tell(.ending, about: item, to: world.ann, in: world)
        try await tell(.match, about: item, to: world.bob, in: world)
        try await tell(.alert, about: item, to: world.carl, in: world)
        var letters = try await world.accounts.waitingLetters().filter { $0.letter.kind == "noticed" }
        #expect(letters.map(\.letter.recipient.text) == ["ann@example.org"])
        guard case .noticed(_, "ending", "", "/lost-and-found/\(item)") = letters.first?.letter else {
            Issue.record("\(letters)")
            return
        }
        try await world.library.choose(
            [.alert: NoticeChoice(onPage: true, byMail: true)], of: world.dora)
        try await world.library.report(.item(item), by: world.carl, for: .spam, text: "Look")
        try await tell(.alert, about: item, to: world.dora, in: world)
        letters = try await world.accounts.waitingLetters().filter { $0.letter.kind == "noticed" }
        #expect(letters.count == 1)
    }
}
