import HTTPTypes
import NIOCore

/// Looks for a position among the numbers of an answer: as degrees with decimals, or as an integer with five to seven decimals in it.
struct PositionHunt {
    let latitude: Double
    let longitude: Double
    /// Degrees: some 50 m.
    static let margin = 0.0005

    /// Whether bytes hold a number near the latitude and one near the longitude. Signs are left out: there is more to be found then.
    func finds(in bytes: some Sequence<UInt8>) -> Bool {
        var (hasLatitude, hasLongitude) = (false, false)
        var (value, digits, decimals, scale) = (0.0, 0, 0, 1.0)
        var isBehindPoint = false
        func end() {
            defer { (value, digits, decimals, scale, isBehindPoint) = (0, 0, 0, 1, false) }
            guard digits + decimals >= 3 else { return }
            let scales = decimals > 0 ? [1] : digits >= 6 ? [1e5, 1e6, 1e7] : []
            for scale in scales {
                hasLatitude = hasLatitude || abs(value / scale - abs(latitude)) < Self.margin
                hasLongitude = hasLongitude || abs(value / scale - abs(longitude)) < Self.margin
            }
        }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = Double(byte - UInt8(ascii: "0"))
                if isBehindPoint {
                    scale /= 10
                    value += digit * scale
                    decimals += 1
                } else {
                    value = value * 10 + digit
                    digits += 1
                }
            case UInt8(ascii: ".") where digits > 0 && !isBehindPoint: isBehindPoint = true
            default: if digits > 0 { end() }
            }
        }
        if digits > 0 { end() }
        return hasLatitude && hasLongitude
    }

    func finds(in text: String) -> Bool { finds(in: text.utf8) }

    /// In head or body.
    func finds(in answer: TestResponse) -> Bool {
        finds(in: answer.body.readableBytesView) || finds(in: answer.head)
    }
}

extension TestResponse {
    /// The fields of its head, a line each.
    var head: String { headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}
