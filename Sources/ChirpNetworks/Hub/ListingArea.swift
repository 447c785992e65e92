internal import FoundationEssentials

/// A part of the earth whose new spoken listings somebody listens to: everything within a distance of a place.
public struct ListingArea: Hashable, Sendable {
    /// Degrees of WGS 84.
    public let latitude: Double
    public let longitude: Double
    /// Metres, from 100 to 100,000.
    public let radius: Double

    /// Nil for what is no place, or no such distance.
    public init?(latitude: Double, longitude: Double, radius: Double) {
        guard latitude.isFinite, abs(latitude) <= 90, longitude.isFinite, abs(longitude) <= 180,
            radius.isFinite, radius >= 100, radius <= 100_000
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// As in `2 km`.
    public var distance: String {
        let metres = Int(radius.rounded())
        guard metres >= 1000 else { return "\(metres) m" }
        let tenths = (metres + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) km" : "\(tenths / 10).\(tenths % 10) km"
    }

    /// As in `50.7301,7.0983`: a ten-thousandth of a degree is some ten metres.
    public var point: String { "\(Self.fixed(latitude)),\(Self.fixed(longitude))" }

    private static func fixed(_ degrees: Double) -> String {
        let value = Int((abs(degrees) * 10_000).rounded())
        let digits = String(value % 10_000)
        return "\(degrees < 0 && value > 0 ? "-" : "")\(value / 10_000)."
            + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
