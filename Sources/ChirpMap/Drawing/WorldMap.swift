internal import ChirpPlaces
package import ChirpWeb
internal import Glibc

/// Draws parts of the earth: land, lakes, borders, names. From zoom 11 on, where its lines would be off by more than they show, it draws a grid
/// and names instead. Any number of tasks may ask at once.
package struct WorldMap: Sendable {
    private let shapes: WorldShapes
    private let drawn = DrawnLines()

    /// The map that ships. It is read once in the life of the program.
    package init() { shapes = .natural }

    init(_ shapes: WorldShapes) { self.shapes = shapes }

    /// Changes whenever what is drawn does, for addresses that browsers may keep for ever.
    package static var version: String { "\(WorldShapes.version)1" }

    /// Beyond this zoom the lines, true to 2 km, are not shown.
    static let mostDetailed = 10.6

    /// Whether the land can be seen at such a scale; otherwise there is a grid.
    package static func showsLand(_ frame: MapFrame) -> Bool { frame.zoom <= mostDetailed }

    /// The elements of a drawing, for an `svg` element of the frame's size. They are coloured by the classes of `map.css`.
    ///
    /// - Parameters:
    ///   - id: what begins the elements' ids, different for each drawing of a page.
    ///   - labels: names of places, beside those of countries.
    ///   - bytes: about the most that the lines take; above it less is shown of them.
    ///   - hasScale: with a bar that tells distances.
    ///   - markers: where markers stand, in the frame's units: no name is written there.
    package func drawing(
        _ frame: MapFrame, id: String = "map", labels: [MapLabel] = [], bytes: Int = 38_000, hasScale: Bool = true,
        markers: [SIMD2<Double>] = []
    ) -> HTML {
        let ground: HTML =
            Self.showsLand(frame)
            ? drawn.lines(DrawnLines.Key(frame: frame, id: id, bytes: bytes)) { lines(frame, id: id, bytes: bytes) }
            : "<rect class=\"map-land\" width=\"100%\" height=\"100%\"/>\(MapGrid.lines(frame))"
        return
            "<rect class=\"map-water\" width=\"100%\" height=\"100%\"/>\(ground)\(names(frame, labels, markers))\(hasScale ? MapGrid.scaleBar(frame) : .nothing)"
    }

    /// Two units of a path are one of the frame, so that whole numbers are exact enough.
    private static let fineness = 2.0

    private func lines(_ frame: MapFrame, id: String, bytes: Int) -> HTML {
        var tolerance = 0.9
        while true {
            let land = path(shapes.land, frame, tolerance, isArea: true)
            let lakes = path(shapes.lakes, frame, tolerance, isArea: true)
            let borders = path(shapes.borders, frame, tolerance, isArea: false)
            // Twice the tolerance has about half the points.
            guard land.utf8.count + lakes.utf8.count + borders.utf8.count > bytes, tolerance < 30 else {
                // First all outlines, then all areas: where two areas meet at the date line no outline is left.
                return """
                    <g transform="scale(.5)"><defs><path id="\(id)-land" d="\(land)"/></defs>\
                    <use class="map-coast" href="#\(id)-land"/><use class="map-land" href="#\(id)-land"/>\
                    <path class="map-lakes" d="\(lakes)"/><path class="map-borders" d="\(borders)"/></g>
                    """
            }
            tolerance *= 1.4
        }
    }

    private func path(_ lines: [WorldShapes.Line], _ frame: MapFrame, _ tolerance: Double, isArea: Bool) -> String {
        let scale = frame.scale * Self.fineness
        let size = SIMD2(frame.width, frame.height) * Self.fineness
        // Outlines along the edges of what was cut off lie outside the picture.
        let bounds = Outline.Bounds(least: SIMD2(-16, -16), most: size + 16)
        var path = PathText()
        let (first, last) = (
            Int(clamping: frame.left.rounded(.down)),
            Int(clamping: (frame.left + frame.width / frame.scale).rounded(.down))
        )
        // One world more on each side: what overlaps at the date line.
        for world in max(-4, first - 1)...min(4, max(first - 1, last + 1)) {
            let origin = SIMD2(frame.left - Double(world), frame.top)
            for line in lines {
                let (least, most) = ((line.least - origin) * scale, (line.most - origin) * scale)
                let extent = most - least
                guard all(least .<= bounds.most), all(most .>= bounds.least), max(extent.x, extent.y) >= 2 * tolerance
                else { continue }
                let points = line.points.map { ($0 - origin) * scale }
                if isArea {
                    let area = Outline.simplified(ring: Outline.area(points, in: bounds), tolerance: tolerance)
                    if area.count >= 3 { path.add(area, isClosed: true) }
                } else {
                    for part in Outline.parts(points, in: bounds) {
                        path.add(Outline.simplified(part, tolerance: tolerance), isClosed: false)
                    }
                }
            }
        }
        return path.text
    }

    private func names(_ frame: MapFrame, _ labels: [MapLabel], _ markers: [SIMD2<Double>]) -> HTML {
        var places = LabelPlaces(frame)
        for marker in markers { places.keepFree(marker, radius: 14) }
        let language = Language.current == .german ? 1 : 0
        for (index, name) in shapes.names.enumerated()
        where frame.zoom <= 7 && Double(name.rank) <= frame.zoom + 1.2 {
            let text = name.names.indices.contains(language) ? name.names[language] : name.names.first ?? ""
            let point = GeoPoint(nearLatitude: name.latitude, longitude: name.longitude)
            // Countries matter more than any town; among themselves, they stand in their order.
            places.add(MapLabel(point: point, text: text, weight: 1e12 - Double(index)), .country)
        }
        for label in labels.prefix(400) { places.add(label, .town) }
        let texts = places.placed.map { label -> HTML in
            let (x, y) = (Self.rounded(label.x), Self.rounded(label.y))
            return switch label.kind {
            case .country: "<text class=\"map-country\" x=\"\(x)\" y=\"\(y)\">\(label.text)</text>"
            case .town:
                "<circle class=\"map-dot\" cx=\"\(x)\" cy=\"\(y + 6)\" r=\"2\"/><text class=\"map-town\" x=\"\(x)\" y=\"\(y)\">\(label.text)</text>"
            }
        }
        return texts.isEmpty ? .nothing : "<g class=\"map-names\">\(HTML(joining: texts))</g>"
    }

    static func rounded(_ value: Double) -> Int { Int(clamping: value.clamped(to: -1e6...1e6).rounded()) }
}
