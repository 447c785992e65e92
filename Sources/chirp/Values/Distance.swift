import ChirpCommands

/// A distance as people write it: `500m`, `2km`, `1.5km`.
///
/// A bare number is refused, since it could be metres or kilometres.
struct Distance: Hashable, Sendable {
    let metres: Double

    init(metres: Double) { self.metres = metres }

    /// From 100 m to 100 km.
    init(_ text: String) throws(BadValue) {
        let problem = BadValue(text, needs: "a distance from 100m to 100km with its unit, such as 2km")
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factors = ["m": 1.0, "km": 1000]
        guard digits.utf8.count <= 12, let number = Double(digits),
            let factor = factors[String(text.dropFirst(digits.count)).lowercased()],
            (100...100_000).contains(number * factor)
        else { throw problem }
        metres = number * factor
    }
}
