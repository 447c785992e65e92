package import ChirpWeb

/// A map of a page: drawn by the server, with markers that are links, ways to other parts of the earth, and previews that open on it
/// (LF-14). All of it works without script and by keyboard; the script puts a moving map in its place where the server has one.
package struct MapView: Sendable {
    private let ground: MapGround
    private let window: MapWindow
    private let name: String
    private let spots: [MapSpot]
    private let labels: [MapLabel]
    private let markers: String?
    private let address: @Sendable (MapWindow) -> String

    /// About the most bytes that land and borders take in a page (the hub's pages have 150 kB in all).
    private static let mostBytes = 18_000

    /// - Parameters:
    ///   - name: of what the map is, as in `Map of what was lost and found`.
    ///   - points: what lies in the window; what would cover others is counted together.
    ///   - labels: names of places in the window.
    ///   - markers: the address of ``MapMarkers``, without `box` and `zoom`; nil keeps the markers as they are.
    ///   - address: of the same page with another window; it says everything else that the page was asked for.
    package init(
        ground: MapGround, window: MapWindow, name: String, points: [MapPoint], labels: [MapLabel] = [],
        markers: String? = nil, address: @escaping @Sendable (MapWindow) -> String
    ) {
        self.ground = ground
        self.window = window
        self.name = name
        self.labels = labels
        self.markers = markers
        self.address = address
        var (reach, spots) = (MapSpot.reach, MapSpot.gathered(points, in: window.frame))
        while spots.count(where: { Self.opens($0, window) }) > Self.mostPreviews, reach < 150 {
            reach *= 1.25
            spots = MapSpot.gathered(points, in: window.frame, reach: reach)
        }
        self.spots = spots
    }

    /// The map with the same things as a list beside it, or below where there is no room.
    ///
    /// - Parameter list: what the board shows; the script puts the list of the new place there when the map was moved.
    package func beside(list: HTML) -> HTML {
        "<div class=\"map-and-list\">\(html)<section data-map-list aria-label=\"\(word("map.list"))\">\(list)</section></div>"
    }

    /// The map alone.
    package var html: HTML {
        let data: HTML = markers.map { " data-markers=\"\($0)\"" } ?? .nothing
        return """
            <figure class="map" id="map" data-map data-at="\(MapWindow.text(window.centre))" data-zoom="\(window.zoom)"\
            \(ground.attributes)\(data) data-name="\(name)">
            <div class="map-stage">\(picture)\(previews)</div>
            \(ways)
            <figcaption>\(WorldMap.showsLand(window.frame) ? .nothing : "\(word("map.grid")) ")\(ground.source)</figcaption>
            </figure>
            """
    }

    private var picture: HTML {
        """
        <svg class="map-picture" viewBox="0 0 \(window.width) \(window.height)" role="group" aria-label="\(name)">\
        <g aria-hidden="true">\(ground.map.drawing(window.frame, labels: labels, bytes: Self.mostBytes, markers: spots.map { SIMD2($0.x, $0.y) }))</g>\
        \(HTML(joining: spots.indices.map(mark)))</svg>
        """
    }

    /// Few enough to be told one by one.
    private static let mostTold = 5
    /// Each preview takes up to 1 kB of the page.
    private static let mostPreviews = 50

    /// Whether a marker opens a preview; otherwise it leads closer.
    private func opens(_ spot: MapSpot) -> Bool { Self.opens(spot, window) }

    private static func opens(_ spot: MapSpot, _ window: MapWindow) -> Bool {
        spot.count == spot.members.count && (spot.count <= mostTold || window.zoom == MapWindow.mostZoom)
    }

    private func mark(_ index: Int) -> HTML {
        let spot = spots[index]
        let place: HTML = "transform=\"translate(\(WorldMap.rounded(spot.x)) \(WorldMap.rounded(spot.y)))\""
        let way = opens(spot) ? "#map-\(index + 1)" : closer(spot)
        guard spot.count > 1 else {
            let thing = spot.members.first
            let title = thing.map { $0.detail.isEmpty ? $0.title : "\($0.title) – \($0.detail)" } ?? ""
            let look: HTML = thing?.isHollow == true ? "map-mark map-hollow" : "map-mark"
            return """
                <a class="\(look)" \(place) href="\(way)"><title>\(title)</title>\
                <circle class="map-hit" r="18"/><circle class="map-pin" r="8"/></a>
                """
        }
        let title = opens(spot) ? word("map.group", count: spot.count) : word("map.cluster", count: spot.count)
        let number = spot.count < 10_000 ? "\(spot.count)" : "\(spot.count / 1000)k"
        return """
            <a class="map-mark map-many" \(place) href="\(way)"><title>\(title)</title>\
            <circle class="map-pin" r="\(spot.count < 10 ? 15 : spot.count < 100 ? 17 : 20)"/>\
            <text y="5">\(number)</text></a>
            """
    }

    /// The page two steps nearer to a marker.
    private func closer(_ spot: MapSpot) -> String {
        address(window.centred(on: spot.point).zoomed(to: window.zoom + 2)) + "#map"
    }

    /// Cards that are seen while their id is what the address names (`:target`).
    private var previews: HTML {
        HTML(
            joining: spots.indices.filter { opens(spots[$0]) }.map { index in
                let spot = spots[index]
                let things = spot.members.prefix(20).map(thing)
                let nearer: HTML =
                    spot.count > 1 && window.zoom < MapWindow.mostZoom
                    ? "<a class=\"map-closer\" href=\"\(closer(spot))\">\(word("map.closer"))</a>" : .nothing
                return """
                    <div class="map-preview" id="map-\(index + 1)" tabindex="-1">\(HTML(joining: things))\(nearer)\
                    <a class="map-close" href="#map" aria-label="\(word("map.close"))">×</a></div>
                    """
            })
    }

    private func thing(_ thing: MapPoint) -> HTML {
        let image: HTML =
            thing.pictureHref.map {
                "<img src=\"\(ground.prefix)\($0)\" alt=\"\" width=\"72\" height=\"72\" loading=\"lazy\">"
            } ?? .nothing
        return """
            <div class="map-thing">\(image)<p><a href="\(ground.prefix)\(thing.href)">\(thing.title)</a>\
            <span>\(thing.detail)</span></p></div>
            """
    }

    private var ways: HTML {
        let links = MapWindow.Move.allCases.map { move -> HTML in
            let name: HTML = "<span class=\"visually-hidden\">\(move.name)</span>\(move.sign)"
            guard let next = window.moved(move) else {
                return "<span class=\"map-way\" aria-hidden=\"true\">\(move.sign)</span>"
            }
            return "<a class=\"map-way\" href=\"\(address(next))#map\">\(name)</a>"
        }
        return "<nav class=\"map-ways\" aria-label=\"\(word("map.moves"))\">\(HTML(joining: links))</nav>"
    }
}

extension MapWindow.Move {
    var name: String {
        switch self {
        case .closer: word("map.closer")
        case .wider: word("map.wider")
        case .west: word("map.west")
        case .north: word("map.north")
        case .south: word("map.south")
        case .east: word("map.east")
        }
    }

    /// Drawn, since signs of fonts differ in size.
    var sign: HTML {
        let path: HTML =
            switch self {
            case .closer: "M5 12h14M12 5v14"
            case .wider: "M5 12h14"
            case .west: "M15 5l-7 7 7 7"
            case .north: "M5 15l7-7 7 7"
            case .south: "M5 9l7 7 7-7"
            case .east: "M9 5l7 7-7 7"
            }
        return "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }
}
