package import ChirpCore

/// A size as people write it: `16MB`, `500k`, `1.5GiB`, `16777216`. Decimal units unless there is an `i`.
package struct Size: Hashable, Sendable {
    package let bytes: Int64

    init(bytes: Int64) { self.bytes = bytes }

    /// At least one byte, less than an exabyte.
    init(_ text: String) throws(BadValue) {
        let problem = BadValue(text, needs: "a size, such as 16MB, 500k, 1.5GiB or 16777216")
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).lowercased().trimmingSpace
        guard let number = Double(digits), let factor = Self.factors[unit] else { throw problem }
        let bytes = (number * factor).rounded(.down)
        guard bytes >= 1, bytes < 1e18 else { throw problem }
        self.bytes = Int64(bytes)
    }

    package var count: ByteCount { ByteCount(bytes) }

    /// The shortest exact form.
    var text: String {
        for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("k", 1000)] as [(String, Int64)]
        where bytes % size == 0 {
            return "\(bytes / size)\(unit)"
        }
        return "\(bytes)"
    }

    private static let factors: [String: Double] = [
        "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
        "ki": 1024, "kib": 1024, "mi": 1_048_576, "mib": 1_048_576, "gi": 1_073_741_824, "gib": 1_073_741_824,
    ]
}

extension String {
    fileprivate var trimmingSpace: String { String(drop { $0 == " " }) }
}
