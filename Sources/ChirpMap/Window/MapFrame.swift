package import ChirpPlaces
internal import Glibc

/// A rectangle of a map in Mercator's projection: what part of the earth it shows, and where in it a place lies. Coordinates count from the
/// upper left corner, to the right and down.
///
/// The world is a square of side 1, from the date line to the date line and between ``mostLatitude`` (EPSG:3857, which all web maps use).
package struct MapFrame: Hashable, Sendable {
    /// Where the left edge lies, in parts of the world. Below 0 or beyond 1 when the frame reaches over the date line.
    package let left: Double
    /// The same of the upper edge.
    package let top: Double
    /// How large the world is in the frame's units.
    package let scale: Double
    /// In the frame's units, at least 1.
    package let width: Double
    package let height: Double

    /// Where the square ends in the north and in the south, in degrees.
    package static let mostLatitude = 85.0511287798066
    /// Of a tile at zoom 0, and so of the world there.
    package static let tileSide = 256.0

    init(left: Double, top: Double, scale: Double, width: Double, height: Double) {
        (self.left, self.top, self.scale, self.width, self.height) = (left, top, scale, width, height)
    }

    /// The smallest one of that size that shows a whole box, with the box in its middle. Nothing is shown larger than at zoom 20.
    package init(box: GeoBox, width: Double, height: Double) {
        let (width, height) = (max(1, width), max(1, height))
        let (west, east) = (Self.across(box.west), Self.across(box.east) + (box.west > box.east ? 1 : 0))
        let (north, south) = (Self.down(box.north), Self.down(box.south))
        let most = Self.tileSide * 0x1p20
        let scale = min(most, width / max(east - west, 1e-9), height / max(south - north, 1e-9))
        self.init(
            left: (west + east - width / scale) / 2, top: (north + south - height / scale) / 2, scale: scale,
            width: width,
            height: height)
    }

    /// A box at a zoom of web maps, as large as it is there.
    init(box: GeoBox, zoom: Int) {
        let scale = Self.tileSide * Double(1 << zoom)
        let (west, east) = (Self.across(box.west), Self.across(box.east) + (box.west > box.east ? 1 : 0))
        let (north, south) = (Self.down(box.north), Self.down(box.south))
        self.init(
            left: west, top: north, scale: scale, width: max(1, (east - west) * scale),
            height: max(1, (south - north) * scale))
    }

    /// A tile by its numbers, as moving maps ask for it; nil when there is none.
    package init?(tile x: Int, _ y: Int, zoom: Int, side: Double) {
        guard (0...20).contains(zoom), (0..<(1 << zoom)).contains(x), (0..<(1 << zoom)).contains(y) else { return nil }
        let count = Double(1 << zoom)
        self.init(left: Double(x) / count, top: Double(y) / count, scale: side * count, width: side, height: side)
    }

    /// How far a longitude lies to the east of the date line, in parts of the world.
    package static func across(_ longitude: Double) -> Double { (longitude + 180) / 360 }

    /// How far a latitude lies to the south of the upper edge of the world; poles lie on its edges.
    package static func down(_ latitude: Double) -> Double {
        let angle = min(mostLatitude, max(-mostLatitude, latitude)) * .pi / 180
        return min(1, max(0, 0.5 - asinh(tan(angle)) / (2 * .pi)))
    }

    /// The latitude there.
    static func latitude(down: Double) -> Double { atan(sinh((0.5 - min(1, max(0, down))) * 2 * .pi)) * 180 / .pi }

    /// Where a place lies: of the worlds side by side, in the one that is nearest to the frame's middle.
    package func position(of point: GeoPoint) -> (x: Double, y: Double) {
        let middle = left + width / scale / 2
        let across = Self.across(point.longitude)
        let turned = across + (middle - across).rounded()
        return ((turned - left) * scale, (Self.down(point.latitude) - top) * scale)
    }

    /// Which place lies there; what is beyond an edge of the world is taken to it.
    package func place(x: Double, y: Double) -> GeoPoint {
        GeoPoint(nearLatitude: Self.latitude(down: top + y / scale), longitude: (left + x / scale) * 360 - 180)
    }

    /// What part of the earth it shows.
    package var box: GeoBox {
        let (south, north) = (Self.latitude(down: top + height / scale), Self.latitude(down: top))
        let (west, east) = (left * 360 - 180, (left + width / scale) * 360 - 180)
        return GeoBox(south: south, west: west, north: north, east: east) ?? .world
    }

    /// A frame that shows more on each side.
    func grown(by margin: Double) -> MapFrame {
        MapFrame(
            left: left - margin / scale, top: top - margin / scale, scale: scale, width: width + 2 * margin,
            height: height + 2 * margin)
    }

    /// The zoom of web maps, where the world is 256 units at 0 and twice as much at each further step.
    var zoom: Double { log2(scale / Self.tileSide) }

    /// On the ground, in the frame's middle.
    package var metresPerUnit: Double {
        let middle = Self.latitude(down: top + height / scale / 2) * .pi / 180
        return 2 * .pi * GeoPoint.earthRadius * cos(middle) / scale
    }
}
