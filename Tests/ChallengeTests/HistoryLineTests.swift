import ChirpRecords
import ChirpTestKit
import Foundation
import Testing

/// The history of a record as a line (OU-3).
@Suite struct HistoryLineTests {
    private static func instant(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test func `each score lasts as long as it was held, and the last until now`() throws {
        let start = try Self.instant("2026-01-01T00:00:00Z")
        func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }
        let line = HistoryLine(
            [(50, day(0), day(25)), (60, day(25), day(75)), (75, day(75), nil)],
            RuleTemplate.mostInAMinute.terms, at: day(100))
        #expect(line.steps.map(\.from) == [0, 0.25, 0.75] && line.steps.map(\.until) == [0.25, 0.75, 1])
        #expect(line.scores.map(\.score) == [50, 60, 70, 80])
        let heights: [Double] = [0, 10.0 / 30, 25.0 / 30]
        #expect(line.steps.map(\.height) == heights)
        #expect(
            line.times.map(\.instant) == [
                try Self.instant("2026-02-01T00:00:00Z"), try Self.instant("2026-03-01T00:00:00Z"),
                try Self.instant("2026-04-01T00:00:00Z"),
            ])
        #expect(line.times[0].place == 0.31)
    }

    @Test func `one holder of this very moment is a line too, and none is none`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let line = HistoryLine([(7, now, nil)], RuleTemplate.mostInAMinute.terms, at: now)
        #expect(line.steps.map(\.until) == [1] && line.steps.map(\.height) == [0])
        #expect(line.scores.map(\.score) == [7, 8])
        #expect(line.times.isEmpty)
        let none = HistoryLine([RecordSpan](), RuleTemplate.mostInAMinute.terms, at: now)
        #expect(none.steps.isEmpty && none.scores.isEmpty)
    }

    @Test func `times are marked as clocks count`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let line = HistoryLine(
            [(9050, now - 100, now - 50), (6010, now - 50, nil)], RuleTemplate.fastest.terms, at: now)
        #expect(
            line.scores.map { RuleTemplate.fastest.terms.text($0.score) } == [
                "1:00.00", "1:10.00", "1:20.00", "1:30.00", "1:40.00",
            ])
    }

    @Test func `whatever is in a history, all of it is in the picture`() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<2000 {
            var terms = try #require(RuleTemplate.allCases.randomElement(using: &generator)).terms
            terms.step = [1, 1, 5, 250].randomElement(using: &generator) ?? 1
            let range = Int64.random(in: 1...RuleTerms.farthest, using: &generator)
            var start = Double(Int.random(in: 0...4_000_000_000, using: &generator))
            var spans: [(score: Int64, from: Date, until: Date?)] = []
            for _ in 0..<Int.random(in: 1...9, using: &generator) {
                let next = start + Double(Int.random(in: 0...200_000_000, using: &generator))
                spans.append(
                    (
                        Int64.random(in: -range...range, using: &generator), Date(timeIntervalSince1970: start),
                        Date(timeIntervalSince1970: next)
                    ))
                start = next
            }
            spans[spans.count - 1].until = nil
            let now = Date(timeIntervalSince1970: start + Double(Int.random(in: -9...900_000, using: &generator)))
            let line = HistoryLine(spans, terms, at: now)
            #expect(line.steps.count == spans.count, "\(seed)")
            for step in line.steps {
                #expect(0 <= step.from && step.from <= step.until && step.until <= 1, "\(seed)")
                #expect(0 <= step.height && step.height <= 1, "\(seed)")
            }
            #expect((2...7).contains(line.scores.count) && line.times.count <= 6, "\(line.scores) \(seed)")
            #expect(line.times.allSatisfy { 0 <= $0.place && $0.place <= 1 }, "\(seed)")
        }
    }
}
