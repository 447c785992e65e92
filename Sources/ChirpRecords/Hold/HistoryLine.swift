package import FoundationEssentials

/// A record's history as a line of steps, for whoever draws it: from left to right the time, from the bottom up the score. What is in it is
/// between 0 and 1 of a picture's width and height (OU-3).
package struct HistoryLine: Hashable, Sendable {
    /// From when to when a score was the best.
    package struct Step: Hashable, Sendable {
        package let from: Double
        package let until: Double
        package let height: Double
        /// Of the spans that the line was made of.
        package let span: Int
    }

    /// Where a score or an instant is marked at the edge.
    package struct ScoreMark: Hashable, Sendable {
        package let height: Double
        package let score: Int64
    }

    package struct TimeMark: Hashable, Sendable {
        package let place: Double
        package let instant: Date
    }

    package let steps: [Step]
    /// From the bottom up, at round scores.
    package let scores: [ScoreMark]
    /// From left to right, at the first milliseconds of days, months or years in UTC.
    package let times: [TimeMark]

    /// - Parameters:
    ///   - spans: of one area, the first holder first.
    ///   - now: where the line ends.
    package init(_ spans: [RecordSpan], _ terms: RuleTerms, at now: Date) {
        self.init(spans.map { ($0.score, $0.from, $0.until) }, terms, at: now)
    }

    /// The same of scores alone.
    package init(_ spans: [(score: Int64, from: Date, until: Date?)], _ terms: RuleTerms, at now: Date) {
        guard let first = spans.first, let last = spans.last else {
            (steps, scores, times) = ([], [], [])
            return
        }
        let end = max(now, last.from)
        let duration = end.timeIntervalSince(first.from)
        func place(_ instant: Date) -> Double {
            duration > 0 ? min(max(instant.timeIntervalSince(first.from) / duration, 0), 1) : 0
        }
        let (least, most) = (
            spans.map(\.score).min() ?? first.score, spans.map(\.score).max() ?? first.score
        )
        // Scores are below 10^12, so that none of this is beyond what 64 bits hold.
        let gap = Self.gap(most - least, terms)
        let (bottom, top) = (Self.floor(least, gap), Self.floor(most, gap) + gap)
        func height(_ score: Int64) -> Double { Double(score - bottom) / Double(top - bottom) }
        steps = spans.enumerated().map { index, span in
            let until = span.until.map(place) ?? 1
            return Step(
                from: place(span.from), until: max(until, place(span.from)), height: height(span.score), span: index)
        }
        scores = stride(from: bottom, through: top, by: Int(gap)).map { ScoreMark(height: height($0), score: $0) }
        times = Self.rounds(from: first.from, to: end).map { TimeMark(place: place($0), instant: $0) }
    }

    /// Between the marks of scores: so much that there are at most six, and that people count in it.
    private static func gap(_ range: Int64, _ terms: RuleTerms) -> Int64 {
        let second = RuleTerms.power(terms.decimals)
        let ofClocks: [Int64] =
            terms.measure == .time ? [15, 30, 60, 120, 300, 600, 900, 1800, 3600].map { $0 * second } : []
        let ofTens = (0...12).flatMap { power in [1, 2, 5].map { $0 * RuleTerms.power(power) } }
        let all =
            terms.measure == .time
            ? ofTens.filter { $0 < 15 * second } + ofClocks + ofTens.filter { $0 > 3600 * second } : ofTens
        return all.first { $0 * 4 >= range && $0 >= terms.step } ?? max(terms.step, range)
    }

    private static func floor(_ score: Int64, _ gap: Int64) -> Int64 {
        let remainder = score % gap
        return remainder < 0 ? score - remainder - gap : score - remainder
    }

    /// The beginnings of days, months or years, at most six of them.
    private static func rounds(from first: Date, to last: Date) -> [Date] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let steps: [(unit: Calendar.Component, count: Int)] = [
            (.day, 1), (.day, 7), (.month, 1), (.month, 3), (.year, 1), (.year, 2), (.year, 5), (.year, 20),
        ]
        let days = last.timeIntervalSince(first) / 86_400
        let most = 6.0
        let lengths: [Calendar.Component: Double] = [.day: 1, .month: 28, .year: 365]
        guard days >= 1, days < 366 * 100,
            let step = steps.first(where: { days / ((lengths[$0.unit] ?? 1) * Double($0.count)) < most }),
            let unit = calendar.dateInterval(of: step.unit, for: first)
        else { return [] }
        var found: [Date] = []
        var number = 1
        while found.count < Int(clamping: most),
            let next = calendar.date(byAdding: step.unit, value: number * step.count, to: unit.start), next <= last
        {
            found.append(next)
            number += 1
        }
        return found
    }
}
