import ChirpAccounts
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// Reports: who may, how often, and what they hide (LF-6).
@Suite struct ReportTests {
    typealias Reporter = ReportRules.Reporter
    private static let day = 24 * 3600.0

    @Test(arguments: [
        // Nobody counts who has just come, or was wrong three times running.
        ([Reporter(age: 0)], true, false),
        ([Reporter(age: 0), Reporter(age: 0), Reporter(age: 0)], true, false),
        ([Reporter(age: 2 * day)], true, false),
        ([Reporter(age: 2 * day), Reporter(age: 0)], true, false),
        ([Reporter(age: 2 * day), Reporter(age: 2 * day)], true, true),
        ([Reporter(age: 2 * day), Reporter(age: 2 * day)], false, false),
        ([Reporter(age: 2 * day, verdicts: [true])], true, true),
        ([Reporter(age: 2 * day, verdicts: [true])], false, false),
        ([Reporter(age: 2 * day, verdicts: [false, true])], true, false),
        ([Reporter(age: 2 * day, verdicts: [true, false, false])], true, true),
        ([Reporter(age: 2 * day, verdicts: [false, false, false]), Reporter(age: 2 * day)], true, false),
        ([Reporter(age: 2 * day, verdicts: [false, false]), Reporter(age: 2 * day)], true, true),
        ([Reporter(age: 2 * day, verdicts: [false, false, true]), Reporter(age: 2 * day)], true, true),
        ([Reporter(age: 0, isModerator: true)], true, true),
        ([], true, false),
    ])
    func `which reports hide what they are about`(reporters: [Reporter], isNews: Bool, hides: Bool) {
        #expect(ReportRules().hide(reporters, isNews: isNews) == hides)
    }

    @Test(
        arguments: [
            ([], nil), ([0], 300), ([-299_999], 1), ([-300_000], nil), ([60_000], nil),
            ((1...20).map { -Int64($0) * 600_000 }, 24 * 3600 - 12_000), ((1...19).map { -Int64($0) * 600_000 }, nil),
        ] as [([Int64], Int?)])
    func `how long somebody waits to report again`(before: [Int64], seconds: Int?) {
        let now: Int64 = 1_800_000_000_000
        #expect(ReportRules().wait(after: before.map { now + $0 }, at: now) == seconds)
    }

    @Test func `fifty people who report one post make one case, and a post that several report is hidden`() async throws
    {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        let first = try await world.report(post, by: world.bob)
        #expect(!first.hides)
        #expect(try await world.isSeen(post))
        let second = try await world.report(post, by: world.carl)
        #expect(second.caseID == first.caseID && second.hides)
        #expect(try await !world.isSeen(post))
        let third = try await world.report(post, by: world.dora)
        #expect(third.caseID == first.caseID && !third.hides)
        let cases = try await world.library.cases(waiting: true, for: world.mia)
        #expect(cases.count == 1 && cases.first?.reports.count == 3 && cases.first?.hides == true)
        // Its author still sees it, and was told once.
        let own = world.library.seen(by: .member(world.ann))
        #expect(try await own.post(post)?.isWithheld == true)
        #expect(try await own.notices(limit: 10).map(\.kind) == [.moderation])
    }

    @Test func `what reports have hidden returns after a day, and is not hidden a second time in the same case`()
        async throws
    {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        try await world.report(post, by: world.bob)
        try await world.report(post, by: world.carl)
        world.house.wait(24 * 3600 - 1)
        try await world.library.settleCases()
        #expect(try await !world.isSeen(post))
        world.house.wait(1)
        try await world.library.settleCases()
        #expect(try await world.isSeen(post))
        let found = try #require(try await world.library.cases(waiting: true, for: world.mia).first)
        #expect(found.hasReturned && !found.hides && found.state == .open)
        #expect(try await !world.report(post, by: world.dora).hides)
        #expect(try await world.isSeen(post))
    }

    @Test func `what was judged right is not hidden again for the same reason`() async throws {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        let first = try await world.report(post, by: world.bob, for: .spam)
        try await world.library.decide(first.caseID, Verdict(.show, why: "It is fine"), by: world.mia, from: .open)
        try await world.report(post, by: world.carl, for: .spam)
        #expect(try await !world.report(post, by: world.dora, for: .spam).hides)
        let eve = try await world.person("eve")
        world.house.wait(48 * 3600)
        #expect(try await world.report(post, by: eve, for: .abuse).hides)
    }

    @Test func `one report per person and subject, none on oneself, and not too often`() async throws {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        try await world.report(post, by: world.bob)
        world.house.wait(3600)
        let again = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.post(post), by: world.bob, for: .abuse, text: "")
        }
        #expect(again == .already)
        let own = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.post(post), by: world.ann, for: .abuse, text: "")
        }
        #expect(own == .own)
        let self2 = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.account(world.ann), by: world.ann, for: .abuse, text: "")
        }
        #expect(self2 == .own)
        try await world.library.report(.account(world.ann), by: world.bob, for: .abuse, text: "")
        world.house.wait(100)
        let often = await world.refusal { () async throws(CaseError) in
            try await world.library.report(.account(world.carl), by: world.bob, for: .abuse, text: "")
        }
        #expect(often == .tooOften(seconds: 200))
        let long = await world.refusal { () async throws(CaseError) in
            let text = String(repeating: "a", count: 1001)
            try await world.library.report(.account(world.carl), by: world.dora, for: .abuse, text: text)
        }
        guard case .refused("text", _) = long else {
            Issue.record("\(String(describing: long))")
            return
        }
    }

    @Test func `what somebody cannot see cannot be reported`() async throws {
        let world = try await CaseWorld()
        var draft = PostDraft(author: world.ann, text: "for my followers", key: "1")
        draft.visibility = .followers
        let post = try await world.library.post(draft).sequence
        for subject in [CaseSubject.post(post), .post(999), .account(AccountID(rawValue: "nobody"))] {
            let refusal = await world.refusal { () async throws(CaseError) in
                try await world.library.report(subject, by: world.bob, for: .spam, text: "")
            }
            #expect(refusal == .notFound)
        }
        try await world.library.follow(world.ann, by: world.bob)
        try await world.report(post, by: world.bob)
    }

    @Test func `a report survives the account of its reporter, without its name and words`() async throws {
        let world = try await CaseWorld()
        let post = try await world.post(by: world.ann)
        let receipt = try await world.report(post, by: world.bob)
        _ = try await world.accounts.delete(world.bob)
        let found = try await world.library.moderationCase(receipt.caseID, for: world.mia)
        #expect(found.reports.map(\.reporter) == [nil] && found.reports.map(\.text) == [""])
    }
}
