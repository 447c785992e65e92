import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Decisions: who may, what they do, and that they stay (LF-16).
@Suite struct DecisionTests {
    /// A post of Ann's that Bob has reported.
    private func reported(_ world: CaseWorld) async throws -> (post: Int64, id: String) {
        let post = try await world.post(by: world.ann)
        return (post, try await world.report(post, by: world.bob).caseID)
    }

    @Test(arguments: [
        (Verdict(.show, why: "fine"), true, HubAccount.State.active),
        (Verdict(.hide, why: "not fine"), false, .active),
        (Verdict(.notice, hidesPost: false, why: "mind your words"), true, .active),
        (Verdict(.warning, why: "once more"), false, .active),
        (Verdict(.limit, days: 7, why: "false reports"), false, .active),
        (Verdict(.closing, why: "enough"), false, .closed),
        (Verdict(.ban, why: "enough"), false, .closed),
    ])
    func `a decision does what it says, and its row and notice come with it`(
        verdict: Verdict, isSeen: Bool, state: HubAccount.State
    ) async throws {
        let world = try await CaseWorld()
        let (post, id) = try await reported(world)
        let session = try await world.accounts.signIn(
            name: "ann", password: CaseWorld.password, agent: "a browser")
        let number = try await world.library.decide(id, verdict, by: world.mia, from: .open)
        #expect(try await world.isSeen(post) == isSeen)
        #expect(try await world.state(of: world.ann) == state)
        #expect((try await world.accounts.account(of: session.token) == nil) == (state == .closed))
        let row = try #require(try await world.library.log(for: world.max, limit: 1).first)
        #expect(row.id == number && row.caseID == id && row.what == verdict.step.rawValue && row.why == verdict.why)
        #expect(row.moderator?.id == world.mia && row.account?.id == world.ann)
        let found = try await world.library.moderationCase(id, for: world.max)
        #expect(found.state == .decided && found.isUpheld == (verdict.step != .show))
        // One for the report, one for the decision.
        #expect(try await world.library.seen(by: .member(world.ann)).notices(limit: 10).count == 2)
        let own = try #require(try await world.library.standing(of: world.ann).first)
        #expect(own.decisions.map(\.why) == [verdict.why])
        #expect(own.decisions.allSatisfy { $0.moderator == nil } && own.reports.allSatisfy { $0.reporter == nil })
    }

    @Test func `a suspension ends by itself, and nobody who is suspended reports`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        try await world.library.decide(id, Verdict(.suspension, days: 2, why: "a pause"), by: world.mia, from: .open)
        guard case .suspended(_?) = try await world.state(of: world.ann) else {
            Issue.record("not suspended")
            return
        }
        let other = try await world.post(by: world.bob)
        let refusal = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.post(other), by: world.ann, for: .spam, text: "")
        }
        #expect(refusal == .notActive)
        world.house.wait(2 * 24 * 3600)
        #expect(try await world.state(of: world.ann) == .active)
        try await world.library.report(.post(other), by: world.ann, for: .spam, text: "")
        try await world.library.settleCases()
        #expect(try await world.state(of: world.ann) == .active)
    }

    @Test func `who has lost the right to report does not, until it is over`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        try await world.library.decide(id, Verdict(.limit, days: 3, why: "no more"), by: world.mia, from: .open)
        let other = try await world.post(by: world.bob)
        let refusal = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.post(other), by: world.ann, for: .spam, text: "")
        }
        #expect(refusal == .rightLost)
        world.house.wait(3 * 24 * 3600)
        try await world.library.report(.post(other), by: world.ann, for: .spam, text: "")
    }

    @Test func `nobody decides who may not`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        let fine = Verdict(.show, why: "fine")
        for (who, why) in [(world.bob, CaseError.notAllowed), (world.ann, .notAllowed), (world.dora, .notAllowed)] {
            let refusal = await world.refusal { () async throws(CaseError) in
                try await world.library.decide(id, fine, by: who, from: .open)
            }
            #expect(refusal == why)
        }
        // Not one's own, and not what one has reported.
        let own = try await world.report(try await world.post(by: world.mia), by: world.bob).caseID
        let involved = try await world.report(try await world.post(by: world.carl), by: world.mia).caseID
        for id in [own, involved] {
            let refusal = await world.refusal { () async throws(CaseError) in
                try await world.library.decide(id, fine, by: world.mia, from: .open)
            }
            #expect(refusal == .involved)
        }
        // A moderator's account is the owner's business, and the owner's nobody's.
        let heavy = Verdict(.suspension, days: 1, why: "a pause")
        let refusal = await world.refusal { () async throws(CaseError) in
            try await world.library.decide(own, heavy, by: world.max, from: .open)
        }
        #expect(refusal == .notAllowed)
        try await world.library.decide(own, heavy, by: world.owner, from: .open)
        let owners = try await world.report(try await world.post(by: world.owner), by: world.bob).caseID
        let refused = await world.refusal { () async throws(CaseError) in
            try await world.library.decide(owners, heavy, by: world.max, from: .open)
        }
        #expect(refused == .notAllowed)
    }

    @Test(arguments: [
        Verdict(.show, why: ""), Verdict(.show, why: " \u{202E}\n"), Verdict(.suspension, why: "x"),
        Verdict(.suspension, days: 0, why: "x"), Verdict(.suspension, days: 31, why: "x"),
        Verdict(.limit, days: -1, why: "x"), Verdict(.limit, days: .max, why: "x"), Verdict(.uphold, why: "x"),
        Verdict(.hide, why: String(repeating: "a", count: 1001)),
        // Few characters, and 4025 bytes.
        Verdict(
            .hide,
            why: String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 161)),
    ])
    func `a decision that cannot be is refused, and nothing happens`(verdict: Verdict) async throws {
        let world = try await CaseWorld()
        let (post, id) = try await reported(world)
        let refusal = await world.refusal { () async throws(CaseError) in
            try await world.library.decide(id, verdict, by: world.mia, from: .open)
        }
        guard case .refused = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(try await world.library.moderationCase(id, for: world.mia).state == .open)
        #expect(try await world.isSeen(post))
    }

    @Test func `of two moderators who decide at once one does, and the other is told`() async throws {
        let world = try await CaseWorld()
        for round in 0..<20 {
            let post = try await world.post(by: world.ann, "round \(round)")
            let id = try await world.report(post, by: world.bob).caseID
            let library = world.library
            let outcomes = await withTaskGroup(of: CaseError?.self) { group in
                for (moderator, step) in [(world.mia, Verdict.Step.show), (world.max, .hide)] {
                    group.addTask {
                        do throws(CaseError) {
                            try await library.decide(id, Verdict(step, why: "so"), by: moderator, from: .open)
                            return nil
                        } catch { return error }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.contains(.changedMeanwhile))
            let found = try await world.library.moderationCase(id, for: world.mia)
            #expect(found.decisions.count == 1)
            let isHidden = found.decisions.first?.what == "hide"
            #expect(try await world.isSeen(post) == !isHidden)
        }
    }

    @Test func `an appeal comes once, goes to another moderator, and may take everything back`() async throws {
        let world = try await CaseWorld()
        let (post, id) = try await reported(world)
        try await world.library.decide(id, Verdict(.ban, why: "enough"), by: world.mia, from: .open)
        let stranger = await world.refusal { () async throws(CaseError) in
            try await world.library.appeal(id, by: world.bob, text: "please")
        }
        #expect(stranger == .notFound)
        try await world.library.appeal(id, by: world.ann, text: "It was not me")
        let twice = await world.refusal { () async throws(CaseError) in
            try await world.library.appeal(id, by: world.ann, text: "It was not me")
        }
        #expect(twice == .changedMeanwhile)
        let same = await world.refusal { () async throws(CaseError) in
            try await world.library.decide(id, Verdict(.uphold, why: "no"), by: world.mia, from: .appealed)
        }
        #expect(same == .involved)
        try await world.library.decide(id, Verdict(.show, why: "We were wrong"), by: world.max, from: .appealed)
        #expect(try await world.state(of: world.ann) == .active)
        #expect(try await world.isSeen(post))
        let found = try await world.library.moderationCase(id, for: world.mia)
        #expect(found.state == .closed && found.isUpheld == false && found.decisions.map(\.what) == ["ban", "show"])
        let third = await world.refusal { () async throws(CaseError) in
            try await world.library.appeal(id, by: world.ann, text: "once more")
        }
        #expect(third == .changedMeanwhile)
    }

    @Test func `where there is nobody else the same moderator looks at an appeal`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        try await world.library.decide(id, Verdict(.warning, why: "so"), by: world.mia, from: .open)
        try await world.library.appeal(id, by: world.ann, text: "please")
        try await world.library.setRole(of: world.max, to: .member, by: world.owner)
        // The owner could: so she does.
        let refusal = await world.refusal { () async throws(CaseError) in
            try await world.library.decide(id, Verdict(.uphold, why: "no"), by: world.mia, from: .appealed)
        }
        #expect(refusal == .involved)
        try await world.library.decide(id, Verdict(.uphold, why: "no"), by: world.owner, from: .appealed)
        // Nobody but the owner is left.
        try await world.library.setRole(of: world.mia, to: .member, by: world.owner)
        let other = try await world.report(try await world.post(by: world.ann), by: world.carl).caseID
        try await world.library.decide(other, Verdict(.warning, why: "so"), by: world.owner, from: .open)
        try await world.library.appeal(other, by: world.ann, text: "please")
        try await world.library.decide(other, Verdict(.uphold, why: "no"), by: world.owner, from: .appealed)
    }

    @Test func `a decision is neither changed nor removed, whoever writes into the database`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        try await world.library.decide(id, Verdict(.warning, why: "so"), by: world.mia, from: .open)
        for statement in [
            "UPDATE decisions SET why = 'other'", "UPDATE decisions SET \\\"by\\\" = NULL", "DELETE FROM decisions",
            "INSERT OR REPLACE INTO decisions (sequence, what, why, at) VALUES (1, 'show', 'x', 0)",
        ] {
            let script = """
                import sqlite3,sys
                c=sqlite3.connect(sys.argv[1])
                try:
                    c.execute("\(statement)"); c.commit()
                except sqlite3.IntegrityError as e:
                    sys.exit(7)
                """
            let end = try ExternalProgram("python3").run(["-c", script, world.house.folder.path("hub/hub.sqlite")])
            #expect(end.status == 7, "\(statement)")
        }
        // The names of those who are gone go, and nothing else does.
        _ = try await world.accounts.delete(world.ann)
        let row = try #require(try await world.library.log(for: world.max, limit: 1).first)
        #expect(row.account == nil && row.why == "so" && row.moderator?.id == world.mia)
    }

    @Test func `an author answers once, and what was closed is nobody's to answer`() async throws {
        let world = try await CaseWorld()
        let (_, id) = try await reported(world)
        try await world.library.answer(id, by: world.ann, text: "It is a joke")
        let again = await world.refusal { () async throws(CaseError) in
            try await world.library.answer(id, by: world.ann, text: "A good one")
        }
        #expect(again == .changedMeanwhile)
        #expect(try await world.library.moderationCase(id, for: world.mia).answer == "It is a joke")
    }
}
