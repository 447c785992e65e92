/// Numbers as people read them.
package enum Figures {
    /// So many of something that takes an s in the plural, such as "1 clip".
    package static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// - Parameter places: digits after the point.
    package static func number(_ value: Double, places: Int) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        let scaled = (value.magnitude * factor).rounded()
        let whole = Int64(scaled / factor)
        let fraction = String(Int64(scaled) - whole * Int64(factor))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + String(repeating: "0", count: max(0, places - fraction.count)) + fraction
    }

    /// `12.34 s`, from a minute on `2:05.3`.
    package static func seconds(_ value: Double) -> String {
        guard value >= 60, value < 1e12 else { return "\(number(value, places: 2)) s" }
        let tenths = Int64((value * 10).rounded())
        let rest = tenths % 600
        return "\(tenths / 600):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
    }

    /// Whole seconds as a clock shows them: `0:07`, `12:05`, from an hour on `1:02:05`.
    package static func clock(_ seconds: Double) -> String {
        let all = Int64(max(0, min(seconds, 1e9)))
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (minutes, rest) = (all / 60, all % 60)
        return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    }
}
