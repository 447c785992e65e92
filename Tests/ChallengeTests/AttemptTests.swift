import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpRecords
import Foundation
import GRDB
import HubHousehold
import Testing

/// What is taken as an attempt, and the states that it goes through (OU-4, OU-13, OU-14, OU-15).
@Suite struct AttemptTests {
    @Test func `without media it waits at once, once for its key, and one at a rule is open`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("50", at: id, by: cast.ann, key: "k") { $0.text = " Two\nhands " }
        #expect(try await cast.attempt("60", at: id, by: cast.ann, key: "k") == attempt)
        let seen = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
        #expect(seen.state == .waiting && seen.score == 50 && seen.person?.handle == "ann" && !seen.isOwn)
        #expect(seen.received == HubDate.second(1) && seen.challenge == id && seen.version == 1)
        #expect(try await cast.refusal { try await cast.attempt("51", at: id, by: cast.ann) } == .already)
        try await cast.attempts.decide(attempt, .reject(why: "Not seen"), by: cast.mod)
        try await cast.attempt("51", at: id, by: cast.ann)
        await #expect(throws: DatabaseError.self) {
            try await cast.house.change("UPDATE attempts SET state = 'waiting', round = 1 WHERE state = 'rejected'")
        }
    }

    @Test func `media come, are looked at, and then people are asked`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge(RuleTemplate.mostInAMinute.terms)
        #expect(
            try await cast.refusal { try await cast.attempt("50", at: id, by: cast.ann) { $0.media = [.sound] } }
                == .fields([.media: .needs([.video])]))
        let attempt = try await cast.attempt("50", at: id, by: cast.ann) { $0.media = [.video, .sound] }
        #expect(try await cast.attempts.attempt(attempt, for: .visitor) == nil)
        #expect(try await cast.attempts.attempt(attempt, for: .member(cast.ann))?.received == nil)
        #expect(try await cast.refusal { try await cast.attempts.arrive(attempt, by: cast.bob) } == .notFound)
        #expect(
            try await cast.refusal { try await cast.attempts.check(attempt, findings: "{}") } == .state(.receiving))
        cast.house.wait(10)
        try await cast.attempts.arrive(attempt, by: cast.ann)
        #expect(try await cast.refusal { try await cast.attempts.arrive(attempt, by: cast.ann) } == .state(.checking))
        cast.house.wait(10)
        try await cast.attempts.check(attempt, findings: "{\"claps\":50}")
        let seen = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
        #expect(seen.state == .waiting && seen.findings == "{\"claps\":50}" && seen.media == [.video, .sound])
        // What counts is when the hub had all of it.
        #expect(seen.received == HubDate.second(12))
    }

    @Test func `media that cannot be used end an attempt with the reason, and without an appeal`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge(RuleTemplate.loudest.terms)
        let attempt = try await cast.attempt("100.5", at: id, by: cast.ann) { $0.media = [.sound] }
        try await cast.attempts.arrive(attempt, by: cast.ann)
        #expect(
            try await cast.refusal { try await cast.attempts.refuse(attempt, reason: " ") }
                == .fields([.reason: .missing]))
        try await cast.attempts.refuse(attempt, reason: "No sound in it")
        #expect(
            try await cast.refusal { try await cast.attempts.refuse(attempt, reason: "Again") } == .state(.rejected))
        let rulings = try await cast.attempts.rulings(of: attempt, for: .member(cast.ann))
        #expect(rulings.map(\.why) == ["No sound in it"] && rulings.map(\.standing) == [.hub])
        #expect(
            try await cast.refusal { try await cast.attempts.appeal(attempt, text: "There is", by: cast.ann) }
                == .noAppeal)
    }

    @Test func `a score outside the bounds is refused, by the form and by the table`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        (terms.low, terms.high, terms.step) = (10, 100, 5)
        let id = try await cast.challenge(terms)
        for (typed, fault) in [("5", ScoreFault.below(10)), ("105", .above(100)), ("12", .offStep(5)), ("", .missing)] {
            #expect(
                try await cast.refusal { try await cast.attempt(typed, at: id, by: cast.ann) }
                    == .fields([.score: .score(fault)]))
        }
        let attempt = try await cast.attempt("100", at: id, by: cast.ann)
        for score in [5, 105, 12] {
            await #expect(throws: DatabaseError.self) {
                try await cast.house.change(
                    """
                    INSERT INTO attempts (id, rule, account, key, score, text, done, begun, received, media, placeName, townName,
                        countryName, state) SELECT 'x', rule, 'id-bob', 'x', \(score), '', 0, 0, 0, '', '', '', '', 'verified'
                        FROM attempts
                    """)
            }
        }
        for change in ["score = 50", "received = 5", "account = 'id-bob'", "town = '7'", "id = 'x'", "done = 1"] {
            await #expect(throws: DatabaseError.self, "\(change)") {
                try await cast.house.change("UPDATE attempts SET \(change) WHERE id = '\(attempt)'")
            }
        }
    }

    @Test func `a key is neither empty nor without end`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        #expect(
            try await cast.refusal { try await cast.attempt("50", at: id, by: cast.ann, key: "") }
                == .fields([.key: .missing]))
        let long = String(repeating: "k", count: 201)
        #expect(
            try await cast.refusal { try await cast.attempt("50", at: id, by: cast.ann, key: long) }
                == .fields([.key: .tooLong(most: 200)]))
    }

    @Test func `what was not yet done is not handed in, nor what was done ten years ago`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let now = cast.house.now
        func refusal(_ seconds: Double) async throws -> AttemptRefusal? {
            try await cast.refusal {
                try await cast.attempt("50", at: id, by: cast.ann) { $0.done = now.addingTimeInterval(seconds) }
            }
        }
        #expect(try await refusal(3600) == .fields([.done: .inFuture]))
        #expect(try await refusal(-11 * 366 * 86_400) == .fields([.done: .longAgo]))
        // A clock that is ahead: it was done when it came.
        let attempt = try await cast.attempt("50", at: id, by: cast.bob) {
            $0.done = cast.house.now.addingTimeInterval(200)
        }
        let seen = try #require(try await cast.attempts.attempt(attempt, for: .visitor))
        #expect(seen.done == seen.received)
    }

    @Test func `an event takes what was done inside, by the server's clock, and a stated time longer`() async throws {
        let cast = try await ChallengeCast()
        let start = cast.house.now
        var terms = RuleTemplate.mostInAMinute.terms
        terms.event = .init(begins: start.addingTimeInterval(100), ends: start.addingTimeInterval(200), grace: 50)
        let id = try await cast.challenge(terms)
        func begin(_ account: AccountID, done: Double) async throws -> HubID {
            try await cast.attempt("50", at: id, by: account) {
                $0.media = [.video]
                $0.done = start.addingTimeInterval(done)
            }
        }
        #expect(
            try await cast.refusal { _ = try await begin(cast.ann, done: 100) }
                == .notBegun(start.addingTimeInterval(100)))
        cast.house.wait(99 - 1)  // 99 s: it begins with the next attempt
        let outside = AttemptRefusal.fields([
            .done: .outsideEvent(begins: start.addingTimeInterval(100), ends: start.addingTimeInterval(200))
        ])
        #expect(try await cast.refusal { _ = try await begin(cast.ann, done: 99) } == outside)
        let early = try await begin(cast.ann, done: 100)
        try await cast.attempts.arrive(early, by: cast.ann)
        cast.house.wait(200 - cast.house.now.timeIntervalSince(start))
        #expect(try await cast.refusal { _ = try await begin(cast.bob, done: 201) } == outside)
        let late = try await begin(cast.bob, done: 200)
        let tooLate = try await begin(cast.cem, done: 150)
        cast.house.wait(250 - cast.house.now.timeIntervalSince(start))
        try await cast.attempts.arrive(late, by: cast.bob)
        cast.house.wait(0.01)
        let over = AttemptRefusal.over(start.addingTimeInterval(250))
        #expect(try await cast.refusal { try await cast.attempts.arrive(tooLate, by: cast.cem) } == over)
        #expect(try await cast.refusal { _ = try await begin(cast.vic, done: 150) } == over)
        #expect(try await cast.state(late) == .checking)
        #expect(try await cast.state(tooLate) == .receiving)
    }

    @Test func `the levels of a place are those of where it is shown, and nothing else of it is kept`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("50", at: id, by: cast.ann) {
            $0.spot = AttemptSpot(point: ChallengeCast.bonn, precision: .near, name: "Bonn, Germany")
        }
        let place = try #require(try await cast.attempts.attempt(attempt, for: .visitor)?.place)
        #expect(place.town == "1" && place.country == "DE" && place.townName == "Bonn")
        #expect(place.countryName == "Germany" && place.name == "Bonn, Germany")
        #expect(place.shown != ChallengeCast.bonn && place.shown.distance(to: ChallengeCast.bonn) < 300)
        #expect(place.place == RecordArea.around(place.shown).key)
        // It is shown where an item of hers would be.
        let shown = try await cast.library.reading { database in
            try Items.shown(ChallengeCast.bonn, .near, author: cast.ann, town: nil, in: database)
        }
        #expect(place.shown == shown)
        #expect(try await cast.house.traces(of: [], numbers: ["50.7339", "7.0997"]).isEmpty)
        let nowhere = try await cast.attempt("50", at: id, by: cast.bob)
        #expect(try await cast.attempts.attempt(nowhere, for: .visitor)?.place == nil)
        let sea = try await cast.attempt("50", at: id, by: cast.cem) {
            $0.spot = AttemptSpot(point: GeoPoint(nearLatitude: 0, longitude: -30), precision: .exact)
        }
        let there = try #require(try await cast.attempts.attempt(sea, for: .visitor)?.place)
        #expect(there.town == nil && there.country == nil && there.townName.isEmpty)
    }

    @Test func `who tells a town alone has been at no place in it`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.verified("50", at: id, by: cast.ann) {
            $0.spot = AttemptSpot(
                point: ChallengeCast.bonn, precision: .town, name: "Bonn",
                town: GeoPoint(nearLatitude: 50.73438, longitude: 7.09549))
        }
        let rule = try await cast.rule(id)
        let levels = try await cast.holds.holders(of: rule.id, for: .visitor).map(\.hold.area.level)
        #expect(levels == [.world, .country, .town])
    }

    @Test func `a rule of one place is tried there alone`() async throws {
        let cast = try await ChallengeCast()
        var terms = ChallengeCast.counting
        terms.place = .here
        let id = try await cast.challenge(terms) {
            ($0.point, $0.precision, $0.placeName) = (ChallengeCast.bonn, .exact, "The gate")
        }
        guard
            case .fields(let faults)? = try await cast.refusal({
                try await cast.attempt("50", at: id, by: cast.ann) {
                    $0.spot = AttemptSpot(point: ChallengeCast.cologne, precision: .exact)
                }
            }), case .elsewhere(let metres)? = faults[.place]
        else {
            Issue.record("taken from elsewhere")
            return
        }
        #expect((20_000...30_000).contains(metres))
        let attempt = try await cast.attempt("50", at: id, by: cast.ann) {
            $0.spot = AttemptSpot(point: GeoPoint(nearLatitude: 50.7350, longitude: 7.0997), precision: .near)
        }
        let place = try #require(try await cast.attempts.attempt(attempt, for: .visitor)?.place)
        #expect(place.place == RecordArea.here.key && place.shown == ChallengeCast.bonn && place.name == "The gate")
        #expect(place.town == "1" && place.country == "DE")
    }

    @Test func `suspended people hand nothing in, and take back what is theirs`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("50", at: id, by: cast.ann)
        try await cast.house.change("UPDATE accounts SET state = 'suspended' WHERE id IN ('id-ann', 'id-bob')")
        #expect(try await cast.refusal { try await cast.attempt("50", at: id, by: cast.bob) } == .noAccount)
        #expect(try await cast.refusal { try await cast.attempts.withdraw(attempt, by: cast.cem) } == .notFound)
        try await cast.attempts.withdraw(attempt, by: cast.ann)
        #expect(try await cast.state(attempt) == .withdrawn)
        #expect(
            try await cast.refusal { try await cast.attempts.withdraw(attempt, by: cast.ann) } == .state(.withdrawn))
    }

    @Test func `across a block there is no challenge, and hidden ones are not tried`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        try await cast.library.block(cast.ann, by: cast.sue)
        #expect(try await cast.refusal { try await cast.attempt("50", at: id, by: cast.ann) } == .notFound)
        try await cast.library.transact { try Items.hide(id, true, in: $0) }
        #expect(try await cast.refusal { try await cast.attempt("50", at: id, by: cast.bob) } == .notFound)
        #expect(try await cast.refusal { try await cast.attempt("50", at: HubID(), by: cast.bob) } == .notFound)
    }

    @Test func `fifty a day are enough`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        for _ in 0..<Attempt.mostPerDay {
            try await cast.attempts.withdraw(try await cast.attempt("50", at: id, by: cast.ann), by: cast.ann)
        }
        guard
            case .tooOften(let seconds)? = try await cast.refusal({ try await cast.attempt("50", at: id, by: cast.ann) }
            )
        else {
            Issue.record("taken")
            return
        }
        cast.house.wait(Double(seconds))
        try await cast.attempt("50", at: id, by: cast.ann)
    }

    @Test func `what is not sent whole within a day is taken back, and makes room for another`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let attempt = try await cast.attempt("50", at: id, by: cast.ann) { $0.media = [.video] }
        cast.house.wait(Attempt.patience - 1)
        #expect(try await cast.attempts.sweep(at: cast.house.now) == 0)
        cast.house.wait(1)
        #expect(try await cast.attempts.sweep(at: cast.house.now) == 1)
        #expect(try await cast.state(attempt) == .withdrawn)
        try await cast.attempt("50", at: id, by: cast.ann)
    }

    @Test func `of many that begin at once, one is there`() async throws {
        let cast = try await ChallengeCast()
        let id = try await cast.challenge()
        let draft = AttemptDraft(score: "50", done: cast.house.now, version: 1)
        let refusals = await withTaskGroup(of: AttemptRefusal?.self) { group in
            for number in 0..<12 {
                group.addTask { [attempts = cast.attempts, ann = cast.ann] in
                    do throws(AttemptRefusal) {
                        _ = try await attempts.begin(draft, at: id, by: ann, key: "key \(number)")
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.filter { $0 == nil }.count == 1 && refusals.filter { $0 == .already }.count == 11)
        // And of many with one key, all are told of the same.
        let ids = try await withThrowingTaskGroup(of: HubID.self) { group in
            for _ in 0..<12 {
                group.addTask { [attempts = cast.attempts, bob = cast.bob] in
                    try await attempts.begin(draft, at: id, by: bob, key: "key")
                }
            }
            return try await group.reduce(into: Set<HubID>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }
}

/// Instants of a household's clock.
enum HubDate {
    static func second(_ number: Double) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + number) }
}
