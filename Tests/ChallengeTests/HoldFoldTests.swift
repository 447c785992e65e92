import ChirpRecords
import ChirpTestKit
import Testing

/// Who held what is a pure function of the verified attempts (OU-19; boards.md 5.3.3).
@Suite struct HoldFoldTests {
    /// What one person has handed in, and what became of it.
    private struct Entry {
        let attempt: VerifiedAttempt
        var isVerified = false
        var isGone = false
    }

    /// What can happen to one, in the order in which it does.
    private enum Event { case arrives, isVerified, isRejected, isErased }

    /// The history by its definition, and in no hurry: at every instant at which something came, the best of all that had come is looked for
    /// in each area; of equal ones the one that came first. Spans are what is between two changes.
    private static func oracle(_ attempts: [VerifiedAttempt], isMoreBetter: Bool) -> Set<Hold> {
        var holds: Set<Hold> = []
        for area in Set(attempts.flatMap(\.areas)) {
            let here = attempts.filter { $0.areas.contains(area) }
            var holders: [(attempt: Int64, from: Int64)] = []
            for instant in Set(here.map(\.received)).sorted() {
                var best: VerifiedAttempt?
                for candidate in here where candidate.received <= instant {
                    guard let holder = best else {
                        best = candidate
                        continue
                    }
                    if candidate.score != holder.score {
                        if (candidate.score > holder.score) == isMoreBetter { best = candidate }
                    } else if candidate.received != holder.received {
                        if candidate.received < holder.received { best = candidate }
                    } else if candidate.sequence < holder.sequence {
                        best = candidate
                    }
                }
                if let best, best.sequence != holders.last?.attempt { holders.append((best.sequence, instant)) }
            }
            for (index, holder) in holders.enumerated() {
                let until = index + 1 < holders.count ? holders[index + 1].from : nil
                holds.insert(Hold(area: area, attempt: holder.attempt, from: holder.from, until: until))
            }
        }
        return holds
    }

    private static func draw(_ count: Int, _ generator: inout SeededGenerator) -> [VerifiedAttempt] {
        // Few scores and instants, so that there are ties of both kinds; spans across changes of summer time.
        let scores = Int64(Int.random(in: 1...20, using: &generator))
        let instants = Int64(Int.random(in: 1...60, using: &generator))
        let start: Int64 = 1_774_731_600_000  // an hour before clocks went forward, 2026-03-29 01:00 UTC minus 4 h
        return (0..<Int64(count)).map { number in
            let country = ["DE", "BE", "FR"].randomElement(using: &generator)
            let town = Int.random(in: 0...2, using: &generator)
            let place = Int.random(in: 0...2, using: &generator)
            let hasCountry = Int.random(in: 0...4, using: &generator) > 0
            let hasPlace = hasCountry || Bool.random(using: &generator)
            return VerifiedAttempt(
                sequence: number + 1, score: Int64.random(in: 0...scores, using: &generator),
                received: start + Int64.random(in: 0...instants, using: &generator) * 7_200_001,
                areas: RecordPlace.areas(
                    place: hasPlace ? "gc\(country ?? "")\(town)x\(place)" : nil,
                    town: hasCountry ? "\(country ?? "")\(town)" : nil, country: hasCountry ? country : nil))
        }
    }

    @Test func `any order of arrival, verification, rejection and erasure gives the same history`() {
        let seed = TestSeed()
        var generator = seed.generator
        var (cases, most, holds) = (0, 0, 0)
        while cases < 11_000 {
            // Small ones, in which everything meets everything, beside ten thousand of fifty.
            let count = cases % 11 == 0 ? Int.random(in: 0...9, using: &generator) : 50
            let isMoreBetter = Bool.random(using: &generator)
            let terms = RuleTerms(
                measure: .points, unit: .points, better: isMoreBetter ? .more : .less, decimals: 0, low: 0, high: 100)
            let attempts = Self.draw(count, &generator)
            // Each has a life of its own; they are mixed, and each keeps its order.
            var lives = attempts.map { attempt -> (VerifiedAttempt, [Event]) in
                let lives: [[Event]] = [
                    [.arrives], [.arrives, .isVerified], [.arrives, .isVerified], [.arrives, .isVerified],
                    [.arrives, .isRejected], [.arrives, .isVerified, .isRejected], [.arrives, .isErased],
                    [.arrives, .isVerified, .isErased], [.arrives, .isRejected, .isVerified],
                ]
                return (attempt, lives.randomElement(using: &generator) ?? [])
            }
            var entries: [Int64: Entry] = [:]
            while let index = lives.indices.filter({ !lives[$0].1.isEmpty }).randomElement(using: &generator) {
                let attempt = lives[index].0
                switch lives[index].1.removeFirst() {
                case .arrives: entries[attempt.sequence] = Entry(attempt: attempt)
                case .isVerified: entries[attempt.sequence]?.isVerified = true
                case .isRejected: entries[attempt.sequence]?.isVerified = false
                case .isErased: entries[attempt.sequence] = nil
                }
            }
            let left = entries.values.filter(\.isVerified).map(\.attempt)
            let wanted = Self.oracle(left.sorted { $0.sequence > $1.sequence }, isMoreBetter: isMoreBetter)
            // A dictionary's order is another in every run; and one more.
            let found = HoldFold.holds(left, terms)
            let again = HoldFold.holds(left.shuffled(using: &generator), terms)
            #expect(found == again, "case \(cases) \(seed)")
            #expect(Set(found) == wanted && found.count == wanted.count, "case \(cases) \(seed)")
            for hold in wanted {
                let day: Int64 = 86_400_000
                let now = hold.from + 400 * day
                #expect(Int64(hold.days(at: now)) == ((hold.until ?? now) - hold.from) / day)
            }
            cases += 1
            most = max(most, left.count)
            holds += found.count
        }
        #expect(most > 30 && holds > 100_000)
    }

    @Test func `a tie is held by who came first, and what came in the same millisecond by what was begun first`() {
        let terms = RuleTerms(measure: .time, unit: .seconds, better: .less, decimals: 2, low: 1, high: 10_000)
        func attempt(_ sequence: Int64, _ score: Int64, _ received: Int64) -> VerifiedAttempt {
            VerifiedAttempt(sequence: sequence, score: score, received: received, areas: [.world])
        }
        func holders(_ attempts: [VerifiedAttempt]) -> [Int64] { HoldFold.holds(attempts, terms).map(\.attempt) }
        #expect(holders([attempt(2, 500, 10), attempt(1, 500, 20)]) == [2])
        #expect(holders([attempt(2, 500, 10), attempt(1, 500, 10)]) == [1])
        #expect(holders([attempt(1, 500, 10), attempt(2, 400, 10)]) == [2])
        #expect(holders([attempt(1, 500, 10), attempt(2, 400, 20), attempt(3, 450, 30)]) == [1, 2])
        let spans = HoldFold.holds(
            [attempt(1, 500, 0), attempt(2, 400, 86_400_000), attempt(3, 300, 86_400_001)], terms)
        #expect(spans.map { $0.days(at: 3 * 86_400_000) } == [1, 0, 1])
        #expect(HoldFold.holds([], terms).isEmpty)
    }

    @Test func `days are of 24 hours, across changes of summer time too`() {
        // 2026-03-28 12:00 to 2026-03-30 12:00 in Berlin: 47 hours. 2026-10-24 12:00 to 10-26 12:00: 49.
        let hour: Int64 = 3_600_000
        #expect(
            Hold(area: .world, attempt: 1, from: 1_774_695_600_000, until: 1_774_695_600_000 + 47 * hour).days(at: 0)
                == 1)
        #expect(
            Hold(area: .world, attempt: 1, from: 1_792_836_000_000, until: 1_792_836_000_000 + 49 * hour).days(at: 0)
                == 2)
        // A clock that was set back makes no days of less than none.
        #expect(Hold(area: .world, attempt: 1, from: 1000, until: nil).days(at: 0) == 0)
    }
}
