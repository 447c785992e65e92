package import ChirpCommunity
internal import ChirpCore
package import ChirpMap
package import ChirpPlaces
package import ChirpWeb

/// A board's maps: beside lists and in an item's page. They show where things are *shown*, never more.
package struct BoardMap: Sendable {
    /// An item as a marker, at the point that it is given, or else where it is shown; `near` is where distances are told from.
    package typealias Marker = @Sendable (_ item: Item, _ spot: GeoPoint?, _ near: GeoPoint?) -> MapPoint

    private let desk: BoardDesk
    private let board: String
    private let ground: MapGround
    private let marker: Marker

    /// So many things at most are asked for a map.
    private static let mostMarkers = 300
    private static let mostNames = 24

    /// What the whole earth is looked at through.
    package static let world = MapWindow(box: .world)

    /// - Parameters:
    ///   - board: its name, as in addresses.
    ///   - ground: what maps are made with.
    package init(_ desk: BoardDesk, board: String, ground: MapGround, marker: @escaping Marker) {
        self.desk = desk
        self.board = board
        self.ground = ground
        self.marker = marker
    }

    /// What a question finds in a part of the earth, wherever else it asks.
    package func points(
        _ query: ItemQuery, in box: GeoBox, near: GeoPoint?, for viewer: Viewer
    ) async throws -> [MapPoint] {
        var query = query
        query.area = nil
        query.after = nil
        query.order = .newest
        let markers = try await desk.library.seen(by: viewer).markers(query, in: box, most: Self.mostMarkers)
        // In one order, so that the same question has the same answer, byte for byte.
        let ordered = markers.sorted {
            ($0.point.latitude, $0.point.longitude, $0.count) < ($1.point.latitude, $1.point.longitude, $1.count)
        }
        return ordered.map { found in
            guard let item = found.item else {
                return MapPoint(point: found.point, count: found.count, title: "", href: "")
            }
            return marker(item, nil, near)
        }
    }

    private func labels(_ box: GeoBox) async -> [MapLabel] {
        await desk.gazetteer?.labels(in: box, limit: Self.mostNames) ?? []
    }

    /// A map and a list of the same beside it. The board has its markers at `/api/hub/v1/BOARD/markers`.
    ///
    /// - Parameters:
    ///   - name: of what the map is.
    ///   - query: what is looked for; nil: something that is nowhere.
    ///   - fields: what the question says beside where, all of it: markers are asked for with these.
    ///   - path: of the page, without the prefix.
    ///   - inPath: the field that the path names, so that the page's own addresses say it no second time.
    package func beside(
        _ list: HTML, name: String, _ window: MapWindow, _ query: ItemQuery?, fields: [(name: String, value: String)],
        path: String, inPath: String? = nil, near: GeoPoint?, for viewer: Viewer
    ) async throws -> HTML {
        var found: [MapPoint] = []
        if let query { found = try await points(query, in: window.box, near: near, for: viewer) }
        let asked = PercentEncoding.form(fields)
        let own = PercentEncoding.form(fields.filter { $0.name != inPath })
        let base = "\(desk.links.prefix)\(path)?\(own.isEmpty ? "" : "\(own)&")"
        return MapView(
            ground: ground, window: window, name: name, points: found, labels: await labels(window.box),
            markers: "\(desk.links.prefix)/api/hub/v1/\(board)/markers?\(asked)", address: { "\(base)\($0.query)" }
        ).beside(list: list)
    }

    /// Where one item is shown: its author sees what everybody sees, and whoever may know the place itself sees that.
    ///
    /// - Parameter window: another part of the earth, when somebody has moved the map.
    package func small(_ item: Item, name: String, _ window: MapWindow?, isAuthor: Bool) async -> HTML {
        guard let place = item.place else { return .nothing }
        let spot = isAuthor ? place.shown : place.exact ?? place.shown
        let radius: Double =
            switch place.precision {
            case .exact: 600
            case .near: 1500
            case .town: 12_000
            }
        let window = window ?? MapWindow(around: spot, radius: radius)
        let base = "\(desk.links.prefix)/\(item.board)/\(item.id)"
        return MapView(
            ground: ground, window: window, name: name, points: [marker(item, spot, nil)],
            labels: await labels(window.box), address: { "\(base)?\($0.query)" }
        ).html
    }
}

extension Gazetteer {
    /// Names of the greatest places as a map shows them; none where nobody knows any.
    package func labels(in box: GeoBox, limit: Int) async -> [MapLabel] {
        let places = try? await greatest(in: box, limit: limit)
        return (places ?? []).map { MapLabel(point: $0.point, text: $0.name, weight: Double($0.people)) }
    }
}
