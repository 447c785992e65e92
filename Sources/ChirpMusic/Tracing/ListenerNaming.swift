internal import Glibc

/// Whose preview a ``TaggedLeak`` was, by the patterns of all who fetched one.
package struct ListenerNaming: Hashable, Sendable {
    /// Which of the patterns, and how sure that is, 0 to 1.
    package struct Answer: Hashable, Sendable {
        package var pattern: Int
        package var confidence: Double
        /// Voices that are heard where the pattern has them, of those that are heard.
        package var agreeing: Int
        package var heard: Int
    }

    /// Below this nobody is named: one in a hundred would be the wrong one.
    package static let leastConfidence = 0.99

    /// The best one, however sure; nil where no pattern agrees with anything.
    package let best: Answer?
    /// The one that is named; nil: that cannot be told.
    package var named: Answer? { best.flatMap { $0.confidence >= Self.leastConfidence ? $0 : nil } }

    /// How far a voice may be from its place, in seconds: less than half of a step.
    private static let tolerance = 0.00095
    /// Of a voice that is heard where there is none, and of one that is not heard where there is one.
    private static let stray = 0.03
    private static let missed = 0.05

    /// - Parameter plans: of each who fetched a preview.
    package init(_ leak: TaggedLeak, _ plans: [TagPlan]) {
        var best: (answer: Answer, value: Double)?
        // Somebody unknown is as likely beforehand as all who are known together.
        var sum = Double(max(1, plans.count)) * Double(max(1, leak.fits.count))
        for fit in leak.fits {
            for (index, plan) in plans.enumerated() {
                let (value, agreeing) = Self.value(of: plan, for: fit, voice: leak.voice)
                sum += exp(value)
                guard agreeing > 0, value > best?.value ?? -.infinity else { continue }
                best = (Answer(pattern: index, confidence: 0, agreeing: agreeing, heard: fit.tags.count), value)
            }
        }
        self.best = best.map { found in
            var answer = found.answer
            answer.confidence = min(1, exp(found.value) / sum)
            return answer
        }
    }

    /// How much likelier what is heard is with this pattern than with one of somebody unknown, as a logarithm.
    private static func value(
        of plan: TagPlan, for fit: TaggedLeak.Fit, voice: Double
    ) -> (value: Double, agreeing: Int) {
        var value = 0.0
        var agreeing = 0
        var next = 0
        for tag in fit.tags {
            // Both are in the order of time.
            while next < plan.places.count, plan.places[next] < tag.seconds - tolerance { next += 1 }
            let isThere = next < plan.places.count && plan.places[next] <= tag.seconds + tolerance
            value += log(isThere ? (1 - stray) * Double(plan.choices[next]) : stray)
            if isThere { agreeing += 1 }
        }
        let expected = plan.places.count { $0 >= fit.from && $0 + voice <= fit.to }
        value += Double(max(0, expected - agreeing)) * log(missed)
        // So many voices are as good as certain; more are no number.
        return (min(value, 600), agreeing)
    }
}
