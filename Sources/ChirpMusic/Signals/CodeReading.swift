/// The code as it is read behind a start, from how well each digit's sweep fits each of the five places.
///
/// All ten thousand codes are compared, check digit included, so that a digit that was hidden is found by the others.
struct CodeReading: Sendable {
    let code: AttemptCode
    /// How far the second best is behind, 0 to 1: 1 when the five digits are heard and no others.
    let clearness: Double

    /// Mean match below which nothing was played: noise alone has a tenth.
    private static let least: Float = 0.16
    private static let leastClearness = 0.25
    /// Two codes that are right differ at two of five places or more.
    private static let distance: Float = 2.0 / 5

    /// - Parameter matches: for each of five places the squares of the matches of the ten digits.
    /// - Returns: nil when no code is heard, or two alike.
    init?(_ matches: [[Float]]) {
        precondition(matches.count == 5 && matches.allSatisfy { $0.count == 10 })
        var (best, second) = (Float(-1), Float(-1))
        var found: AttemptCode?
        for number in 0..<10000 {
            guard let code = AttemptCode(number) else { continue }
            var sum = matches[4][code.check]
            for place in 0..<4 { sum += matches[place][code.digits[place]] }
            if sum > best {
                (best, second) = (sum, best)
                found = code
            } else if sum > second {
                second = sum
            }
        }
        guard let found, best >= 5 * Self.least * Self.least else { return nil }
        let clearness = Double((best - second) / (Self.distance * best))
        guard clearness >= Self.leastClearness else { return nil }
        code = found
        self.clearness = min(1, clearness)
    }
}
