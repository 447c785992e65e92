import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Markers of maps: never more than asked for, and their counts add up (boards.md 5.4.2).
@Suite(.tags(.computing)) struct ItemMarkerTests {
    @Test(arguments: 0..<8)
    func `counts add up to what the query finds in any box`(_ seed: Int) async throws {
        let world = try await ItemWorld()
        var dice = Dice(seed: UInt64(seed) &+ 5)
        let kit = try await world.house.person("kit")
        for number in 0..<150 {
            let isNear = Bool.random(using: &dice)
            // Also on the edges of cells.
            var latitude =
                isNear ? Double.random(in: 50...50.4, using: &dice) : Double.random(in: -90...90, using: &dice)
            let longitude =
                isNear ? Double.random(in: 7...7.4, using: &dice) : Double.random(in: -180..<180, using: &dice)
            if number.isMultiple(of: 5) { latitude = (latitude / 0.02).rounded() * 0.02 }
            try await world.list(
                "thing \(number % 3)", kind: number.isMultiple(of: 2) ? "lost" : "found",
                category: ["keys", "pets"][number % 2 ^ number % 3 % 2],
                by: [world.ann, world.bob, kit][number % 3], at: (min(90, max(-90, latitude)), longitude))
        }
        try await world.library.block(kit, by: world.bob)
        try await world.checkIndexes()
        for _ in 0..<40 {
            let side = pow(10, Double.random(in: -2...2.4, using: &dice))
            let (south, west) = (Double.random(in: -90...89, using: &dice), Double.random(in: -180...179, using: &dice))
            let near = Bool.random(using: &dice)
            let box =
                try near
                ? world.box(50.1, 7.1, 50.1 + min(side, 30), 7.1 + side)
                : world.box(south, west, min(90, south + side), west + min(side * 2, 360))
            var query = world.query { $0.area = .box(box) }
            query.kinds = [[], ["lost"], ["lost", "found"]][Int.random(in: 0...2, using: &dice)]
            query.category = [nil, nil, "pets"][Int.random(in: 0...2, using: &dice)]
            query.words = ["", "", "thing"][Int.random(in: 0...2, using: &dice)]
            let viewer = Bool.random(using: &dice) ? world.bob : nil
            let expected = try await world.titles(query, for: viewer).count
            query.area = nil
            for most in [1, 4, 30, 300] {
                let markers = try await world.reader(viewer).markers(query, in: box, most: most)
                #expect(markers.count <= most)
                #expect(markers.reduce(0) { $0 + $1.count } == expected, "\(box) \(query) \(most)")
                #expect(markers.allSatisfy { $0.count > 0 && ($0.count == 1) == ($0.item != nil) })
            }
        }
    }

    @Test func `the whole earth has its counts, and few things are each a marker`() async throws {
        let world = try await ItemWorld()
        for place in [(90.0, 0.0), (-90, 0), (0, -180), (0, 179.999), (50.7, 7.1), (50.7, 7.1)] {
            try await world.list("thing", at: place)
        }
        try await world.list("nowhere")
        let markers = try await world.reader().markers(world.query(), in: .world, most: 10)
        #expect(markers.map(\.count).sorted() == [1, 1, 1, 1, 2])
        let one = try await world.reader().markers(world.query(), in: .world, most: 1)
        #expect(one.map(\.count) == [6])
        // Those at the date line are beside one another, not around the earth.
        let pacific = try world.box(-10, 170, 10, -170)
        let two = try await world.reader().markers(world.query(), in: pacific, most: 1)
        #expect(two.count == 1 && abs(two[0].point.longitude) > 179)
    }
}
