package import ChirpPlaces

/// Something on a map, or a number of things that lie near each other.
package struct MapPoint: Hashable, Sendable {
    /// As others may see it.
    package let point: GeoPoint
    /// How many things stand for it; at least 1. For more than one the map shows the number, which leads closer.
    package let count: Int
    /// What it is, in a line.
    package let title: String
    /// Whether it was lost or found, how long ago, how far away: what the preview says of it.
    package let detail: String
    /// Its page on this hub, beginning with a slash.
    package let href: String
    /// A small picture of it on this hub, beginning with a slash.
    package let pictureHref: String?
    /// Drawn as a ring instead of a disc, so that two sorts can be told apart without colours.
    package let isHollow: Bool

    package init(
        point: GeoPoint, count: Int = 1, title: String, detail: String = "", href: String, pictureHref: String? = nil,
        isHollow: Bool = false
    ) {
        self.point = point
        self.count = max(1, count)
        self.title = String(title.prefix(120))
        self.detail = String(detail.prefix(200))
        self.href = Self.isLocal(href) ? href : ""
        self.pictureHref = pictureHref.flatMap { Self.isLocal($0) ? $0 : nil }
        self.isHollow = isHollow
    }

    /// A path on this server, and nothing that a browser takes for another one.
    private static func isLocal(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.hasPrefix("//") && !path.contains("\\")
    }
}

/// What the moving map asks for, as JSON: the things of the box that its query names (`box=SOUTH,WEST,NORTH,EAST`, `zoom=N`), at most 300,
/// with those too near to each other as one.
package struct MapMarkers: Encodable, Sendable {
    private struct Marker: Encodable, Sendable {
        let lat: Double
        let lon: Double
        let count: Int
        let title: String
        let detail: String
        let href: String
        let picture: String?
        let hollow: Bool
    }

    private let markers: [Marker]

    /// - Parameters:
    ///   - points: what lies in the box.
    ///   - box: what the moving map shows.
    ///   - zoom: its zoom, for how near is too near.
    package init(_ points: [MapPoint], in box: GeoBox, zoom: Int) {
        let frame = MapFrame(box: box, zoom: min(MapWindow.mostZoom, max(0, zoom)))
        markers = MapSpot.gathered(points, in: frame, reach: 36).map { spot in
            let only = spot.members.count == 1 ? spot.members.first : nil
            return Marker(
                lat: spot.point.latitude, lon: spot.point.longitude, count: spot.count, title: only?.title ?? "",
                detail: only?.detail ?? "", href: only?.href ?? "", picture: only?.pictureHref,
                hollow: only?.isHollow ?? false)
        }
    }
}

/// A marker as it is drawn: one thing, or several that would cover each other.
package struct MapSpot: Sendable {
    package let point: GeoPoint
    /// In units of the picture.
    package let x: Double
    package let y: Double
    /// Of all things.
    package private(set) var count: Int
    package private(set) var members: [MapPoint]

    /// How near two markers may come, in units of the picture. With that they can be pressed apart on the narrowest screen (WCAG 2.2, 2.5.8),
    /// and a page of the usual size has some 110 at most.
    package static let reach = 44.0

    /// Markers for things; their counts add up to those of the things. The largest keep their places, and the others near them are
    /// counted with them.
    ///
    /// - Parameter reach: how near they may come at least; on large pictures they stay further apart, so that there are never 300.
    package static func gathered(_ points: [MapPoint], in frame: MapFrame, reach: Double = reach) -> [MapSpot] {
        let reach = max(reach, (frame.width * frame.height / 240).squareRoot())
        var spots: [MapSpot] = []
        for point in points.sorted(by: { $0.count > $1.count }) {
            let (x, y) = frame.position(of: point.point)
            guard (0...frame.width).contains(x), (0...frame.height).contains(y) else { continue }
            let near = spots.firstIndex { spot in
                let (across, down) = (spot.x - x, spot.y - y)
                return across * across + down * down < reach * reach
            }
            if let near {
                spots[near].count += point.count
                spots[near].members.append(point)
            } else {
                spots.append(MapSpot(point: point.point, x: x, y: y, count: point.count, members: [point]))
            }
        }
        return spots
    }
}
