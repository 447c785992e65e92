/// Why what somebody typed is no score by a rule.
package enum ScoreFault: Error, Hashable, Sendable {
    case missing
    case notUnderstood
    /// It is in a unit of something else, as in kilograms for a length.
    case otherUnit(Measure)
    /// More places behind the point than count.
    case tooExact(decimals: Int)
    /// Not a multiple of the step, in scores.
    case offStep(Int64)
    /// Beyond the bounds of the rule, in scores.
    case below(Int64)
    case above(Int64)
}

extension RuleTerms {
    /// The score that somebody typed, as in `1:02.35`, `1 min 2,35 s`, `12,5 m`, `-3.5 dB` or `42`. Point and comma are the same, and
    /// thousands are not set apart; a number alone is in the rule's unit, and other units of its measure are converted, where nothing
    /// gets lost by it.
    package func score(typed text: String) throws(ScoreFault) -> Int64 {
        let wide = try amount(text)
        guard wide >= Int128(low) else { throw .below(low) }
        guard wide <= Int128(high) else { throw .above(high) }
        let score = Int64(wide)
        try check(score)
        return score
    }

    /// The same for what bounds and steps themselves are typed as: any number that is exact enough, and not farther than ``farthest``.
    package func bound(typed text: String) throws(ScoreFault) -> Int64 {
        let wide = try amount(text)
        guard wide >= Int128(-Self.farthest) else { throw .below(-Self.farthest) }
        guard wide <= Int128(Self.farthest) else { throw .above(Self.farthest) }
        return Int64(wide)
    }

    private func amount(_ text: String) throws(ScoreFault) -> Int128 {
        let amount = try TypedAmount(text, in: measure)
        // Exact: 15 digits, and 9 places, of a unit of 3.6 million smaller ones to 6 places are below 10^37, which 128 bits hold.
        let numerator = amount.value(in: unit) * Int128(Self.power(places))
        let denominator = Int128(unit.size) * Int128(Self.power(amount.places))
        guard numerator % denominator == 0 else { throw .tooExact(decimals: decimals) }
        return numerator / denominator
    }

    /// Whatever a form has made of them.
    private var places: Int { min(max(decimals, 0), 6) }

    /// Whether a score is one by this rule.
    package func check(_ score: Int64) throws(ScoreFault) {
        guard score >= low else { throw .below(low) }
        guard score <= high else { throw .above(high) }
        guard score % max(1, step) == 0 else { throw .offStep(step) }
    }

    /// A score as people read it, with all places that count: `1:02.35`, `12.50 m`, `42`. What it gives is read as the same score.
    ///
    /// - Parameter separator: what stands before the places, a point or a comma.
    package func text(_ score: Int64, separator: Character = ".") -> String {
        let unit = UInt64(Self.power(self.places))
        let magnitude = score.magnitude
        let (whole, part) = (magnitude / unit, magnitude % unit)
        let places = self.places == 0 ? "" : "\(separator)\(Self.padded(part, self.places))"
        let sign = score < 0 ? "-" : ""
        guard measure == .time, whole >= 60 else {
            return sign + "\(whole)\(places)" + (self.unit.symbol.isEmpty ? "" : " \(self.unit.symbol)")
        }
        let (minutes, seconds) = (whole / 60, Self.padded(whole % 60, 2))
        return sign
            + (minutes < 60 ? "\(minutes)" : "\(minutes / 60):\(Self.padded(minutes % 60, 2))") + ":\(seconds)\(places)"
    }

    static func power(_ exponent: Int) -> Int64 { (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 } }

    private static func padded(_ number: UInt64, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
