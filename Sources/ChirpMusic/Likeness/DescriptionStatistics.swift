/// Mean and spread of each number of a hub's descriptions, so that all of them can be brought to one scale (Welford, Technometrics 1962).
///
/// A value: what enters the hub is added, what leaves it removed.
package struct DescriptionStatistics: Codable, Hashable, Sendable {
    /// Descriptions in them.
    package private(set) var count = 0
    private var means = [Double](repeating: 0, count: SoundDescription.count)
    /// Sums of squared distances from the mean.
    private var squares = [Double](repeating: 0, count: SoundDescription.count)

    package init() {}

    package init(of descriptions: some Sequence<SoundDescription>) {
        for description in descriptions { add(description) }
    }

    package mutating func add(_ description: SoundDescription) {
        count += 1
        for index in means.indices {
            let distance = Double(description.numbers[index]) - means[index]
            means[index] += distance / Double(count)
            squares[index] += distance * (Double(description.numbers[index]) - means[index])
        }
    }

    /// - Parameter description: one that was added.
    package mutating func remove(_ description: SoundDescription) {
        guard count > 1 else { return self = DescriptionStatistics() }
        count -= 1
        for index in means.indices {
            let distance = Double(description.numbers[index]) - means[index]
            means[index] -= distance / Double(count)
            squares[index] = max(0, squares[index] - distance * (Double(description.numbers[index]) - means[index]))
        }
    }

    /// A description in spreads from the mean, its parts weighed, of length 1: the likeness of two is their scalar product.
    ///
    /// What is farther than four spreads away counts as four: one odd number is not all that counts.
    package func scaled(_ description: SoundDescription) -> [Float] {
        var result = [Float](repeating: 0, count: SoundDescription.count)
        for part in SoundDescription.Part.allCases {
            let weight = part.weight / Double(part.range.count).squareRoot()
            for index in part.range {
                let spread = count > 1 ? (squares[index] / Double(count - 1)).squareRoot() : 0
                guard spread > 1e-9 else { continue }
                let distance = (Double(description.numbers[index]) - means[index]) / spread
                result[index] = Float(weight * max(-4, min(4, distance)))
            }
        }
        var whole: Float = 0
        for value in result { whole += value * value }
        guard whole > 0 else { return result }
        let scale = 1 / whole.squareRoot()
        for index in result.indices { result[index] *= scale }
        return result
    }
}

extension DescriptionStatistics {
    private enum CodingKeys: String, CodingKey { case count, means, squares }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        count = try values.decode(Int.self, forKey: .count)
        means = try values.decode([Double].self, forKey: .means)
        squares = try values.decode([Double].self, forKey: .squares)
        let isWhole =
            count >= 0
            && [means, squares].allSatisfy { numbers in
                numbers.count == SoundDescription.count && numbers.allSatisfy(\.isFinite)
            }
        guard isWhole, squares.allSatisfy({ $0 >= 0 }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .means, in: values, debugDescription: "not \(SoundDescription.count) means and spreads")
        }
    }
}

extension SoundDescription.Part {
    /// What a part counts in a likeness, whatever the number of its numbers. Guesses: timbre is what
    /// listeners name first. Those that find more ends of the same track find fewer tracks of its album (Docs/performance.md).
    fileprivate var weight: Double {
        switch self {
        case .timbre: 1.5
        case .rhythm: 1
        case .chroma: 0.5
        case .dynamics: 0.6
        case .tempoAndKey: 0.6
        }
    }
}
