/// What a new challenge begins with, by what is measured. Everything in it can be changed.
package enum RuleTemplate: String, Hashable, Sendable, CaseIterable {
    case fastest, mostInAMinute, longest, highest, heaviest, loudest, longestNote, mostPoints

    package var terms: RuleTerms {
        switch self {
        case .fastest:
            // A hundredth of a second is what a hand at a watch, or 100 pictures a second, can tell.
            terms(.time, .seconds, .less, decimals: 2, low: 1, high: 24 * 3600 * 100, needs: [.video])
        case .mostInAMinute: terms(.count, .times, .more, decimals: 0, low: 1, high: 1000, needs: [.video])
        case .longest: terms(.length, .metres, .more, decimals: 2, low: 1, high: 1000 * 100, needs: [.video])
        case .highest: terms(.length, .centimetres, .more, decimals: 0, low: 1, high: 1000, needs: [.video])
        case .heaviest: terms(.weight, .kilograms, .more, decimals: 1, low: 1, high: 1000 * 10, needs: [.video])
        // No sound in air is louder: at 194 dB its pressure would fall below none.
        case .loudest: terms(.level, .decibels, .more, decimals: 1, low: 0, high: 194 * 10, needs: [.sound])
        case .longestNote: terms(.time, .seconds, .more, decimals: 2, low: 100, high: 300 * 100, needs: [.sound])
        case .mostPoints: terms(.points, .points, .more, decimals: 0, low: 0, high: 1_000_000, needs: [.picture])
        }
    }

    private func terms(
        _ measure: Measure, _ unit: ScoreUnit, _ better: RuleTerms.Better, decimals: Int, low: Int64, high: Int64,
        needs: Set<RuleTerms.Evidence>
    ) -> RuleTerms {
        var terms = RuleTerms(measure: measure, unit: unit, better: better, decimals: decimals, low: low, high: high)
        terms.needs = needs
        return terms
    }
}
