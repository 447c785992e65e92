import ChirpMap
import ChirpPlaces
import ChirpWeb
import Foundation
import Testing

/// Pages with maps as files, to be looked at in a browser: `CHIRP_MAP_PAGES=FOLDER` writes them, `Scripts/map-screens` photographs them.
@Suite struct MapPages {
    private static var folder: String? { ProcessInfo.processInfo.environment["CHIRP_MAP_PAGES"] }

    @Test(.enabled(if: folder != nil)) func `pages with maps`() throws {
        let folder = URL(filePath: try #require(Self.folder))
        try FileManager.default.createDirectory(at: folder.appending(path: "assets"), withIntermediateDirectories: true)
        for asset in Asset.all {
            let file = folder.appending(path: "assets/\(asset.name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(asset.bytes).write(to: file)
        }
        let ground = MapGround(prefix: "")
        for (name, latitude, longitude, zoom) in [
            ("world", 20.0, 10.0, 1), ("europe", 50, 10, 4), ("rhine", 50.73743, 7.09821, 8),
            ("bonn", 50.73743, 7.09821, 13),
            ("fiji", -17, 179.9, 6), ("indonesia", -4, 118, 5), ("lofoten", 68.2, 14, 8),
        ] {
            let start = ContinuousClock.now
            let window = MapWindow(centre: GeoPoint(nearLatitude: latitude, longitude: longitude), zoom: zoom)
            let view = MapView(
                ground: ground, window: window, name: "Map of what was lost and found", points: Self.things(in: window),
                labels: Self.towns, address: { "?\($0.query)" })
            let list: HTML =
                "<ol class=\"posts\">\(HTML(joining: Self.things(in: window).prefix(4).map { "<li class=\"post\"><div class=\"text\"><h2><a href=\"#\">\($0.title)</a></h2><p>\($0.detail)</p></div></li>" }))</ol>"
            let page = Layout(prefix: "").page(
                title: "Lost and found", head: ground.head, script: MapGround.script,
                body: "<h1>Lost and found</h1>\(view.beside(list: list))")
            print(name, "page", page.text.utf8.count, "map", view.html.text.utf8.count, start.duration(to: .now))
            try Data(page.text.utf8).write(to: folder.appending(path: "\(name).html"))
            try Data(MapDocument.picture(ground.map, window.frame, labels: Self.towns, pin: window.centre).utf8)
                .write(to: folder.appending(path: "\(name).svg"))
        }
        let picker = PinPicker(window: MapWindow(centre: Self.towns[0].point, zoom: 12), point: Self.towns[0].point)
        let examples = PositionPrecision.allCases.map {
            "<label>\(PrecisionPicture.html($0)) \($0.rawValue)</label>" as HTML
        }
        let form = Layout(prefix: "").form(
            title: "Where was it?", head: ground.head, script: MapGround.script,
            body:
                "\(picker.html(ground: ground))<fieldset><legend>Others see</legend>\(HTML(joining: examples))</fieldset>"
        )
        try Data(form.text.utf8).write(to: folder.appending(path: "pin.html"))
    }

    private static let towns = [
        ("Bonn", 50.73743, 7.09821, 330_000.0), ("Köln", 50.93333, 6.95, 1_060_000),
        ("Koblenz", 50.35357, 7.57883, 110_000),
        ("Aachen", 50.77664, 6.08342, 250_000), ("Siegburg", 50.80019, 7.20769, 40_000),
        ("Beuel", 50.73889, 7.12, 66_000),
        ("Berlin", 52.52437, 13.41053, 3_500_000), ("Paris", 48.85341, 2.3488, 2_100_000),
        ("Roma", 41.89193, 12.51133, 2_300_000),
        ("Suva", -18.14161, 178.44149, 77_000), ("Bodø", 67.28, 14.405, 41_000),
        ("Poppelsdorf", 50.7226, 7.0863, 7_000),
    ].map { MapLabel(point: GeoPoint(nearLatitude: $0.1, longitude: $0.2), text: $0.0, weight: $0.3) }

    private static func things(in window: MapWindow) -> [MapPoint] {
        [(120.0, 90.0, 1), (300, 130, 1), (210, 240, 7), (340, 300, 48), (90, 320, 1), (400, 70, 312), (180, 150, 1)]
            .enumerated()
            .map { number, place in
                MapPoint(
                    point: window.frame.place(x: place.0, y: place.1), count: place.2,
                    title: "Bunch of keys with a red ribbon",
                    detail: "found, 3 hours ago, 1.2 km away", href: "/lost-and-found/\(number)",
                    isHollow: number % 2 == 0)
            }
    }
}
