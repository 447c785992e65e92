import ChirpRecords
import ChirpTestKit
import Testing

/// Scores are whole numbers of the last place that counts, whatever people type (OU-16).
@Suite struct ScoreTests {
    private static func terms(
        _ measure: Measure, _ unit: ScoreUnit, decimals: Int, low: Int64 = 0, high: Int64 = 1_000_000_000
    ) -> RuleTerms {
        RuleTerms(measure: measure, unit: unit, better: .more, decimals: decimals, low: low, high: high)
    }
    private static let time = terms(.time, .seconds, decimals: 2)
    private static let length = terms(.length, .metres, decimals: 2)
    private static let level = terms(.level, .decibels, decimals: 1, low: -1200, high: 1940)

    private func score(_ text: String, _ terms: RuleTerms) -> Result<Int64, ScoreFault> {
        do throws(ScoreFault) { return .success(try terms.score(typed: text)) } catch { return .failure(error) }
    }

    @Test(
        arguments: [
            ("1:02.35", 6235), ("1:02,35", 6235), ("62.35", 6235), ("62,35 s", 6235), ("62.35 Sekunden", 6235),
            ("1 min 2.35 s", 6235), ("1m2.35s", 6235), ("1′02.35″", 6235), ("1' 2.35\"", 6235), ("0:01", 100),
            ("59", 5900),
            ("1:00:00", 360_000), ("1:00 h", 360_000), ("1 h", 360_000), ("1.5 min", 9000), ("2:03:04.5", 738_450),
            ("350 ms", 35), (" 1:02.35 ", 6235), ("1:02.350000", 6235), ("+3", 300), (".5", 50), ("5.", 500),
            ("90:00", 540_000), ("100 h", 36_000_000), ("0,01", 1), ("1:02.35 min", 6235), ("1\u{00A0}min", 6000),
        ] as [(String, Int64)])
    func `times are read as people write them`(typed: String, expected: Int64) {
        #expect(score(typed, Self.time) == .success(expected), "\(typed)")
    }

    @Test(
        arguments: [
            ("12,5 m", 1250), ("12.50m", 1250), ("1250 cm", 1250), ("12 m 50 cm", 1250), ("0,5 km", 50_000), ("7", 700),
            ("3 mm", nil), ("30 mm", 3), ("12.505", nil), ("1 km 2 m", 100_200),
        ] as [(String, Int64?)])
    func `lengths are converted where nothing is lost by it`(typed: String, expected: Int64?) {
        #expect(
            score(typed, Self.length) == expected.map { .success($0) } ?? .failure(.tooExact(decimals: 2)), "\(typed)")
    }

    @Test func `a level may be below nothing, with any of the signs for minus`() {
        for typed in ["-3.5 dB", "−3,5 db", "–3.5"] { #expect(score(typed, Self.level) == .success(-35), "\(typed)") }
        #expect(score("-3", Self.length) == .failure(.below(0)))
    }

    @Test(arguments: [
        "", " ", "-", "abc", "1:2:3:4", "1:2", "1:60", "1:60:00", "1:05:7", "1: 05", "1 05", "1.5:30", "1.2.3",
        "1,234.5",
        "--3", "1e5", "NaN", "inf", "1 min 2", "2 s 1 min", "1 s 2 s", "1 min min", ":30", "30:", "١٢", "５",
        "1\n2", "1;DROP TABLE attempts", "1:02 km", String(repeating: "9", count: 16),
        String(repeating: "1", count: 5000),
        "1.0000000001", "\u{0}", "👏", "1 m 2 m 3 m 4 m 5 m",
    ])
    func `what is no score is none, and nothing traps`(typed: String) {
        let fault = score(typed, Self.time)
        let isBlank = typed.allSatisfy { $0 == " " }
        #expect(fault == .failure(isBlank ? .missing : .notUnderstood), "\(typed.prefix(40))")
    }

    @Test func `a fault says what is wrong`() {
        #expect(score("5 kg", Self.length) == .failure(.otherUnit(.weight)))
        #expect(score("5:00", Self.length) == .failure(.otherUnit(.time)))
        #expect(score("5 m 2 s", Self.length) == .failure(.otherUnit(.time)))
        var terms = Self.length
        (terms.low, terms.high, terms.step) = (100, 5000, 25)
        #expect(score("0.99", terms) == .failure(.below(100)))
        #expect(score("50.01", terms) == .failure(.above(5000)))
        #expect(score("1.30", terms) == .failure(.offStep(25)))
        #expect(score("1.25", terms) == .success(125) && score("1", terms) == .success(100))
        #expect(score("50", terms) == .success(5000))
        // Far beyond what 64 bits hold.
        #expect(score("999999999999999 km", terms) == .failure(.above(5000)))
        #expect(score("-999999999999999 km", terms) == .failure(.below(100)))
    }

    @Test func `what a score is told as is read as the same score, and has no rounding in it`() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<5000 {
            let measure = try #require(Measure.allCases.randomElement(using: &generator))
            let unit = try #require(measure.units.randomElement(using: &generator))
            let decimals = Int.random(in: 0...measure.mostDecimals, using: &generator)
            let least: Int64 = measure.goesBelowZero ? -1_000_000 : 0
            let terms = Self.terms(measure, unit, decimals: decimals, low: least, high: RuleTerms.farthest)
            let score = Int64.random(
                in: least...(Bool.random(using: &generator) ? 10_000 : RuleTerms.farthest), using: &generator)
            for separator in [Character("."), ","] {
                let text = terms.text(score, separator: separator)
                #expect(try terms.score(typed: text) == score, "\(text) \(seed)")
            }
        }
        #expect(Self.time.text(6235) == "1:02.35" && Self.time.text(5999) == "59.99 s")
        #expect(Self.time.text(738_450) == "2:03:04.50" && Self.level.text(-35) == "-3.5 dB")
        #expect(Self.length.text(1250, separator: ",") == "12,50 m")
    }

    @Test func `random text never traps`() {
        let seed = TestSeed()
        var generator = seed.generator
        let letters = Array("0123456789.,:;-+ hmskgxdB'\"µ\u{0}\u{301}")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...24, using: &generator)).compactMap { _ in
                    letters.randomElement(using: &generator)
                })
            for terms in [Self.time, Self.length, Self.level] { _ = score(text, terms) }
        }
    }

    @Test func `bounds are typed like scores, without bounds of their own`() throws {
        #expect(try Self.time.bound(typed: "1 h") == 360_000)
        #expect(try Self.level.bound(typed: "-500") == -5000)
        #expect(throws: ScoreFault.above(RuleTerms.farthest)) { try Self.length.bound(typed: "99999999999 km") }
    }
}
