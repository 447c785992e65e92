import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpListings
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// Somebody who asks for a thousand listings in every way and works out where they are, does not come nearer than what is shown (LF-2).
@Suite(.tags(.computing)) struct PositionGuessTests {
    private let house: HubHousehold
    private let store: ListingStore

    init() throws {
        house = try HubHousehold(boards: [Listings.tables])
        store = ListingStore(library: house.library)
    }

    private struct Secret: Sendable {
        let id: HubID
        let author: AccountID
        let truth: GeoPoint
        var town: GeoPoint { PositionGuessTests.town(of: truth) }
    }

    /// Metres, of a radius that nobody promises to keep but the veil.
    private static let radius = 300.0
    /// Metres of a degree of latitude.
    private static let degree = GeoPoint.earthRadius * .pi / 180

    /// Towns stand some 3 km apart; the nearest one is that of a place.
    private static func town(of point: GeoPoint) -> GeoPoint {
        GeoPoint(
            nearLatitude: (point.latitude / 0.03).rounded() * 0.03,
            longitude: (point.longitude / 0.045).rounded() * 0.045)
    }

    private static func moved(_ point: GeoPoint, north: Double, east: Double) -> GeoPoint {
        GeoPoint(
            nearLatitude: point.latitude + north / degree,
            longitude: point.longitude + east / degree / cos(point.latitude * .pi / 180))
    }

    /// Points of a square around another, so many metres apart.
    private static func around(_ point: GeoPoint, reach: Double, step: Double) -> [GeoPoint] {
        stride(from: -reach, through: reach, by: step).flatMap { north in
            stride(from: -reach, through: reach, by: step).map { moved(point, north: north, east: $0) }
        }
    }

    private static func middle(_ points: [GeoPoint]) -> GeoPoint? {
        guard !points.isEmpty else { return nil }
        let count = Double(points.count)
        return GeoPoint(
            latitude: points.reduce(0) { $0 + $1.latitude } / count,
            longitude: points.reduce(0) { $0 + $1.longitude } / count)
    }

    private static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// Listings *within 300 m*, of some forty people.
    private func list(_ count: Int) async throws -> [Secret] {
        var random = SeededGenerator(seed: 16)
        var authors: [AccountID] = []
        for number in 0..<40 { authors.append(try await house.person("author\(number)")) }
        let drafts = (0..<count).map { number in
            let truth = GeoPoint(
                nearLatitude: 50.6 + Double.random(in: 0..<0.2, using: &random),
                longitude: 7 + Double.random(in: 0..<0.3, using: &random))
            return (author: authors[number % authors.count], truth: truth)
        }
        return try await house.library.transact { [store] database in
            try drafts.enumerated().map { number, one in
                var draft = ListingDraft(side: .lost, category: .keys, title: "Keys \(number)")
                (draft.text, draft.point, draft.town) = ("Five of them", one.truth, Self.town(of: one.truth))
                let id = try store.create(draft, by: one.author, key: "first \(number)", in: database)
                return Secret(id: id, author: one.author, truth: one.truth)
            }
        }
    }

    /// What everybody sees of them, in their order.
    private func shown(_ ids: [HubID]) async throws -> [GeoPoint] {
        try await store.listings(ids, for: .visitor).compactMap { $0.item.place?.shown }
    }

    private func edit(_ secrets: [Secret], to precision: PositionPrecision) async throws {
        let library = house.library
        try await library.transact { database in
            for secret in secrets {
                var draft = ItemDraft(
                    board: ListingStore.board, kind: "lost", author: secret.author, key: "", title: "Keys",
                    text: "Five of them", category: "keys")
                (draft.point, draft.town, draft.precision) = (secret.truth, secret.town, precision)
                try Items.edit(secret.id, version: nil, to: draft, by: library, in: database)
            }
        }
    }

    @Test func `editing, renewing, showing the town alone for a while and listing again teach nothing`() async throws {
        let secrets = try await list(1000)
        let ids = secrets.map(\.id)
        let first = try await shown(ids)
        #expect(first.count == 1000)
        #expect(zip(secrets, first).allSatisfy { $0.truth.distance(to: $1) <= Self.radius })
        let plain = Self.median(zip(secrets, first).map { $0.truth.distance(to: $1) })
        #expect(plain >= 150, "where it is shown is \(plain) m away")

        try await edit(secrets, to: .town)
        let towns = try await shown(ids)
        try await edit(secrets, to: .near)
        #expect(try await shown(ids) == first)
        let (library, later) = (house.library, house.now.addingTimeInterval(90 * 86_400))
        try await library.transact { database in
            for one in secrets {
                try Items.renew(one.id, until: later, by: one.author, library: library, in: database)
            }
        }
        #expect(try await shown(ids) == first)
        let again = try await library.transact { [store] database in
            try secrets.enumerated().map { number, secret in
                var draft = ListingDraft(side: .found, category: .bags, title: "Another \(number)")
                (draft.text, draft.point, draft.town) = ("A bag", secret.truth, secret.town)
                return try store.create(draft, by: secret.author, key: "again \(number)", in: database)
            }
        }
        #expect(try await shown(again) == first)

        // Who has seen both knows that it is in the circle, and nearer to that town than to any other.
        let guesses = zip(first, towns).map { shown, town in
            let left = Self.around(shown, reach: Self.radius, step: 30).filter {
                $0.distance(to: shown) <= Self.radius && Self.town(of: $0) == town
            }
            return Self.middle(left) ?? shown
        }
        let guessed = Self.median(zip(secrets, guesses).map { $0.truth.distance(to: $1) })
        #expect(guessed >= 150, "a guess is \(guessed) m away")
    }

    @Test func `small boxes and circles around a thing tell where it is shown and no more`() async throws {
        let secrets = try await list(1000)
        let shown = try await shown(secrets.map(\.id))
        let reader = house.library.seen(by: .visitor)
        var errors: [Double] = []
        for (secret, point) in zip(secrets, shown).prefix(150) {
            var areas = Self.around(secret.truth, reach: 350, step: 100).compactMap { corner in
                let far = Self.moved(corner, north: 100, east: 100)
                return GeoBox(
                    south: corner.latitude, west: corner.longitude, north: far.latitude, east: far.longitude
                ).map(ItemQuery.Area.box)
            }
            areas += Self.around(secret.truth, reach: 300, step: 300).map { .circle($0, radius: 250) }
            var left = Self.around(secret.truth, reach: 450, step: 30)
            for area in areas {
                var query = ItemQuery(board: ListingStore.board)
                (query.area, query.limit) = (area, 100)
                let isFound = try await reader.items(query).items.contains { $0.id == secret.id }
                #expect(isFound == Self.contains(area, point))
                left = left.filter { Self.contains(area, $0) == isFound }
            }
            errors.append(secret.truth.distance(to: Self.middle(left) ?? point))
        }
        #expect(Self.median(errors) >= 150, "a guess is \(Self.median(errors)) m away")
    }

    private static func contains(_ area: ItemQuery.Area, _ point: GeoPoint) -> Bool {
        switch area {
        case .box(let box): box.contains(point)
        case .circle(let centre, let radius): centre.distance(to: point) <= radius
        }
    }

    @Test func `sorted by distance they stand as they are shown`() async throws {
        let secrets = try await list(1000)
        let shown = try await shown(secrets.map(\.id))
        let places = Dictionary(uniqueKeysWithValues: zip(secrets.map(\.id), shown))
        let reader = house.library.seen(by: .visitor)
        for secret in secrets.prefix(200) {
            var query = ItemQuery(board: ListingStore.board)
            (query.order, query.limit) = (.nearest(secret.truth), 20)
            let found = try await reader.items(query).items.map { places[$0.id]?.distance(to: secret.truth) ?? -1 }
            #expect(found.count == 20 && found == found.sorted())
            let all = shown.map { $0.distance(to: secret.truth) }.sorted()
            #expect(zip(found, all).allSatisfy { abs($0 - $1) < 1 })
        }
    }

    @Test func `maps and lists of the interface answer by what is shown`() async throws {
        let secrets = try await list(200)
        let shown = try await shown(secrets.map(\.id))
        let api = "/api/hub/v1/lost-and-found"
        var settings = try HubHousehold.settings()
        settings.limitScale = 1e6
        try await house.application(settings).application().test(.router) { client in
            for (secret, point) in zip(secrets, shown).prefix(8) {
                for corner in Self.around(secret.truth, reach: 350, step: 100) {
                    let far = Self.moved(corner, north: 100, east: 100)
                    let box = "\(corner.latitude),\(corner.longitude),\(far.latitude),\(far.longitude)"
                    let isThere = try #require(
                        GeoBox(
                            south: corner.latitude, west: corner.longitude, north: far.latitude, east: far.longitude)
                    ).contains(point)
                    // A map's window is rounded: what lies at its edge may be on either side.
                    let edges =
                        [corner.latitude, far.latitude].map { abs($0 - point.latitude) }
                        + [corner.longitude, far.longitude].map { abs($0 - point.longitude) }
                    guard edges.allSatisfy({ $0 > 1e-4 }) else { continue }
                    let markers = try await client.execute(uri: "\(api)/markers?box=\(box)&zoom=19", method: .get)
                    // Of two that are shown at one point the marker tells how many, and of neither which.
                    #expect(isThere ? markers.text.contains("\"count\"") : !markers.text.contains(secret.id.text))
                    let list = try await client.execute(
                        uri: "\(api)?at=\(corner.latitude),\(corner.longitude)&within=1&order=nearest", method: .get)
                    #expect(list.text.contains(secret.id.text) == (point.distance(to: corner) <= 1000))
                }
            }
        }
    }
}
