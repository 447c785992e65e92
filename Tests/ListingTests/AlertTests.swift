import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import HubHousehold
import Testing

/// Saved searches: who waits for something is told when it is listed, once an hour.
@Suite struct AlertTests {
    private func wish(_ words: String = "", _ change: (inout Alert.Wish) -> Void = { _ in }) -> Alert.Wish {
        var wish = Alert.Wish()
        wish.words = words
        change(&wish)
        return wish
    }

    private func area(_ radius: Double, north: Double = 0) throws -> Alert.Area {
        let point = GeoPoint(latitude: ClaimWorld.bonn.latitude + north, longitude: ClaimWorld.bonn.longitude)
        return Alert.Area(point: try #require(point), radius: radius, name: "Bonn")
    }

    private func hear(_ id: HubID, _ world: ClaimWorld) async throws {
        guard case .listing(let listing)? = try await world.store.listing(id, for: .visitor) else { return }
        try await AlertStore(library: world.library).hear(of: listing)
        try await AlertStore(library: world.library).tell()
    }

    @Test func `a new listing is told to those whom it fits`() async throws {
        let world = try await ClaimWorld()
        let store = AlertStore(library: world.library)
        let fitting = [
            try await store.save(wish("WÄLLET red"), by: world.bob),
            try await store.save(
                wish {
                    $0.category = .wallets; $0.side = .found
                }, by: world.bob),
            try await store.save(wish { $0.area = try? area(5000) }, by: world.bob),
            try await store.save(wish { $0.area = try? area(200_000, north: 1) }, by: world.bob),
        ]
        for other in [
            wish("wallet blue"), wish { $0.category = .pets }, wish("wallet") { $0.side = .lost },
            wish { $0.area = try? area(5000, north: 1) },
        ] { try await store.save(other, by: world.eve) }
        try await store.save(wish("wallet"), by: world.ann)
        let listing = try await world.place(by: world.ann, title: "Red wallet", text: "A wallet of leather")
        try await hear(listing, world)
        let alerts = try await store.alerts(of: world.bob)
        #expect(Set(alerts.filter { $0.fresh == 1 }.map(\.id)) == Set(fitting))
        #expect(try await world.notices(of: world.bob).allSatisfy { $0.kind == .alert && $0.item?.id == listing })
        #expect(try await world.notices(of: world.bob).count == fitting.count)
        // Neither others nor the author.
        #expect(try await world.notices(of: world.eve).isEmpty)
        #expect(try await world.notices(of: world.ann).isEmpty)
        #expect(try await store.found(fitting[0], of: world.bob)?.listings.map(\.id) == [listing])
        #expect(try await store.found(fitting[0], of: world.eve) == nil)
        try await store.look(fitting[0], by: world.bob)
        #expect(try await store.alerts(of: world.bob).first { $0.id == fitting[0] }?.fresh == 0)
    }

    @Test func `of many that fit one is told an hour`() async throws {
        let world = try await ClaimWorld()
        let store = AlertStore(library: world.library)
        try await store.save(wish("wallet"), by: world.bob)
        for number in 0..<5 { try await hear(try await world.place(by: world.ann, title: "Wallet \(number)"), world) }
        #expect(try await world.notices(of: world.bob).count == 1)
        world.house.wait(3599)
        try await store.tell()
        #expect(try await world.notices(of: world.bob).count == 1)
        world.house.wait(1)
        for _ in 0..<2 { try await store.tell() }
        #expect(try await world.notices(of: world.bob).count == 2)
        world.house.wait(3600)
        try await store.tell()
        #expect(try await world.notices(of: world.bob).count == 2)
    }

    @Test func `they are changed and deleted by whom they belong to, and there are not too many`() async throws {
        let world = try await ClaimWorld()
        let store = AlertStore(library: world.library)
        let id = try await store.save(wish("wallet"), by: world.bob)
        try await store.save(wish("parrot"), as: id, by: world.bob)
        #expect(try await store.alerts(of: world.bob).map(\.wish.words) == ["parrot"])
        try await hear(try await world.place(by: world.ann), world)
        #expect(try await world.notices(of: world.bob).isEmpty)
        await #expect(throws: AlertRefusal.notFound) { try await store.save(wish("some words"), as: id, by: world.eve) }
        await #expect(throws: AlertRefusal.notFound) { try await store.remove(id, by: world.eve) }
        await #expect(throws: AlertRefusal.tooWide) { try await store.save(wish(" . "), by: world.bob) }
        await #expect(throws: AlertRefusal.tooWide) { try await store.save(wish { $0.side = .lost }, by: world.bob) }
        try await store.remove(id, by: world.bob)
        for number in 0..<Alert.most { try await store.save(wish("word\(number)"), by: world.bob) }
        await #expect(throws: AlertRefusal.tooMany) { try await store.save(wish("wallet"), by: world.bob) }
    }

    @Test func `what is hidden from somebody is not told to her`() async throws {
        let world = try await ClaimWorld()
        let store = AlertStore(library: world.library)
        let id = try await store.save(wish("wallet"), by: world.bob)
        try await world.library.block(world.bob, by: world.ann)
        try await hear(try await world.place(by: world.ann), world)
        #expect(try await world.notices(of: world.bob).isEmpty)
        #expect(try await store.found(id, of: world.bob)?.listings.isEmpty == true)
    }
}
