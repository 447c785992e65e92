import ChirpMap
import ChirpPlaces
import ChirpWeb
import Foundation
import Testing

/// Windows in addresses, and choosing places: whatever is sent, what comes of it is a place on the map.
@Suite struct MapWindowTests {
    private func window(_ values: [String: String]) -> MapWindow? { MapWindow { values[$0] } }

    @Test func `a window is the same after it was in an address`() throws {
        for (latitude, longitude, zoom) in [
            (50.73743, 7.09821, 12), (-17.0, 179.9, 5), (0.0, 0.0, 3), (-0.00001, -0.00001, 18),
        ] {
            let first = MapWindow(centre: try #require(GeoPoint(latitude: latitude, longitude: longitude)), zoom: zoom)
            let parts = first.query.split(separator: "&").map { $0.split(separator: "=") }
            let second = try #require(
                window(Dictionary(uniqueKeysWithValues: parts.map { (String($0[0]), String($0[1])) })))
            #expect(second.zoom == first.zoom && second.query == first.query)
            #expect(second.centre.distance(to: first.centre) < 2)
        }
    }

    @Test func `a box in an address is wholly seen`() throws {
        let found = try #require(window(["box": "50.6,6.9,50.8,7.2"]))
        let box = found.box
        #expect(box.south <= 50.6 && box.north >= 50.8 && box.west <= 6.9 && box.east >= 7.2)
        #expect(found.zoom == 10)
        let over = try #require(window(["box": "-20,175,-15,-178"]))
        #expect(over.box.west > 0 && over.box.east < 0)
    }

    @Test(arguments: [
        [:], ["at": ""], ["at": "1"], ["at": "1,2,3"], ["at": "nan,nan"], ["at": "inf,0"], ["at": "91,0"],
        ["at": "1e2,0"],
        ["at": "0x10,0"], ["at": "<script>,1"], ["at": " 1,2"], ["box": "1,2,3"], ["box": "5,0,1,0"],
        ["box": "a,b,c,d"],
        ["box": "-95,0,0,0"], ["at": String(repeating: "9", count: 400)], ["box": String(repeating: ",", count: 99)],
        ["at": "٣,٤"],
    ])
    func `what cannot be understood is no window`(values: [String: String]) { #expect(window(values) == nil) }

    @Test(arguments: ["99", "-5", "999999999999999999999", "x", "", "1e3"])
    func `any zoom comes into its range`(zoom: String) throws {
        let found = try #require(window(["at": "50,7", "zoom": zoom]))
        #expect((found.leastZoom...MapWindow.mostZoom).contains(found.zoom))
    }

    @Test func `a window stays on the map and full`() throws {
        for latitude in [-90.0, -85, 85, 90] {
            for zoom in [0, 1, 4, 18] {
                let found = try #require(window(["at": "\(latitude),179.99999", "zoom": "\(zoom)"]))
                let frame = found.frame
                #expect(frame.top >= -1e-9 && frame.top + frame.height / frame.scale <= 1 + 1e-9)
            }
        }
    }

    @Test func `ways lead there and back, and end at the edges`() throws {
        let start = try #require(window(["at": "50,7", "zoom": "9"]))
        for (there, back) in [(MapWindow.Move.west, MapWindow.Move.east), (.closer, .wider), (.east, .west)] {
            let moved = try #require(start.moved(there)?.moved(back))
            #expect(moved.centre.distance(to: start.centre) < 100 && moved.zoom == start.zoom)
        }
        #expect(start.zoomed(to: 18).moved(.closer) == nil)
        #expect(start.zoomed(to: 0).moved(.wider) == nil)
        let top = try #require(window(["at": "90,0", "zoom": "2"]))
        #expect(top.moved(.north) == nil && top.moved(.south) != nil)
        #expect(try #require(window(["at": "0,179.9", "zoom": "6"])).moved(.east)?.centre.longitude ?? 0 < 0)
    }

    // MARK: Choosing a place

    private func picked(_ fields: [String: String]) throws -> PinPicker {
        let start = try #require(window(["at": "50.73743,7.09821", "zoom": "13"]))
        return PinPicker(reading: { fields[$0] ?? "" }, start: start)
    }

    @Test func `pressing the picture chooses the place that it shows there`() throws {
        let start = try #require(window(["at": "50.73743,7.09821", "zoom": "13"]))
        for size in PinPicker.Size.allCases {
            let seen = MapWindow(centre: start.centre, zoom: 13, width: size.width, height: size.height)
            let wanted = seen.frame.place(x: 31, y: 200)
            let fields = [
                "\(size.field).x": "31", "\(size.field).y": "200", "pin-at": "50.73743,7.09821", "pin-zoom": "13",
            ]
            #expect(PinPicker.isChange { fields[$0] ?? "" })
            let point = try #require(try picked(fields).point)
            #expect(point.distance(to: wanted) < 2)
            // And what is then drawn marks it there.
            let (x, y) = seen.frame.position(of: point)
            #expect(abs(x - 31) < 0.5 && abs(y - 200) < 0.5)
        }
    }

    @Test func `by keys the cross in the middle is chosen`() throws {
        let picked = try picked(["pin.x": "0", "pin.y": "0"])
        #expect(try #require(picked.point).distance(to: picked.window.centre) < 1)
    }

    @Test func `buttons move the map, and the place stays until it is removed`() throws {
        let fields = ["pin-place": "50.74,7.1", "pin-at": "50.73743,7.09821", "pin-zoom": "13", "pin-move": "closer"]
        let closer = try picked(fields)
        #expect(closer.window.zoom == 14 && closer.point?.latitude == 50.74)
        #expect(closer.window.centre.distance(to: try #require(closer.point)) < 2)
        #expect(try picked(fields.merging(["pin-move": "remove"]) { $1 }).point == nil)
        let kept = fields.filter { $0.key != "pin-move" }
        #expect(!PinPicker.isChange { kept[$0] ?? "" })
    }

    @Test(arguments: ["nan", "-1e300", "99999", "abc", "inf", "٣"])
    func `hostile presses are places on the map too`(text: String) throws {
        let picked = try picked(["pin.x": text, "pin.y": text, "pin-at": text, "pin-zoom": text, "pin-place": text])
        let point = try #require(picked.point)
        #expect(picked.window.box.contains(point))
        let html = picked.html(ground: MapGround(prefix: "/x\"><script>")).text
        #expect(!html.contains("<script>") && !html.contains("\"\(text)\"") || text == "99999")
    }

    @Test func `the form's map has no inline style or script`() throws {
        let html = try picked(["pin-place": "50.74,7.1"]).html(ground: MapGround(prefix: "")).text
        #expect(!html.contains("style=") && !html.contains("<script") && html.firstMatch(of: /\son[a-z]+="/) == nil)
        for precision in PositionPrecision.allCases {
            #expect(PrecisionPicture.html(precision).text.contains("role=\"img\""))
        }
    }
}
