package import ChirpPlaces
package import ChirpWeb

/// What the maps of a hub are made with.
package struct MapGround: Sendable {
    /// What stands before every path of the hub.
    let prefix: String
    /// Another server's drawings for the moving map; nil: this server's own.
    package let tiles: MapTiles?
    /// What moves maps in browsers; nil: the map that was drawn stays.
    package let leaflet: LeafletFiles?
    package let map = WorldMap()

    package init(prefix: String, tiles: MapTiles? = nil, leaflet: LeafletFiles? = nil) {
        self.prefix = prefix
        self.tiles = tiles
        self.leaflet = leaflet
    }

    /// What a page with a map has in its head.
    package var head: HTML { "<link rel=\"stylesheet\" href=\"\(prefix)/assets/\(Asset.style("map"))\">\n" }

    /// The script of such a page, when it has none of its own: one of its own imports `./map.js` and asks for the words `map.script.`.
    package static var script: PageScript { PageScript(.map, words: ["map.script."]) }

    /// What the script has to know of the ground, as attributes of an element.
    package var attributes: HTML {
        let version = "v=\(WorldMap.version)&l=\(Language.current.rawValue)"
        let own = "\(prefix)/map/{z}/{x}/{y}.svg?\(version)"
        let source: HTML =
            tiles.map { " data-tiles=\"\($0.template)\" data-side=\"256\" data-attribution=\"\($0.attribution)\"" }
            ?? " data-tiles=\"\(own)\" data-side=\"512\" data-attribution=\"\(word("map.source"))\""
        let moving: HTML =
            leaflet.map {
                " data-leaflet=\"\(prefix)/map/leaflet.js?v=\($0.version)\" data-look=\"\(prefix)/map/leaflet.css?v=\($0.version)\""
            } ?? .nothing
        return "\(source)\(moving)"
    }

    /// The address of a drawing as a picture.
    ///
    /// - Parameter pin: a place that is marked.
    func picture(_ window: MapWindow, pin: GeoPoint?) -> String {
        let mark = pin.map { "&pin=\(MapWindow.text($0))" } ?? ""
        return "\(prefix)/map/view.svg?\(window.query)&size=\(window.width)x\(window.height)\(mark)"
            + "&v=\(WorldMap.version)&l=\(Language.current.rawValue)"
    }

    /// Whom the map is from: required by the licence of the names.
    var source: HTML {
        .word(
            "map.from",
            [
                "earth": link("https://www.naturalearthdata.com/", word("map.earth")),
                "names": link("https://www.geonames.org/", word("map.names")),
            ])
    }

    private func link(_ address: String, _ name: String) -> HTML {
        "<a href=\"\(address)\" rel=\"noreferrer\">\(name)</a>"
    }
}
