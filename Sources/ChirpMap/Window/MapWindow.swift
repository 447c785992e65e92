package import ChirpPlaces
internal import Glibc

/// What of the earth a visitor looks at: a middle and a zoom, in a picture of fixed proportions. It travels in addresses:
/// `?at=50.73743,7.09821&zoom=12`.
package struct MapWindow: Hashable, Sendable {
    /// Inside the world's edges, and so far from them that the picture is full.
    package let centre: GeoPoint
    /// From ``leastZoom`` to 18.
    package let zoom: Int
    /// In units of the picture; the page shows it as large as there is room.
    package let width: Int
    package let height: Int

    package static let mostZoom = 18
    /// What a page shows. Small enough that markers stay large enough to be pressed when it fills a narrow screen.
    package static let usualSize = (width: 480, height: 420)

    /// - Parameters:
    ///   - zoom: brought into its range.
    ///   - width: from 64 to 2048; brought into that.
    ///   - height: the same.
    package init(
        centre: GeoPoint, zoom: Int, width: Int = usualSize.width, height: Int = usualSize.height
    ) {
        let (width, height) = (min(2048, max(64, width)), min(2048, max(64, height)))
        self.width = width
        self.height = height
        let zoom = min(Self.mostZoom, max(Self.leastZoom(width, height), zoom))
        self.zoom = zoom
        let half = Double(height) / 2 / (MapFrame.tileSide * Double(1 << zoom))
        let down = min(1 - half, max(half, MapFrame.down(centre.latitude)))
        // Seven decimals are a centimetre.
        self.centre = GeoPoint(
            nearLatitude: (MapFrame.latitude(down: down) * 1e7).rounded() / 1e7,
            longitude: (centre.longitude * 1e7).rounded() / 1e7)
    }

    /// The largest zoom that shows a whole box.
    package init(box: GeoBox, width: Int = usualSize.width, height: Int = usualSize.height) {
        let frame = MapFrame(box: box, width: Double(width), height: Double(height))
        let zoom = Int(clamping: min(18, max(0, frame.zoom)).rounded(.down))
        self.init(
            centre: frame.place(x: frame.width / 2, y: frame.height / 2), zoom: zoom, width: width, height: height)
    }

    /// A place with what lies around it.
    ///
    /// - Parameter radius: metres from the middle to the nearest edge, at least.
    package init(around point: GeoPoint, radius: Double) {
        self.init(box: GeoBox(around: point, radius: radius))
    }

    /// What addresses say: `at` and `zoom`, or `box` as `SOUTH,WEST,NORTH,EAST`; nil when they say nothing that can be understood.
    ///
    /// - Parameter value: of a name in the query.
    package init?(
        reading value: (String) -> String?, width: Int = usualSize.width, height: Int = usualSize.height
    ) {
        if let text = value("at"), let numbers = Self.numbers(text, 2),
            let point = GeoPoint(latitude: numbers[0], longitude: numbers[1])
        {
            let zoom = value("zoom")?.integer(in: -99...999) ?? 11
            self.init(centre: point, zoom: zoom, width: width, height: height)
        } else if let box = Self.box(value("box")) {
            self.init(box: box, width: width, height: height)
        } else {
            return nil
        }
    }

    /// A box as addresses have it; nil when there is none, or none that can be understood.
    package static func box(_ text: String?) -> GeoBox? {
        guard let text, let numbers = numbers(text, 4) else { return nil }
        return GeoBox(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
    }

    private static func numbers(_ text: String, _ count: Int) -> [Double]? {
        guard text.utf8.count <= 100 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
                ? part.decimal(in: -1000...1000) : nil
        }
        return parts.count == count && numbers.count == count ? numbers : nil
    }

    /// For the address of a page, behind `?` or `&`.
    package var query: String { "at=\(Self.text(centre))&zoom=\(zoom)" }

    /// `LATITUDE,LONGITUDE` to about a metre, and never with an exponent.
    package static func text(_ point: GeoPoint) -> String {
        "\(decimal(point.latitude, 5)),\(decimal(point.longitude, 5))"
    }

    private static func decimal(_ value: Double, _ places: Int) -> String {
        let factor = pow(10, Double(places))
        let whole = Int(clamping: (value.magnitude * factor).rounded())
        let digits = String(whole % Int(clamping: factor))
        let zeros = String(repeating: "0", count: places - digits.count)
        return "\(value < 0 && whole != 0 ? "-" : "")\(whole / Int(clamping: factor)).\(zeros)\(digits)"
    }

    /// The smallest zoom at which the world fills a picture, so that it stands there once.
    static func leastZoom(_ width: Int, _ height: Int) -> Int {
        Int(clamping: log2(Double(max(width, height)) / MapFrame.tileSide).rounded(.up).clamped(to: 0...3))
    }
    package var leastZoom: Int { Self.leastZoom(width, height) }

    /// As a rectangle of the map.
    package var frame: MapFrame {
        let scale = MapFrame.tileSide * Double(1 << zoom)
        return MapFrame(
            left: MapFrame.across(centre.longitude) - Double(width) / 2 / scale,
            top: MapFrame.down(centre.latitude) - Double(height) / 2 / scale, scale: scale, width: Double(width),
            height: Double(height))
    }
    package var box: GeoBox { frame.box }
}

extension MapWindow {
    /// Where one can go from a picture.
    package enum Move: String, CaseIterable, Sendable {
        case closer, wider, west, north, south, east
    }

    /// Nil where it leads nowhere: at the last zoom, at the edge of the world.
    package func moved(_ move: Move) -> MapWindow? {
        let step = 0.4
        let (x, y) = (Double(width), Double(height))
        let next =
            switch move {
            case .closer: zoomed(to: zoom + 1)
            case .wider: zoomed(to: zoom - 1)
            case .west: centred(x: x * (0.5 - step), y: y / 2)
            case .east: centred(x: x * (0.5 + step), y: y / 2)
            case .north: centred(x: x / 2, y: y * (0.5 - step))
            case .south: centred(x: x / 2, y: y * (0.5 + step))
            }
        return next == self ? nil : next
    }

    /// The same place at another zoom.
    package func zoomed(to zoom: Int) -> MapWindow {
        MapWindow(centre: centre, zoom: zoom, width: width, height: height)
    }

    /// The same zoom, with another place in the middle.
    package func centred(on point: GeoPoint) -> MapWindow {
        MapWindow(centre: point, zoom: zoom, width: width, height: height)
    }

    private func centred(x: Double, y: Double) -> MapWindow { centred(on: frame.place(x: x, y: y)) }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
