import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// Who knows where something is (boards.md 2.4, 5.4.4; LF-19).
@Suite(.tags(.computing)) struct ItemPlaceTests {
    private func place(_ id: HubID, _ world: ItemWorld, for viewer: AccountID? = nil) async throws -> Item.Place? {
        guard case .item(let item)? = try await world.reader(viewer).item(id, board: ItemWorld.board) else {
            return nil
        }
        return item.place
    }

    private func draft(_ world: ItemWorld, _ precision: PositionPrecision = .near) -> ItemDraft {
        var draft = world.draft("keys", at: (50.7337, 7.0998))
        draft.precision = precision
        draft.town = GeoPoint(latitude: 50.735, longitude: 7.1)
        return draft
    }

    @Test func `the place itself is for its author and whoever was let see it`() async throws {
        let world = try await ItemWorld()
        let draft = draft(world)
        let id = try await world.library.createItem(draft)
        let shown = try #require(try await place(id, world)?.shown)
        #expect(shown != draft.point)
        #expect(try await place(id, world)?.exact == nil)
        #expect(try await place(id, world, for: world.bob)?.exact == nil)
        #expect(try await place(id, world, for: world.ann)?.exact == draft.point)
        try await world.library.transact { try Items.letSeePlace(of: id, world.bob, at: 1, in: $0) }
        try await world.library.transact { try Items.letSeePlace(of: id, world.bob, at: 2, in: $0) }
        #expect(try await place(id, world, for: world.bob)?.exact == draft.point)
        #expect(try await place(id, world)?.exact == nil)
    }

    @Test func `no list, marker, sort or search knows more than where it is shown`() async throws {
        let world = try await ItemWorld()
        let draft = draft(world)
        let id = try await world.library.createItem(draft)
        let (exact, shown) = (try #require(draft.point), try #require(try await place(id, world)?.shown))
        for step in [0.0005, 0.001, 0.002] {
            for (point, isThere) in [(exact, exact.distance(to: shown) < 10), (shown, true)] {
                let box = try world.box(
                    point.latitude - step / 50, point.longitude - step / 50, point.latitude + step / 50,
                    point.longitude + step / 50)
                for words in ["", "keys"] {
                    let query = world.query(words) { $0.area = .box(box) }
                    #expect(try await world.titles(query).isEmpty == !isThere)
                    let markers = try await world.reader().markers(world.query(words), in: box, most: 9)
                    #expect(markers.isEmpty == !isThere)
                }
            }
        }
        let metres = exact.distance(to: shown)
        #expect(try await world.titles(world.query { $0.area = .circle(exact, radius: metres - 1) }) == [])
        let near = world.query { ($0.area, $0.order) = (.circle(exact, radius: metres + 1), .nearest(exact)) }
        #expect(try await world.titles(near) == ["keys"])
        let page = try await world.reader(world.bob).items(near)
        #expect(page.items.first?.place?.exact == nil && page.items.first?.place?.shown == shown)
        // The tables that are searched do not have it either.
        try await world.library.reading { database in
            let found = try Row.fetchOne(database, sql: "SELECT lat, lon FROM openItems")
            #expect(found?["lat"] == shown.latitude && found?["lon"] == shown.longitude)
        }
    }

    @Test func `listing again, editing and renewing show the same`() async throws {
        let world = try await ItemWorld()
        let draft = draft(world)
        let id = try await world.library.createItem(draft)
        let shown = try await place(id, world)?.shown
        for precision in [PositionPrecision.town, .exact, .near] {
            var other = self.draft(world, precision)
            other.title = "changed"
            try await world.edit(id, to: other)
            let now = try await place(id, world)
            #expect(now?.precision == precision)
            switch precision {
            case .town: #expect(now?.shown == draft.town && now?.exact == nil)
            case .exact: #expect(now?.shown == draft.point && now?.exact == draft.point)
            case .near: #expect(now?.shown == shown && now?.exact == nil)
            }
            try await world.checkIndexes()
        }
        let again = try await world.library.createItem(self.draft(world))
        #expect(try await place(again, world)?.shown == shown)
    }
}
