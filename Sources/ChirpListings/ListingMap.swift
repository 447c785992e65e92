internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// The board's maps: beside lists, in a listing's page, and where a place is chosen. They show where things are *shown*, never more.
struct ListingMap {
    let desk: ListingDesk
    let now: Date

    init(_ desk: ListingDesk) {
        self.desk = desk
        now = desk.desk.library.now()
    }

    /// So many things at most are asked for a map.
    private static let mostMarkers = 300
    private static let mostNames = 24

    /// What a question finds in a part of the earth, wherever else it asks.
    func points(_ query: ItemQuery, in box: GeoBox, near: GeoPoint?, for viewer: Viewer) async throws -> [MapPoint] {
        var query = query
        query.area = nil
        query.after = nil
        query.order = .newest
        let markers = try await desk.desk.library.seen(by: viewer).markers(query, in: box, most: Self.mostMarkers)
        // In one order, so that the same question has the same answer, byte for byte.
        let ordered = markers.sorted {
            ($0.point.latitude, $0.point.longitude, $0.count) < ($1.point.latitude, $1.point.longitude, $1.count)
        }
        return ordered.map { marker in
            guard let item = marker.item else {
                return MapPoint(point: marker.point, count: marker.count, title: "", href: "")
            }
            return point(item, near: near)
        }
    }

    private func point(_ item: Item, at spot: GeoPoint? = nil, near: GeoPoint?) -> MapPoint {
        let side = Listing.Side(rawValue: item.kind) ?? .lost
        var detail = [side.name, Listing.ago(item.created, now: now)]
        if let distance = Listing.distance(of: item, from: near) { detail.append(distance) }
        return MapPoint(
            point: spot ?? item.place?.shown ?? GeoPoint(nearLatitude: 0, longitude: 0), title: item.title,
            detail: detail.joined(separator: " · "), href: "\(ListingDesk.path)/\(item.id)",
            pictureHref: item.pictures.first.map { "/pictures/\($0.text)-small.jpg" }, isHollow: side == .found)
    }

    /// Names of the greatest places; none where nobody knows any.
    private func labels(_ box: GeoBox) async -> [MapLabel] {
        let places = try? await desk.desk.gazetteer?.greatest(in: box, limit: Self.mostNames)
        return (places ?? []).map { MapLabel(point: $0.point, text: $0.name, weight: Double($0.people)) }
    }

    /// A map and a list of the same beside it.
    ///
    /// - Parameters:
    ///   - fields: what the question says beside where.
    ///   - path: of the page, without the prefix.
    func beside(
        _ list: HTML, _ window: MapWindow, _ query: ItemQuery, fields: [(name: String, value: String)], path: String,
        near: GeoPoint?, for viewer: Viewer
    ) async throws -> HTML {
        let points = try await points(query, in: window.box, near: near, for: viewer)
        let asked = PercentEncoding.form(fields)
        let base = "\(desk.prefix)\(path)?\(asked.isEmpty ? "" : "\(asked)&")"
        return MapView(
            ground: desk.ground, window: window, name: word("listing.map"), points: points,
            labels: await labels(window.box), markers: "\(desk.prefix)\(ListingDesk.api)/markers?\(asked)",
            address: { "\(base)\($0.query)" }
        ).beside(list: list)
    }

    /// Where one listing is shown: its author sees what everybody sees, and the other side of an accepted claim the place itself.
    ///
    /// - Parameter window: another part of the earth, when somebody has moved the map.
    func small(_ listing: Listing, _ window: MapWindow?, isAuthor: Bool) async -> HTML {
        guard let place = listing.item.place else { return .nothing }
        let spot = isAuthor ? place.shown : place.exact ?? place.shown
        let radius: Double =
            switch place.precision {
            case .exact: 600
            case .near: 1500
            case .town: 12_000
            }
        let window = window ?? MapWindow(around: spot, radius: radius)
        let base = "\(desk.prefix)\(listing.path)"
        return MapView(
            ground: desk.ground, window: window, name: word("listing.map.one"),
            points: [point(listing.item, at: spot, near: nil)], labels: await labels(window.box),
            address: { "\(base)?\($0.query)" }
        ).html
    }

    /// What the whole earth is looked at through.
    static let world = MapWindow(box: .world)
}
