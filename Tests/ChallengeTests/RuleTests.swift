import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// Rules, and what becomes of them once somebody has tried (OU-4, OU-16).
@Suite struct RuleTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func faults(_ change: (inout RuleTerms) -> Void) -> [ChallengeField: ChallengeFault] {
        var terms = RuleTemplate.longest.terms
        change(&terms)
        return terms.faults(at: Self.now)
    }

    @Test func `every template is without fault, and reads a score of its own`() throws {
        for template in RuleTemplate.allCases {
            #expect(template.terms.faults(at: Self.now).isEmpty, "\(template)")
            #expect(try template.terms.score(typed: template.terms.text(template.terms.high)) == template.terms.high)
        }
        #expect(RuleTemplate.fastest.terms.better == .less && RuleTemplate.loudest.terms.needs == [.sound])
    }

    @Test func `each field has one fault`() {
        #expect(faults { $0.unit = .kilograms } == [.unit: .unknown])
        #expect(faults { $0.decimals = 4 } == [.decimals: .outside(0, 3)])
        #expect(faults { $0.decimals = -1 } == [.decimals: .outside(0, 3)])
        #expect(faults { $0.low = -1 } == [.low: .belowZero])
        #expect(faults { $0.high = $0.low } == [.high: .backwards])
        #expect(faults { $0.high = .max } == [.high: .outside(0, RuleTerms.farthest)])
        #expect(faults { $0.low = .min } == [.low: .belowZero])
        #expect(faults { $0.step = 0 } == [.step: .outside(1, RuleTerms.farthest)])
        #expect(faults { $0.step = .max } == [.step: .outside(1, RuleTerms.farthest)])
        // Between 1 and 100 only 100 is a multiple of 100.
        #expect(faults { ($0.low, $0.high, $0.step) = (1, 100, 100) } == [.step: .outside(1, 99)])
        #expect(faults { ($0.low, $0.high, $0.step) = (0, 100, 100) }.isEmpty)
        #expect(faults { $0.invalid = String(repeating: "a", count: 2001) } == [.invalid: .tooLong(most: 2000)])
        #expect(
            faults {
                $0.unit = .grams
                $0.decimals = 9
                $0.low = -5
                $0.high = -7
                $0.step = -1
            }.count == 5)
        var level = RuleTemplate.loudest.terms
        (level.low, level.high) = (-1200, -1)
        #expect(level.faults(at: Self.now).isEmpty)
        (level.low, level.high, level.step) = (-105, 95, 100)
        #expect(level.faults(at: Self.now).isEmpty)
        (level.low, level.high, level.step) = (-95, 95, 100)
        #expect(level.faults(at: Self.now) == [.step: .outside(1, 190)])
    }

    @Test func `an event ends after it begins, and not in the past`() {
        func event(_ from: Double, _ to: Double, _ grace: Int = 0) -> [ChallengeField: ChallengeFault] {
            faults {
                $0.event = .init(
                    begins: Self.now.addingTimeInterval(from), ends: Self.now.addingTimeInterval(to), grace: grace)
            }
        }
        #expect(event(0, 3600).isEmpty && event(-3600, 60, 600).isEmpty)
        #expect(event(3600, 0) == [.ends: .backwards] && event(60, 60) == [.ends: .backwards])
        #expect(event(-3600, -60) == [.ends: .past] && event(-3600, 0) == [.ends: .past])
        #expect(event(0, 59) == [.ends: .tooShort(least: 60)])
        #expect(event(0, 367 * 86_400) == [.ends: .tooLongTime(most: 366 * 86_400)])
        #expect(event(1e12, 1e12 + 3600)[.begins] == .tooLongTime(most: 3660 * 86_400))
        #expect(event(-1e18, 1e18)[.ends] == .tooLongTime(most: 366 * 86_400))
        #expect(event(0, 3600, -1) == [.grace: .outside(0, 604_800)])
        #expect(event(0, 3600, 604_801) == [.grace: .outside(0, 604_800)])
    }

    @Test func `a challenge is an item with a rule, once for its key, and found by what is measured`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenges.create(
            ChallengeDraft(category: .skill, title: " Most\n claps "), ChallengeCast.counting, by: cast.sue, key: "k")
        let again = try await cast.challenges.create(
            ChallengeDraft(category: .skill, title: "Other"), RuleTemplate.longest.terms, by: cast.sue, key: "k")
        #expect(again == id)
        guard case .challenge(let challenge)? = try await cast.challenges.challenge(id, for: .visitor) else {
            Issue.record("not seen")
            return
        }
        #expect(challenge.item.title == "Most claps" && challenge.item.board == "challenges")
        #expect(challenge.item.kind == "challenge" && challenge.category == .skill)
        #expect(challenge.rule.version == 1 && challenge.rule.terms == ChallengeCast.counting)
        #expect(try await cast.challenges.rules(of: id, for: .visitor).count == 1)
        let page = try await cast.challenges.challenges(ItemQuery(board: Records.board), for: .visitor)
        #expect(page.found == [challenge])
        var query = ItemQuery(board: Records.board)
        query.tokens = ["zrcount"]
        #expect(try await cast.challenges.challenges(query, for: .visitor).found == [challenge])
        // With another rule it is found by that.
        try await cast.challenges.change(id, version: 1, to: RuleTemplate.longest.terms, by: cast.sue)
        #expect(try await cast.challenges.challenges(query, for: .visitor).found.isEmpty)
        query.tokens = ["zrlength"]
        #expect(try await cast.challenges.challenges(query, for: .visitor).found.map(\.id) == [id])
        query.words = "claps"
        #expect(try await cast.challenges.challenges(query, for: .visitor).found.map(\.id) == [id])
    }

    @Test func `a key that somebody has used on another board is another one`() async throws {
        let cast = try await ChallengeCast()
        let other = try await cast.library.createItem(
            ItemDraft(board: "attic", kind: "thing", author: cast.sue, key: "k", title: "A thing", category: "other"))
        let id = try await cast.challenges.create(
            ChallengeDraft(category: .skill, title: "Claps"), ChallengeCast.counting, by: cast.sue, key: "k")
        #expect(id != other)
        #expect(try await cast.challenges.challenges([id, other], for: .visitor).map(\.id) == [id])
    }

    @Test func `faults of words and of the rule are told together`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        (terms.place, terms.decimals) = (.here, 2)
        await expectRefusal(.fields([.title: .missing, .decimals: .outside(0, 0), .place: .missing])) {
            try await cast.challenge(terms, title: " \u{202E} ")
        }
        await expectRefusal(.fields([.decimals: .outside(0, 0), .place: .notExact])) {
            try await cast.challenge(terms) { $0.point = ChallengeCast.bonn }
        }
    }

    @Test func `its setter changes a rule before the first attempt, as a new version, and not after it`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        // Nothing of it changes while a case about it is decided.
        try await cast.house.change("UPDATE items SET frozen = 1")
        await expectRefusal(.item(.frozen)) {
            try await cast.challenges.change(id, version: 1, to: RuleTemplate.longest.terms, by: cast.sue)
        }
        try await cast.house.change("UPDATE items SET frozen = 0")
        #expect(try await cast.challenges.change(id, version: 1, to: RuleTemplate.longest.terms, by: cast.sue) == 2)
        await expectRefusal(.changed(version: 2)) {
            try await cast.challenges.change(id, version: 1, to: ChallengeCast.counting, by: cast.sue)
        }
        await expectRefusal(.notAllowed) {
            try await cast.challenges.change(id, version: 2, to: ChallengeCast.counting, by: cast.ann)
        }
        try await cast.challenges.change(id, version: 2, to: ChallengeCast.counting, by: cast.sue)
        let attempt = try await cast.attempt("50", at: id, by: cast.ann, version: 3)
        // Also when it was taken back: who has seen it would take another rule for the same.
        try await cast.attempts.withdraw(attempt, by: cast.ann)
        await expectRefusal(.attempted) {
            try await cast.challenges.change(id, version: 3, to: RuleTemplate.longest.terms, by: cast.sue)
        }
        let rules = try await cast.challenges.rules(of: id, for: .visitor)
        #expect(rules.map(\.version) == [3, 2, 1] && rules.map(\.attempts) == [1, 0, 0])
    }

    @Test func `a moderator's new version has records of its own, and the old ones stay`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.verified("50", at: id, by: cast.ann)
        let waiting = try await cast.attempt("60", at: id, by: cast.bob)
        let first = try await cast.rule(id)
        var terms = ChallengeCast.counting
        terms.high = 55
        try await cast.challenges.change(id, version: 1, to: terms, by: cast.mod)
        let refusal = try await cast.refusal { try await cast.attempt("60", at: id, by: cast.cem, version: 1) }
        #expect(refusal == .changed(version: 2))
        // What was tried by the first is judged by the first.
        try await cast.attempts.decide(waiting, .verify, by: cast.mod)
        #expect(try await cast.holds.history(of: first.id, in: .world, for: .visitor).map(\.score) == [50, 60])
        #expect(try await cast.world(id) == [])
        try await cast.attempt("55", at: id, by: cast.cem, version: 2)
        #expect(try await cast.attempts.attempts(.challenge(id), for: .visitor, limit: 9).map(\.score) == [55, 60, 50])
    }

    @Test func `a moderator merges what is the same, and parts it again, and its history stays`() async throws {
        let cast = try await ChallengeCast()
        let (one, two) = (try await cast.challenge(), try await cast.challenge(title: "Claps, again"))
        try await cast.verified("50", at: two, by: cast.ann)
        let waiting = try await cast.attempt("60", at: two, by: cast.bob)
        await expectRefusal(.notAllowed) { try await cast.challenges.merge(two, into: one, by: cast.sue) }
        await expectRefusal(.item(.state(.open))) { try await cast.challenges.merge(two, into: two, by: cast.mod) }
        try await cast.challenges.merge(two, into: one, by: cast.mod)
        await expectRefusal(.item(.state(.settled))) { try await cast.challenges.merge(one, into: two, by: cast.mod) }
        #expect(try await cast.challenges.target(of: two, for: .visitor) == one)
        #expect(try await cast.challenges.target(of: one, for: .visitor) == nil)
        #expect(
            try await cast.refusal { try await cast.attempt("70", at: two, by: cast.cem) } == .ended(.settled))
        #expect(try await cast.challenges.feed(.new, limit: 9, for: .visitor).found.map(\.id) == [one])
        // What was tried before is decided.
        try await cast.attempts.decide(waiting, .verify, by: cast.mod)
        #expect(try await cast.world(two) == ["ann 50", "bob 60"])
        await expectRefusal(.notAllowed) { try await cast.challenges.part(two, by: cast.ann) }
        await expectRefusal(.item(.notFound)) { try await cast.challenges.part(one, by: cast.moe) }
        try await cast.challenges.part(two, by: cast.moe)
        #expect(try await cast.challenges.target(of: two, for: .visitor) == nil)
        try await cast.attempt("70", at: two, by: cast.cem)
    }

    @Test func `no rule is ever rewritten, by whatever statement`() async throws {
        let cast = try await ChallengeCast()
        try await cast.challenge()
        for change in ["high = 9", "better = 'less'", "setter = 'id-ann'", "version = 7"] {
            await #expect(throws: DatabaseError.self) { try await cast.house.change("UPDATE rules SET \(change)") }
        }
    }

    @Test func `a place that attempts have to be done at stays once somebody has tried`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.place = .here
        let id = try await cast.challenge(terms) {
            ($0.point, $0.precision, $0.placeName) = (ChallengeCast.bonn, .exact, "Bonn")
        }
        var draft = ChallengeDraft(category: .games, title: "Claps at the gate")
        (draft.point, draft.precision) = (ChallengeCast.cologne, .exact)
        try await cast.challenges.edit(id, version: nil, to: draft, by: cast.sue)
        try await cast.attempt("50", at: id, by: cast.ann)
        draft.title = "Claps at the cathedral"
        try await cast.challenges.edit(id, version: nil, to: draft, by: cast.sue)
        draft.point = ChallengeCast.bonn
        let moved = draft
        await expectRefusal(.fields([.place: .attempted])) {
            try await cast.challenges.edit(id, version: nil, to: moved, by: cast.sue)
        }
        await expectRefusal(.item(.notFound)) {
            try await cast.challenges.edit(id, version: nil, to: moved, by: cast.ann)
        }
    }

    @Test func `a challenge is taken back only while nobody else has tried it`() async throws {
        let cast = try await ChallengeCast()
        let (one, two) = (try await cast.challenge(), try await cast.challenge())
        try await cast.attempt("50", at: one, by: cast.sue)
        try await cast.challenges.withdraw(one, reason: "A mistake", by: cast.sue)
        guard case .gone(.withdrawn, _)? = try await cast.challenges.challenge(one, for: .visitor) else {
            Issue.record("still there")
            return
        }
        try await cast.attempt("50", at: two, by: cast.ann)
        await expectRefusal(.attempted) { try await cast.challenges.withdraw(two, reason: "No", by: cast.sue) }
    }
}
