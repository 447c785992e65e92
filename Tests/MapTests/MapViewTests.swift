import ChirpMap
import ChirpPlaces
import ChirpTestKit
import ChirpWeb
import Foundation
import Testing

/// The map of a page (LF-14): markers that are links and say what they are, previews, ways, and all of it escaped and small.
@Suite struct MapViewTests {
    private let bonn = GeoPoint(nearLatitude: 50.73743, longitude: 7.09821)

    private func view(_ points: [MapPoint], zoom: Int = 12, at centre: GeoPoint? = nil) -> String {
        MapView(
            ground: MapGround(prefix: "/hub"), window: MapWindow(centre: centre ?? bonn, zoom: zoom),
            name: "Lost & found",
            points: points, markers: "/hub/map.json?q=a&b", address: { "/hub/lost?q=<&\($0.query)" }
        ).html.text
    }

    private func point(_ latitude: Double, _ longitude: Double, _ count: Int = 1, title: String = "Key") -> MapPoint {
        MapPoint(
            point: GeoPoint(nearLatitude: latitude, longitude: longitude), count: count, title: title,
            detail: "found, 2 h",
            href: "/lost/1", pictureHref: "/pictures/a-small.jpg")
    }

    @Test func `a marker says what it is and opens its preview on the map`() {
        let html = view([point(50.74, 7.1)])
        #expect(html.contains("href=\"#map-1\"><title>Key – found, 2 h</title>"))
        #expect(html.contains("<div class=\"map-preview\" id=\"map-1\" tabindex=\"-1\">"))
        #expect(html.contains("<a href=\"/hub/lost/1\">Key</a><span>found, 2 h</span>"))
        #expect(html.contains("src=\"/hub/pictures/a-small.jpg\""))
        #expect(html.contains("href=\"#map\" aria-label=\"Close\""))
    }

    @Test func `what is written into it is escaped and leads nowhere else`() {
        let evil = MapPoint(
            point: bonn, title: "<img src=x onerror=alert(1)>\"'", detail: "</title><script>",
            href: "javascript:alert(1)",
            pictureHref: "//elsewhere.example/x")
        let html = view([evil])
        #expect(!html.contains("<img src=x") && !html.contains("<script>") && !html.contains("javascript:"))
        #expect(!html.contains("elsewhere.example"))
        #expect(html.contains("q=&lt;&amp;at="))
        #expect(!html.contains("style=\""))
    }

    @Test func `the numbers of markers add up to those of the things`() {
        var random = SeededGenerator(seed: 5)
        let window = MapWindow(centre: bonn, zoom: 9)
        let points = (0..<300).map { _ in
            let place = window.frame.place(
                x: .random(in: 1...479, using: &random), y: .random(in: 1...419, using: &random))
            return point(place.latitude, place.longitude, .random(in: 1...50, using: &random))
        }
        let spots = MapSpot.gathered(points, in: window.frame)
        #expect(spots.map(\.count).reduce(0, +) == points.map(\.count).reduce(0, +))
        #expect(spots.count <= 130)
        for (index, one) in spots.enumerated() {
            for other in spots[..<index] {
                #expect(
                    ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot() > 43.9)
            }
        }
        let large = MapSpot.gathered(points, in: MapFrame(box: window.box, width: 2048, height: 2048), reach: 1)
        #expect(large.count < 300)
    }

    @Test func `many things lead closer, and a few at one place are told one by one`() {
        let many = view([point(50.74, 7.1, 200)])
        #expect(many.contains("<title>200 things here: zoom in</title>") && many.contains("zoom=14#map\""))
        #expect(!many.contains("map-preview"))
        let few = view([point(50.74, 7.1, title: "Key"), point(50.74, 7.1, title: "Cat")])
        #expect(few.contains(">2</text>") && few.contains(">Key</a>") && few.contains(">Cat</a>"))
        let last = view((0..<9).map { point(50.73743, 7.09821, title: "Thing \($0)") }, zoom: 18)
        #expect(last.contains(">Thing 8</a>"))
    }

    @Test func `markers over the date line stand in the picture`() {
        let html = view(
            [point(-17, 179.9), point(-17, -179.0)], zoom: 7, at: GeoPoint(nearLatitude: -17, longitude: 179.9))
        #expect(html.components(separatedBy: "class=\"map-mark\"").count == 3)
        let places = html.matches(of: /translate\((-?\d+) (-?\d+)\)/).compactMap { Int($0.1) }
        #expect(places.allSatisfy { (0...480).contains($0) })
    }

    @Test func `a page with as many markers as there may be stays within its budget`() {
        let window = MapWindow(centre: GeoPoint(nearLatitude: 54, longitude: 10), zoom: 5)
        let points = (0..<300).map { number in
            let place = window.frame.place(x: Double(number % 20) * 24 + 5, y: Double(number / 20) * 28 + 5)
            return point(place.latitude, place.longitude, title: String(repeating: "key ring ", count: 6))
        }
        let size = view(points, zoom: 5, at: window.centre).utf8.count
        #expect(size < 100_000, "\(size)")
        print("a full map: \(size) bytes; without things: \(view([], zoom: 5, at: window.centre).utf8.count) bytes")
    }

    @Test func `markers for the moving map are JSON with the things too near to each other as one`() throws {
        let points = [point(50.74, 7.1), point(50.7400001, 7.1, 4), point(50.9, 6.9)]
        let box = MapWindow(centre: bonn, zoom: 9).box
        let data = try WebJSON.encode(MapMarkers(points, in: box, zoom: 9))
        let markers = try #require(
            (try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]])?["markers"])
        #expect(markers.count == 2)
        #expect(markers[0]["count"] as? Int == 5 && markers[0]["title"] as? String == "")
        #expect(
            markers[1]["href"] as? String == "/lost/1" && markers[1]["picture"] as? String == "/pictures/a-small.jpg")
    }

    // MARK: What moves it

    @Test(arguments: [
        "https://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org:8443/a/{z}/{x}/{y}.png?key=a-b",
        "http://127.0.0.1:8080/{z}/{x}/{y}",
    ])
    func `a template of tiles names its one server`(template: String) throws {
        let tiles = try #require(MapTiles(template: template, attribution: "© <b>"))
        #expect(template.hasPrefix(tiles.origin + "/"))
        let html = MapGround(prefix: "", tiles: tiles).attributes.text
        #expect(html.contains("data-attribution=\"© &lt;b&gt;\""))
    }

    @Test(arguments: [
        "", "https://tiles.example.org/{z}/{x}.png", "http://tiles.example.org/{z}/{x}/{y}", "ftp://a/{z}/{x}/{y}",
        "https://{s}.example.org/{z}/{x}/{y}", "https://a.example;script-src/{z}/{x}/{y}", "https://a b/{z}/{x}/{y}",
        "https://a.example'/{z}/{x}/{y}", "https://user@a.example/{z}/{x}/{y}", "https://a.example/{z}/{x}/{y}\"><",
        "https:///{z}/{x}/{y}", "https://a.example:0/{z}/{x}/{y}", "https://*.example.org/{z}/{x}/{y}",
        "https://a.example/{z}/{x}/{y}/{y}",
    ])
    func `no other template is taken`(template: String) {
        #expect(MapTiles(template: template, attribution: "") == nil)
    }

    @Test func `without Leaflet on the machine the drawn map says nothing of it`() {
        #expect(LeafletFiles(folder: "/nowhere") == nil)
        #expect(!view([]).contains("data-leaflet"))
    }

    @Test func `drawings that are files have the colours of the pages`() throws {
        let css = String(decoding: try #require(Asset.styles["map"]).bytes, as: UTF8.self)
        let own = MapDocument.style.matches(of: /#[0-9a-f]{6}/).map { String($0.0) }
        let accents = ["#00574d", "#6fe3cc"]
        for colour in Set(own).subtracting(accents) { #expect(css.contains(colour), "\(colour)") }
    }
}
