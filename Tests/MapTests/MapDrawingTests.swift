import ChirpMap
import ChirpPlaces
import ChirpTestKit
import ChirpWeb
import Foundation
import Testing

/// What the server draws: small, whole at the date line and at the poles, and honest where it knows too little (boards.md 0.3, 5.4.9).
@Suite struct MapDrawingTests {
    private let map = WorldMap()

    private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> GeoBox {
        try #require(GeoBox(south: south, west: west, north: north, east: east))
    }

    /// Every point of a path in the picture, in its units.
    private func points(_ path: Substring) -> [SIMD2<Double>] {
        var points: [SIMD2<Double>] = []
        var place = SIMD2<Double>(0, 0)
        for line in path.split(separator: "M") {
            let numbers = line.matches(of: /-?\d+/).compactMap { Double($0.0) }
            for (index, start) in stride(from: 0, to: numbers.count - 1, by: 2).enumerated() {
                let step = SIMD2(numbers[start], numbers[start + 1])
                place = index == 0 ? step : place + step
                points.append(place / 2)
            }
        }
        return points
    }

    private func land(_ frame: MapFrame) throws -> [SIMD2<Double>] {
        let drawing = map.drawing(frame).text
        return points(try #require(drawing.firstMatch(of: /id="map-land" d="([^"]*)"/)?.1))
    }

    @Test(arguments: 0...10)
    func `a drawing of any zoom is small`(zoom: Int) throws {
        for (latitude, longitude) in zoom % 3 > 0
            ? [(62.0, 6.0)]
            : [
                (50.7, 7.1), (62.0, 6.0), (-8.0, 115.0), (65.0, -180.0), (-50.0, -74.0), (0.0, 0.0),
            ]
        {
            let centre = try #require(GeoPoint(latitude: latitude, longitude: longitude))
            for size in [(480, 420), (1280, 800)] {
                let window = MapWindow(centre: centre, zoom: zoom, width: size.0, height: size.1)
                let drawing = map.drawing(window.frame).text
                #expect(drawing.utf8.count < 48_000, "\(latitude), \(longitude), \(zoom): \(drawing.utf8.count)")
                #expect(map.drawing(window.frame, bytes: 18_000).text.utf8.count < 26_000)
            }
        }
    }

    @Test func `every tile of the first zooms is small and there are no others`() throws {
        for zoom in 0...2 {
            for x in 0..<(1 << zoom) {
                for y in 0..<(1 << zoom) {
                    let frame = try #require(MapFrame(tile: x, y, zoom: zoom, side: 512))
                    #expect(MapDocument.tile(map, frame, labels: []).utf8.count < 52_000, "\(zoom)/\(x)/\(y)")
                }
            }
        }
        #expect(MapFrame(tile: 1, 0, zoom: 0, side: 512) == nil)
        #expect(MapFrame(tile: 0, -1, zoom: 3, side: 512) == nil)
        #expect(MapFrame(tile: 0, 0, zoom: 64, side: 512) == nil)
    }

    @Test func `what is drawn lies in and close around the picture`() throws {
        let window = MapWindow(centre: try #require(GeoPoint(latitude: 54, longitude: 10)), zoom: 6)
        let land = try land(window.frame)
        #expect(land.count > 100)
        for point in land {
            #expect((-10...490).contains(point.x) && (-10...430).contains(point.y), "\(point)")
        }
    }

    @Test func `a box over the date line shows the land on both sides of it`() throws {
        let fiji = try box(-19.5, 176, -15.5, -178)
        let frame = MapFrame(box: fiji, width: 480, height: 420)
        let land = try land(frame)
        let middle = frame.position(of: try #require(GeoPoint(latitude: -17, longitude: 180))).x
        #expect(abs(middle - 320) < 1)
        #expect(land.contains { $0.x < middle - 5 } && land.contains { $0.x > middle + 5 })
        let chukotka = MapFrame(box: try box(62, 170, 72, -170), width: 480, height: 420)
        let points = try self.land(chukotka)
        #expect(points.contains { $0.x < 100 } && points.contains { $0.x > 380 })
    }

    @Test(arguments: [(-90.0, -80.0), (80.0, 90.0), (-90.0, 90.0), (90.0, 90.0)])
    func `a box at a pole ends where the projection does`(south: Double, north: Double) throws {
        let frame = MapFrame(box: try box(south, -180, north, 180), width: 480, height: 420)
        #expect(frame.scale.isFinite && frame.top.isFinite)
        let drawing = map.drawing(frame).text
        #expect(!drawing.contains("nan") && !drawing.contains("inf"))
        #expect(drawing.utf8.count < 48_000)
    }

    @Test func `a place and its position in a picture are the same both ways`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let point = try #require(
                GeoPoint(
                    latitude: .random(in: -84...84, using: &random), longitude: .random(in: -180..<180, using: &random))
            )
            let window = MapWindow(centre: point, zoom: .random(in: 2...18, using: &random))
            let (x, y) = window.frame.position(of: point)
            #expect((-0.01...480.01).contains(x) && (-0.01...420.01).contains(y))
            #expect(window.frame.place(x: x, y: y).distance(to: point) < 0.1)
        }
    }

    @Test func `a kilometre is a kilometre on the scale bar`() throws {
        for (latitude, zoom) in [(0.0, 3), (50.7, 12), (-70.0, 9), (80.0, 18)] {
            let window = MapWindow(centre: try #require(GeoPoint(latitude: latitude, longitude: 7)), zoom: zoom)
            let frame = window.frame
            let (x, y) = (frame.width / 2, frame.height / 2)
            let metres = frame.place(x: x, y: y).distance(to: frame.place(x: x + 20, y: y)) / 20
            #expect(abs(metres / frame.metresPerUnit - 1) < 0.01)
            #expect((50...131).contains(MapGrid.scale(frame) / frame.metresPerUnit))
        }
    }

    @Test func `close by there is a grid with the names of places instead of land that would be wrong`() throws {
        let bonn = try #require(GeoPoint(latitude: 50.73743, longitude: 7.09821))
        let far = map.drawing(MapWindow(centre: bonn, zoom: 10).frame).text
        let near = map.drawing(
            MapWindow(centre: bonn, zoom: 13).frame, labels: [MapLabel(point: bonn, text: "Bonn <3", weight: 1)]
        ).text
        #expect(far.contains("map-coast") && !far.contains("map-grid"))
        #expect(near.contains("map-grid") && !near.contains("map-coast"))
        #expect(near.contains(">Bonn &lt;3</text>") && near.contains(" km</text>"))
    }

    @Test func `names do not cover each other and the weightier one stays`() throws {
        let window = MapWindow(centre: try #require(GeoPoint(latitude: 50.7, longitude: 7)), zoom: 11)
        let labels = (0..<40).compactMap { number in
            GeoPoint(latitude: 50.7 + Double(number % 4) * 0.001, longitude: 7 + Double(number) * 0.0005).map {
                MapLabel(point: $0, text: "Town \(number)", weight: Double(number))
            }
        }
        let text = map.drawing(window.frame, labels: labels).text
        #expect(text.contains("Town 39"))
        #expect(text.components(separatedBy: "class=\"map-town\"").count < 6)
    }

    @Test func `countries are named in the visitor's language`() throws {
        let frame = MapWindow(centre: try #require(GeoPoint(latitude: 48, longitude: 10)), zoom: 5).frame
        #expect(map.drawing(frame).text.contains(">Germany<"))
        #expect(Language.$current.withValue(.german) { map.drawing(frame).text }.contains(">Deutschland<"))
    }

    /// A hundredth of a degree is about a kilometre; known land is land, known sea is none.
    @Test func `land is where land is`() throws {
        let shapes = WorldShapes.natural
        func isLand(_ latitude: Double, _ longitude: Double) -> Bool {
            let point = SIMD2(MapFrame.across(longitude), MapFrame.down(latitude))
            var turns = 0
            for line in shapes.land where all(line.least .<= point) && all(line.most .>= point) {
                var from = line.points[line.points.count - 1]
                for to in line.points {
                    if (from.y > point.y) != (to.y > point.y),
                        point.x < (to.x - from.x) * (point.y - from.y) / (to.y - from.y) + from.x
                    {
                        turns += 1
                    }
                    from = to
                }
            }
            return turns % 2 == 1
        }
        #expect(
            isLand(50.73, 7.1) && isLand(-33.5, 150) && isLand(39.5, -98) && isLand(65, 179.5) && isLand(66.5, -176))
        #expect(!isLand(54.5, 4) && !isLand(0, -30) && !isLand(-40, 100) && !isLand(42, 51))
        #expect(shapes.names.contains { $0.names == ["Germany", "Deutschland"] })
    }

    @Test func `a file that is no map draws nothing`() {
        let shapes = WorldShapes(Array("l !!!\nl ////\nn x\nw \nq\nl zzzzzzzzzzzzzzzzzzzzzzzzzzzz\n".utf8))
        #expect(shapes.land.isEmpty && shapes.lakes.isEmpty && shapes.names.isEmpty)
    }
}
