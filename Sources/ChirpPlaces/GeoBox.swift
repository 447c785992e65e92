internal import Glibc

/// A part of the earth between two parallels and two meridians.
package struct GeoBox: Hashable, Sendable {
    package let south, north: Double
    /// From -180 up to, not including, 180. When `west` is east of `east` the box lies over the date line.
    package let west: Double
    /// From -180 to 180.
    package let east: Double

    /// Nil when south is north of north, or something is out of its range.
    package init?(south: Double, west: Double, north: Double, east: Double) {
        guard [south, west, north, east].allSatisfy(\.isFinite), south <= north, south >= -90, north <= 90,
            abs(west) <= 1080, abs(east) <= 1080
        else { return nil }
        self.south = south
        self.north = north
        if east - west >= 360 {
            (self.west, self.east) = (-180, 180)
        } else {
            self.west = GeoPoint.wrapped(west)
            self.east = east == 180 ? 180 : GeoPoint.wrapped(east)
        }
    }

    /// The whole earth.
    package static let world = GeoBox(-90, -180, 90, 180)

    private init(_ south: Double, _ west: Double, _ north: Double, _ east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// The smallest one that holds every point within a distance, all around where a pole is within it.
    ///
    /// - Parameter radius: metres, at least 0.
    package init(around centre: GeoPoint, radius: Double) {
        let angle = max(0, radius) / GeoPoint.earthRadius
        // With a tenth of a millimetre more, so that rounding leaves nothing out.
        let degrees = angle * 180 / .pi + 1e-9
        let (south, north) = (centre.latitude - degrees, centre.latitude + degrees)
        let reach = sin(min(angle, .pi / 2)) / cos(centre.latitude * .pi / 180)
        guard south > -90, north < 90, reach < 1 else {
            self.init(max(-90, south), -180, min(90, north), 180)
            return
        }
        let across = asin(reach) * 180 / .pi + 1e-9 / cos(centre.latitude * .pi / 180)
        self.init(
            south, GeoPoint.wrapped(centre.longitude - across), north, GeoPoint.wrapped(centre.longitude + across))
    }

    /// The same as boxes that do not lie over the date line: one or two.
    package var pieces: [GeoBox] {
        west <= east ? [self] : [GeoBox(south, west, north, 180), GeoBox(south, -180, north, east)]
    }

    package func contains(_ point: GeoPoint) -> Bool {
        guard point.latitude >= south, point.latitude <= north else { return false }
        return west <= east
            ? point.longitude >= west && point.longitude <= east : point.longitude >= west || point.longitude <= east
    }
}
