/// A length of time as people write it on a command line or in a configuration: `140s`, `1h30m`, `7d`, `1.5s`.
///
/// A bare number is refused, since it could be seconds or days. Units: ms, s, m or min, h, d, w.
package struct LengthOfTime: Hashable, Sendable {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    /// More than nothing, at most a hundred years.
    package init(_ text: String) throws(BadValue) {
        let problem = BadValue(text, needs: "a time with its unit, such as 140s, 2m, 1h30m or 7d")
        if let number = Int(text), number > 0 {
            throw BadValue(text, needs: "a unit: \(number)s, \(number)m, \(number)h or \(number)d")
        }
        var rest = Substring(text)
        var seconds = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let factor = Self.factors[String(unit)] else { throw problem }
            seconds += number * factor
        }
        guard seconds > 0, seconds <= 100 * 366 * 86400 else { throw problem }
        duration = .milliseconds(Int64((seconds * 1000).rounded(.up)))
    }

    package var seconds: Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// As one would write it: the largest units first, nothing that is zero.
    package var text: String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        if milliseconds <= 600_000, milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        var rest = milliseconds
        var parts = ""
        for (unit, size) in Self.units where rest >= size {
            parts += "\(rest / size)\(unit)"
            rest %= size
        }
        return parts
    }

    /// In milliseconds, the largest first.
    private static let units: [(String, Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    private static let factors: [String: Double] = [
        "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400,
    ]
}
