internal import ChirpPlaces

/// Things that one marker of a map stands for.
struct MarkerGroup {
    private(set) var count = 0
    /// Sums, in millionths of a degree; longitudes count on from the west of the box.
    private var latitudes = 0
    private var longitudes = 0
    /// The sum of their sequences: of one alone, which it is.
    private(set) var items: Int64 = 0

    init() {}

    init(count: Int, latitudes: Int, longitudes: Int, items: Int64) {
        (self.count, self.latitudes, self.longitudes, self.items) = (count, latitudes, longitudes, items)
    }

    mutating func add(_ item: Int64, at point: GeoPoint, in box: GeoBox) {
        count += 1
        latitudes += Int(clamping: (point.latitude * 1e6).rounded())
        longitudes += Int(clamping: (point.longitude * 1e6).rounded()) + (point.longitude < box.west ? 360_000_000 : 0)
        items &+= item
    }

    /// - Parameter factor: 1, or -1 to take away.
    mutating func add(_ other: MarkerGroup, _ factor: Int) {
        count += factor * other.count
        latitudes += factor * other.latitudes
        longitudes += factor * other.longitudes
        items &+= Int64(factor) * other.items
    }

    /// The middle of them; nil for nothing.
    var point: GeoPoint? {
        guard count > 0 else { return nil }
        let (latitude, longitude) = (Double(latitudes) / Double(count) / 1e6, Double(longitudes) / Double(count) / 1e6)
        return GeoPoint(latitude: min(90, max(-90, latitude)), longitude: longitude)
    }
}

/// A lattice over a box, of not more fields than there may be markers.
struct MarkerLattice {
    let box: GeoBox
    private let fields: Int
    private let height, width: Double

    init(_ box: GeoBox, most: Int) {
        self.box = box
        fields = max(1, Int(clamping: Double(most).squareRoot().rounded(.down)))
        height = max(box.height / Double(fields), 1e-9)
        width = max(box.width / Double(fields), 1e-9)
    }

    /// Degrees on the shorter side of a field.
    var side: Double { min(height, width) }

    /// In millionths of a degree.
    var west: Int { Int(clamping: (box.west * 1e6).rounded()) }

    /// The field that a point is in.
    func number(_ point: GeoPoint) -> Int { number(point.latitude, point.longitude) }

    /// The field that the middle of a cell is in.
    func number(_ cell: MapCell) -> Int {
        let side = cell.level.side
        return number((Double(cell.row) + 0.5) * side - 90.0, (Double(cell.column) + 0.5) * side - 180.0)
    }

    private func number(_ latitude: Double, _ longitude: Double) -> Int {
        let row = Int(clamping: (latitude - box.south) / height)
        let column = Int(clamping: (longitude + (longitude < box.west ? 360.0 : 0.0) - box.west) / width)
        return min(fields - 1, max(0, row)) * fields + min(fields - 1, max(0, column))
    }
}
