internal import Glibc

/// A point on the earth, in degrees of WGS 84.
package struct GeoPoint: Hashable, Sendable, Codable {
    /// From -90 to 90.
    package let latitude: Double
    /// From -180 up to, not including, 180.
    package let longitude: Double

    /// Nil for what is no place: not a number, or beyond a pole. Longitudes are brought into their range.
    package init?(latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 1080 else { return nil }
        self.latitude = latitude
        self.longitude = Self.wrapped(longitude)
    }

    /// What was written down by somebody else may be no place.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let (latitude, longitude) = (
            try values.decode(Double.self, forKey: .latitude), try values.decode(Double.self, forKey: .longitude)
        )
        guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(forKey: .latitude, in: values, debugDescription: "no place")
        }
        self = point
    }

    /// The nearest place there is to what was computed: what is beyond a pole lies at it, and what is no number is 0.
    package init(nearLatitude latitude: Double, longitude: Double) {
        self.latitude = latitude.isFinite ? min(90, max(-90, latitude)) : 0
        self.longitude = longitude.isFinite ? Self.wrapped(longitude) : 0
    }

    /// A longitude in its range.
    package static func wrapped(_ longitude: Double) -> Double {
        // What is in it stays as it is, to the last digit.
        if longitude >= -180, longitude < 180 { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        let wrapped = (turned < 0 ? turned + 360 : turned) - 180
        // A turn may be lost in rounding.
        return wrapped >= 180 ? -180 : wrapped
    }

    /// Where the equator meets the meridian of Greenwich.
    static let origin = GeoPoint()

    private init() { (latitude, longitude) = (0, 0) }

    /// Of the sphere whose volume is the earth's (IUGG mean radius R1), in metres.
    package static let earthRadius = 6_371_008.8

    /// Metres along the great circle. Within 0.6 % of the ellipsoid's.
    package func distance(to other: GeoPoint) -> Double {
        let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let across = (other.longitude - longitude) * .pi / 180
        let (x, y) = (sin((b - a) / 2), sin(across / 2))
        return 2 * Self.earthRadius * asin(min(1, (x * x + cos(a) * cos(b) * y * y).squareRoot()))
    }
}
