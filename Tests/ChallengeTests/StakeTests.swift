import ChirpRecords
import Foundation
import Testing

/// Pledges as terms: what may be pledged, and what becomes of it (OU-17; boards.md 5.3.9).
@Suite struct StakeTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day: Int64 = 86_400_000

    @Test func `stakes are off, and of those that are on each field has one fault`() {
        #expect(!StakeLimits.off.isOn)
        func faults(
            _ amount: Int64? = 10, _ unit: String = "points", _ days: Double = 30, isAdult: Bool = true, open: Int64 = 0
        ) -> [StakeTerms.Field: StakeTerms.Fault] {
            StakeTerms(
                amount: amount, unit: unit, until: Self.now.addingTimeInterval(days * 86_400), isAdult: isAdult
            ).faults(StakeLimits(isOn: true, most: 50), open: open, at: Self.now)
        }
        #expect(faults().isEmpty && faults(50).isEmpty && faults(50, open: 200).isEmpty)
        #expect(faults(0) == [.amount: .notPositive] && faults(-5) == [.amount: .notPositive])
        #expect(faults(nil) == [.amount: .noAmount])
        #expect(faults(51) == [.amount: .tooMuch(most: 50)])
        #expect(faults(50, open: 201) == [.amount: .tooMuchAtOnce(left: 49)])
        #expect(faults(10, "EUR") == [.unit: .unknown])
        #expect(faults(10, "points", 0.5) == [.until: .tooSoon(least: 86_400)])
        #expect(faults(10, "points", 400) == [.until: .tooLate(most: 366 * 86_400)])
        #expect(faults(10, "points", .nan) == [.until: .tooLate(most: 366 * 86_400)])
        #expect(faults(isAdult: false) == [.adult: .minor])
    }

    private func entry(
        _ sequence: Int64, _ score: Int64, day: Double, _ state: Attempt.State = .verified, decided: Double? = nil,
        isSetters: Bool = false
    ) -> StakeOutcome.Try {
        let days = Double(Self.day)
        return StakeOutcome.Try(
            VerifiedAttempt(sequence: sequence, score: score, received: Int64(day * days), areas: [.world]), state,
            decided: [.verified, .rejected].contains(state) ? Int64((decided ?? day + 1) * days) : nil,
            isSetters: isSetters)
    }

    private func outcome(_ tries: [StakeOutcome.Try], _ day: Double) -> StakeOutcome {
        let terms = RuleTemplate.mostInAMinute.terms
        let now = Int64(day * Double(Self.day))
        let found = StakeOutcome.outcome(tries, terms, from: 10 * Self.day, until: 40 * Self.day, at: now)
        #expect(
            StakeOutcome.outcome(tries.reversed(), terms, from: 10 * Self.day, until: 40 * Self.day, at: now) == found)
        return found
    }

    @Test func `it goes to the first who breaks the record in time, and otherwise back`() {
        let before = entry(1, 50, day: 5)
        #expect(outcome([before], 20) == .open && outcome([before], 41) == .back)
        // A first record breaks none.
        #expect(outcome([entry(1, 50, day: 20)], 20) == .open)
        let winner = entry(2, 60, day: 20)
        #expect(outcome([before, winner, entry(3, 70, day: 22)], 50) == .won(attempt: 2))
        #expect(outcome([before, entry(2, 50, day: 20)], 41) == .back)
        #expect(outcome([before, entry(2, 60, day: 40.5)], 60) == .back)
        #expect(outcome([before, entry(2, 60, day: 9)], 60) == .back)
    }

    @Test func `nothing is paid while it may be rejected, or something before it may come to count`() {
        let (before, winner) = (entry(1, 50, day: 5), entry(2, 60, day: 20))
        #expect(outcome([before, winner], 22) == .frozen(attempt: 2, until: 35 * Self.day))
        #expect(outcome([before, winner], 36) == .won(attempt: 2))
        #expect(
            outcome([before, winner, entry(3, 55, day: 19, .waiting)], 36) == .frozen(attempt: 2, until: 36 * Self.day))
        #expect(outcome([before, winner, entry(3, 50, day: 19, .waiting)], 36) == .won(attempt: 2))
        let rejected = entry(3, 55, day: 19, .rejected, decided: 30)
        #expect(outcome([before, winner, rejected], 36) == .frozen(attempt: 2, until: 36 * Self.day))
        #expect(outcome([before, winner, rejected], 45) == .won(attempt: 2))
        // What was received before the pledge may raise what is to be broken.
        #expect(
            outcome([before, winner, entry(3, 65, day: 6, .waiting)], 36) == .frozen(attempt: 2, until: 36 * Self.day))
        #expect(outcome([before, entry(2, 60, day: 39, .waiting)], 41) == .waiting)
        #expect(outcome([before, entry(2, 60, day: 20, .rejected)], 60) == .back)
        #expect(outcome([before, entry(2, 60, day: 20, .withdrawn)], 41) == .back)
    }

    @Test func `the setter wins nothing, by whichever account`() {
        let own = entry(2, 60, day: 20, isSetters: true)
        #expect(outcome([entry(1, 50, day: 5), own], 60) == .back)
        #expect(outcome([entry(1, 50, day: 5), own, entry(3, 61, day: 30)], 60) == .won(attempt: 3))
    }
}
