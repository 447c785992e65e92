import ChirpPlaces
import ChirpTestKit
import Foundation
import Testing

/// Points, boxes and squares of the map, at poles and at the date line too (LF-3).
@Suite struct GeoTests {
    /// Anywhere on the earth, each square kilometre as likely as another; every tenth close to a pole or to the date line.
    static func somewhere(_ random: inout SeededGenerator) throws -> GeoPoint {
        var latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
        var longitude = Double.random(in: -180..<180, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: latitude = Bool.random(using: &random) ? 89.999 : -89.999
        case 1: longitude = Double.random(in: 179.99..<180.01, using: &random)
        default: break
        }
        return try #require(GeoPoint(latitude: latitude, longitude: longitude))
    }

    /// Cells are opened in the order of these distances, so none may be greater than that of a point in the cell.
    @Test func `a box is as far as the nearest point of it`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let (south, west) = (
                Double.random(in: -90...88, using: &random), Double.random(in: -180...178, using: &random)
            )
            let box = try #require(GeoBox(south: south, west: west, north: south + 2, east: west + 2))
            let point = try #require(
                GeoPoint(
                    latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
            )
            let distance = box.distance(from: point)
            var (nearest, farthest) = (Double.infinity, 0.0)
            for step in 0...40 {
                for other in 0...40 {
                    let inside = try #require(
                        GeoPoint(latitude: south + Double(step) / 20, longitude: west + Double(other) / 20))
                    nearest = min(nearest, point.distance(to: inside))
                    farthest = max(farthest, point.distance(to: inside))
                }
            }
            #expect(distance <= nearest)
            // The points that were tried are up to 2.8 km from one another.
            #expect(distance > nearest - 4100)
            #expect(box.farthest(from: point) >= farthest && box.farthest(from: point) < farthest + 4100)
        }
    }

    @Test func `what is no place is refused, and longitudes are brought into their range`() throws {
        for (latitude, longitude) in [(90.1, 0), (-91, 0), (.nan, 0), (0, .infinity), (0, 2000)] as [(Double, Double)] {
            #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
        }
        let wrapped = [(180, -180), (-180, -180), (190, -170), (-190, 170), (540, -180), (7.0982, 7.0982)]
        for (typed, kept) in wrapped as [(Double, Double)] {
            #expect(GeoPoint(latitude: 0, longitude: typed)?.longitude == kept)
        }
        #expect(GeoPoint.wrapped(-180.000_000_000_000_01) < 180)
    }

    @Test func `a point comes back as it was written down, and none from what is no place`() throws {
        let point = try #require(GeoPoint(latitude: 50.7322, longitude: 7.0982))
        #expect(try JSONDecoder().decode(GeoPoint.self, from: JSONEncoder().encode(point)) == point)
        for text in [#"{"latitude":91,"longitude":0}"#, #"{"latitude":0,"longitude":5000}"#, #"{"latitude":1}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(GeoPoint.self, from: Data(text.utf8)) }
        }
    }

    @Test func `distances are those of a globe`() throws {
        let bonn = try #require(GeoPoint(latitude: 50.7322, longitude: 7.0982))
        let berlin = try #require(GeoPoint(latitude: 52.5244, longitude: 13.4105))
        #expect(abs(bonn.distance(to: berlin) - 478_000) < 2000)
        #expect(bonn.distance(to: bonn) == 0)
        let (west, east) = try (
            #require(GeoPoint(latitude: 0, longitude: 179.5)), #require(GeoPoint(latitude: 0, longitude: -179.5))
        )
        #expect(abs(west.distance(to: east) - 111_195) < 1)
        let poles = try (
            #require(GeoPoint(latitude: 90, longitude: 12)), #require(GeoPoint(latitude: -90, longitude: 99))
        )
        #expect(abs(poles.0.distance(to: poles.1) - .pi * GeoPoint.earthRadius) < 1)
    }

    @Test func `a box around a point holds all that is that near, also at poles and over the date line`() throws {
        var random = SeededGenerator(seed: 16)
        for _ in 0..<2000 {
            let centre = try Self.somewhere(&random)
            let radius = pow(10, Double.random(in: 0...6.5, using: &random))
            let box = GeoBox(around: centre, radius: radius)
            #expect(box.contains(centre))
            // Any direction, a little less than the radius away.
            let (turn, angle) = (
                Double.random(in: 0..<(2 * .pi), using: &random), radius * 0.999_999 / GeoPoint.earthRadius
            )
            let from = centre.latitude * .pi / 180
            let to = asin(sin(from) * cos(angle) + cos(from) * sin(angle) * cos(turn))
            let across = atan2(sin(turn) * sin(angle) * cos(from), cos(angle) - sin(from) * sin(to))
            let point = try #require(
                GeoPoint(latitude: to * 180 / .pi, longitude: centre.longitude + across * 180 / .pi))
            #expect(box.contains(point), "\(centre) \(radius) \(point)")
            #expect(box.pieces.count { $0.contains(point) } >= 1)
        }
    }

    @Test func `boxes that lie over the date line are two, and the whole earth is one`() throws {
        let fiji = try #require(GeoBox(south: -20, west: 177, north: -12, east: -178))
        #expect(fiji.pieces.count == 2)
        let suva = try #require(GeoPoint(latitude: -18.14, longitude: 178.44))
        let bonn = try #require(GeoPoint(latitude: 50.7, longitude: 7.1))
        #expect(fiji.contains(suva) && !fiji.contains(bonn))
        #expect(try #require(GeoBox(south: -20, west: 177, north: -12, east: 182)) == fiji)
        #expect(try #require(GeoBox(south: -90, west: -400, north: 90, east: 400)) == .world)
        #expect(GeoBox.world.pieces.count == 1 && GeoBox.world.contains(bonn))
        #expect(GeoBox(south: 10, west: 0, north: 9, east: 1) == nil)
        #expect(GeoBox(south: 0, west: .nan, north: 9, east: 1) == nil)
        #expect(GeoBox(south: 0, west: 0, north: 91, east: 1) == nil)
    }

    @Test func `squares that cover a box hold every point of it, each once`() throws {
        var random = SeededGenerator(seed: 17)
        for level in MapCell.Level.indexed {
            for _ in 0..<500 {
                let centre = try Self.somewhere(&random)
                let box = GeoBox(around: centre, radius: Double.random(in: 0...(level.side * 150_000), using: &random))
                guard let cells = MapCell.covering(box, level, most: 5000) else {
                    // Around a pole, and there alone.
                    #expect(abs(centre.latitude) > 80)
                    continue
                }
                #expect(Set(cells).count == cells.count)
                #expect(cells.contains(MapCell(centre, level)))
                #expect(Set(cells.map(\.token)).count == cells.count)
                for cell in cells { #expect(MapCell(cell.centre, level) == cell) }
            }
        }
        let wide = try #require(MapCell.covering(.world, .wide, most: 20_000))
        #expect(wide.count == 90 * 180)
        #expect(MapCell.covering(.world, .wide, most: 16_199) == nil)
        #expect(MapCell.covering(.world, .fine, most: 20_000) == nil)
        // All around but for a sliver: begins and ends in the same square.
        let nearly = try #require(GeoBox(south: 0, west: 1.5, north: 1, east: 361))
        let around = try #require(MapCell.covering(nearly, .wide, most: 1000))
        #expect(around.count == 180 && Set(around).count == 180)
    }

    @Test func `a square's name is one word for the index, and poles belong to one`() throws {
        for (latitude, longitude) in [(90, 0), (-90, 179.999), (0, -180), (89.99, 180)] as [(Double, Double)] {
            let point = try #require(GeoPoint(latitude: latitude, longitude: longitude))
            for level in MapCell.Level.indexed {
                let token = MapCell(point, level).token
                #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "\(token)")
            }
        }
    }
}
