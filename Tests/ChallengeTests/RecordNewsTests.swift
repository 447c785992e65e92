import ChirpAccounts
import ChirpCommunity
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Who is told of broken records and of events, once for each cause (OU-6, OU-12).
@Suite struct RecordNewsTests {
    private static func event(_ cast: ChallengeCast, _ from: Double, _ to: Double, grace: Int = 0) -> RuleTerms {
        var terms = ChallengeCast.counting
        let now = cast.house.now
        terms.event = .init(begins: now.addingTimeInterval(from), ends: now.addingTimeInterval(to), grace: grace)
        return terms
    }

    private func notices(_ cast: ChallengeCast, _ account: AccountID) async throws -> [Notice.Kind] {
        try await cast.library.seen(by: .member(account)).notices(limit: 50).map(\.kind)
    }

    @Test func `a broken record is told once to who watches, holds or has held it`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.library.mark(id, .watch, isOn: true, by: cast.vic)
        try await cast.library.mark(id, .watch, isOn: true, by: cast.ann)
        try await cast.verified("50", at: id, by: cast.ann)
        #expect(try await cast.news.tell(at: cast.house.now) == 0)
        #expect(try await notices(cast, cast.vic).isEmpty)
        try await cast.verified("60", at: id, by: cast.bob)
        #expect(try await cast.news.tell(at: cast.house.now) == 2)
        #expect(try await cast.news.tell(at: cast.house.now) == 0)
        try await cast.verified("55", at: id, by: cast.wim)
        let last = try await cast.verified("70", at: id, by: cast.cem)
        #expect(try await cast.news.tell(at: cast.house.now) == 3)
        #expect(try await notices(cast, cast.vic) == [.record, .record])
        #expect(try await notices(cast, cast.ann) == [.record, .record, .verified])
        #expect(try await notices(cast, cast.bob) == [.record, .verified])
        #expect(try await notices(cast, cast.wim) == [.verified])
        #expect(try await notices(cast, cast.cem) == [.verified])
        let told = try await cast.library.seen(by: .member(cast.vic)).notices(limit: 1)
        #expect(told.first?.actor?.id == cast.cem && told.first?.item?.path == "/challenges/\(id)")
        // What counts no more before anybody was told is not told; nor is the same told again.
        let other = try await cast.verified("80", at: id, by: cast.ann)
        try await cast.attempts.decide(other, .reject(why: "No"), by: cast.moe)
        #expect(try await cast.news.tell(at: cast.house.now) == 0)
        #expect(try await notices(cast, cast.ann).prefix(2) == [.rejected, .verified])
        try await cast.attempts.withdraw(last, by: cast.cem)
        #expect(try await cast.news.tell(at: cast.house.now) == 0)
    }

    @Test func `many are told some at a time, and nobody twice when it stops in between`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.house.change(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 450)
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            SELECT 'fan-' || n, 'fan' || n, 'fan' || n, '', 'member', 'active', 0 FROM numbers;
            INSERT INTO itemMarks (account, kind, item, at)
            SELECT accounts.id, 'watch', items.sequence, 0 FROM accounts, items WHERE accounts.id LIKE 'fan-%';
            """)
        try await cast.verified("50", at: id, by: cast.ann)
        try await cast.verified("60", at: id, by: cast.bob)
        // Killed after the first ones, of whom the last is erased.
        #expect(try await cast.news.tell(at: cast.house.now) == 451)
        try await cast.house.change("UPDATE recordNews SET isDone = 0, told = 'fan-200'")
        _ = try await cast.library.accounts().delete(AccountID(rawValue: "fan-200"))
        #expect(try await cast.house.traces(of: ["fan-200"]).isEmpty)
        try await cast.news.tell(at: cast.house.now)
        let (all, people) = try await cast.library.reading { database in
            (
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM notices WHERE kind = 'record'"),
                try Int.fetchOne(database, sql: "SELECT COUNT(DISTINCT account) FROM notices WHERE kind = 'record'")
            )
        }
        #expect(all == 450 && people == 450)
    }

    @Test func `that an event begins is told once to who watches it`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge(Self.event(cast, 600, 7200))
        let old = try await cast.challenge(Self.event(cast, -90_000, 7200))
        for challenge in [id, old] { try await cast.library.mark(challenge, .watch, isOn: true, by: cast.vic) }
        try await cast.library.choose([.event: NoticeChoice(onPage: false, byMail: false)], of: cast.wim)
        try await cast.library.mark(id, .watch, isOn: true, by: cast.wim)
        #expect(try await cast.news.tell(at: cast.house.now) == 0)
        cast.house.wait(600)
        for _ in 0..<3 { try await cast.news.tell(at: cast.house.now) }
        #expect(try await notices(cast, cast.vic) == [.event])
        #expect(try await notices(cast, cast.wim).isEmpty)
    }
}
