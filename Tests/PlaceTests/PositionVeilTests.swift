import ChirpPlaces
import ChirpTestKit
import Foundation
import Testing

/// What others may know of a place that is not to be known exactly (LF-4, LF-10).
@Suite struct PositionVeilTests {
    private let veil = PositionVeil(key: [UInt8](repeating: 7, count: 32))

    private func near(_ point: GeoPoint, _ author: String = "ann") -> GeoPoint {
        veil.shown(point, .near, author: author, town: nil)
    }

    @Test func `half of a thousand places are at least 150 m from what is shown, and none more than 300 m`() throws {
        var random = SeededGenerator(seed: 1)
        var distances: [Double] = []
        for number in 0..<1000 {
            let point = try GeoTests.somewhere(&random)
            distances.append(near(point, "author \(number)").distance(to: point))
        }
        distances.sort()
        #expect(distances[500] >= 150, "\(distances[500])")
        #expect(distances[999] <= 300, "\(distances[999])")
    }

    /// Whoever knows the honeycomb learns the hexagon and no more: no guess for it is better than what is shown.
    @Test func `even the best guess for all places that are shown alike is 150 m off for half of them`() throws {
        var random = SeededGenerator(seed: 2)
        for latitude in [0, 50.7, -79, 84] as [Double] {
            let middle = try #require(GeoPoint(latitude: latitude, longitude: 7.1))
            let shown = near(middle)
            // All places around that are shown at the same point.
            var same: [GeoPoint] = []
            while same.count < 1000 {
                let point = try #require(
                    GeoPoint(
                        latitude: shown.latitude + Double.random(in: -0.003...0.003, using: &random),
                        longitude: shown.longitude + Double.random(in: -0.003...0.003, using: &random)
                            / cos(latitude * .pi / 180)))
                if near(point) == shown { same.append(point) }
            }
            for _ in 0..<100 {
                let guess = same[Int.random(in: 0..<1000, using: &random)]
                let errors = same.map { $0.distance(to: guess) }.sorted()
                #expect(errors[500] >= 150, "\(latitude): \(errors[500])")
            }
        }
    }

    @Test func `the same place of the same author is always shown at the same point`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let point = try GeoTests.somewhere(&random)
            let town = try GeoTests.somewhere(&random)
            let first = near(point)
            _ = veil.shown(point, .exact, author: "ann", town: town)
            _ = veil.shown(point, .town, author: "ann", town: town)
            #expect(veil.shown(point, .near, author: "ann", town: town) == first)
            #expect(
                PositionVeil(key: [UInt8](repeating: 7, count: 32)).shown(point, .near, author: "ann", town: nil)
                    == first)
        }
    }

    @Test func `another author and another key show another point`() throws {
        let point = try #require(GeoPoint(latitude: 50.7322, longitude: 7.0982))
        let others = (0..<100).map { near(point, "author \($0)") }
        #expect(Set(others).count == 100)
        #expect(PositionVeil(key: [1]).shown(point, .near, author: "ann", town: nil) != near(point))
    }

    /// Hexagons would be cut there by lines that everybody knows.
    @Test func `poles and the date line are like everywhere`() throws {
        var random = SeededGenerator(seed: 4)
        for number in 0..<2000 {
            let latitude =
                [0, 90, -90, 80, -80, 79.9999, 0.0001][number % 7] + Double.random(in: -0.002...0.002, using: &random)
            let longitude = (number % 2 == 0 ? 180 : 0) + Double.random(in: -0.002...0.002, using: &random)
            let point = try #require(GeoPoint(latitude: min(90, max(-90, latitude)), longitude: longitude))
            let shown = near(point, "author \(number % 5)")
            #expect(shown.distance(to: point) <= 300, "\(point) \(shown)")
        }
    }

    @Test func `the town is shown as the town, without one as a square of the map, and exactly is exactly`() throws {
        let point = try #require(GeoPoint(latitude: 50.7322, longitude: 7.0982))
        let town = try #require(GeoPoint(latitude: 50.73438, longitude: 7.09549))
        #expect(veil.shown(point, .town, author: "ann", town: town) == town)
        let square = veil.shown(point, .town, author: "ann", town: nil)
        #expect(square.latitude == 50.625 && square.longitude == 7.125)
        #expect(veil.shown(point, .exact, author: "ann", town: town) == point)
    }
}
