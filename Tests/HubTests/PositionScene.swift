import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpListings
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// A board with two things whose places are not to be known, and whatever a hub makes around them: claims, alerts, matches, messages,
/// pictures. Ann has listed them, Bob has to do with them, Max is a moderator.
struct PositionScene {
    let house: HubHousehold
    let cast: HubCast
    let store: ListingStore
    let near, town: HubID
    /// Bob's own, near the first one.
    let own: HubID
    let claim, alert: HubID
    let thread: String
    let picture: HubID
    /// Where things are shown.
    let shown: GeoPoint
    /// What nobody may learn.
    let hunts: [PositionHunt]

    /// Far from numbers of two decimals, as drawings have them.
    private static let truths = [(50.73683, 7.14762), (50.91237, 7.41768)]

    /// - Parameter boards: those that the hub has.
    init(boards: [BoardTables] = [Listings.tables]) async throws {
        house = try HubHousehold(boards: boards)
        cast = HubCast(house: house)
        store = ListingStore(library: house.library)
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await cast.member("max")
        try await house.change("UPDATE accounts SET role = 'moderator' WHERE handle = 'max'")

        let file = NewPicture.File(jpeg: [0xFF, 0xD8, 0xFF, 1], width: 300, height: 200)
        let print = try #require(PicturePrint(bits: [UInt8](repeating: 7, count: 32), quality: 90))
        let pictures = NewPicture(small: file, medium: file, large: file, print: print)
        picture = try await house.library.addPicture(pictures, of: ann.id, quota: ByteCount(1_000_000)).id

        // One that is shown elsewhere than it is: a few are shown nearly where they are, by chance.
        var (found, truth): ((id: HubID, shown: GeoPoint)?, GeoPoint?)
        for step in 0..<100 where found == nil {
            var draft = Self.draft(.lost, now: house.now)
            draft.pictures = [picture]
            draft.point = GeoPoint(
                latitude: Self.truths[0].0 + Double(step) * 0.01, longitude: Self.truths[0].1)
            truth = draft.point
            let id = try await store.create(draft, by: ann.id, key: "near \(step)")
            let shown = try await Self.shown(id, store)
            let place = try #require(draft.point)
            let isApart = [shown.latitude - place.latitude, shown.longitude - place.longitude].allSatisfy {
                abs($0) > 3 * PositionHunt.margin
            }
            if isApart { found = (id, shown) } else { try await house.change("DELETE FROM items WHERE id = '\(id)'") }
        }
        let first = try #require(found)
        (near, shown) = (first.id, first.shown)
        var second = Self.draft(.lost, now: house.now)
        second.point = GeoPoint(latitude: Self.truths[1].0, longitude: Self.truths[1].1)
        second.precision = .town
        second.town = GeoPoint(latitude: 50.94, longitude: 7.36)
        second.placeName = "Overath, Germany"
        town = try await store.create(second, by: ann.id, key: "town")
        let place = try #require(truth)
        hunts = [
            PositionHunt(latitude: place.latitude, longitude: place.longitude),
            PositionHunt(latitude: Self.truths[1].0, longitude: Self.truths[1].1),
        ]

        // Bob waits for such a thing, lists the other side of it, claims it, and writes to Ann.
        var wish = Alert.Wish()
        wish.area = Alert.Area(point: shown, radius: 5000, name: "")
        alert = try await AlertStore(library: house.library).save(wish, by: bob.id)
        var other = Self.draft(.found, now: house.now)
        other.point = shown
        other.precision = .exact
        own = try await store.create(other, by: bob.id, key: "own")
        guard case .listing(let listing)? = try await store.listing(near, for: .member(bob.id)) else {
            throw CancellationError()
        }
        claim = try await ClaimStore(library: house.library).claim(
            listing, by: bob.id, answer: "A whistle hangs on them", clip: nil)
        try await MatchStore(library: house.library).compare(listing)
        try await AlertStore(library: house.library).hear(of: listing)
        for tell in 0..<2 {
            house.wait(Double(tell) * 3700)
            try await MatchStore(library: house.library).tell()
            try await AlertStore(library: house.library).tell()
        }
        thread = house.library.seen(by: .member(bob.id)).threadID(with: [ann.id])
    }

    private static func draft(_ side: Listing.Side, now: Date) -> ListingDraft {
        var draft = ListingDraft(side: side, category: .keys, title: "A bunch of rusty keys")
        draft.text = "Five of them, and a fox of tin"
        draft.question = "What hangs on them?"
        draft.phone = "0228 123456"
        draft.happenedFrom = now.addingTimeInterval(-7200)
        draft.happenedTo = now.addingTimeInterval(-3600)
        return draft
    }

    static func shown(_ id: HubID, _ store: ListingStore) async throws -> GeoPoint {
        guard case .listing(let listing)? = try await store.listing(id, for: .visitor) else {
            throw CancellationError()
        }
        return try #require(listing.item.place?.shown)
    }

    /// The tables in which a position stands, by another program.
    func tables(with hunt: PositionHunt) throws -> [String] {
        let look = """
            import re, sqlite3, sys
            truth = [abs(float(part)) for part in sys.argv[2:4]]
            def numbers(value):
                if isinstance(value, (int, float)): yield from (float(value) / 10 ** power for power in (0, 5, 6, 7))
                elif value is not None:
                    text = value if isinstance(value, str) else bytes(value).decode('latin-1')
                    for found in re.findall(r'[0-9]+[.][0-9]+|[0-9]{6,9}', text):
                        yield from (float(found) / 10 ** power for power in (0, 5, 6, 7))
            with sqlite3.connect(sys.argv[1], timeout=20) as hub:
                for (name,) in hub.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    for row in hub.execute(f'SELECT * FROM "{name}"'):
                        all = [n for value in row for n in numbers(value)]
                        if all and [any(abs(abs(n) - t) < 0.0005 for n in all) for t in truth] == [True, True]:
                            print(name)
                            break
            """
        let python = try ExternalProgram("python3").run(
            ["-c", look, house.folder.path("hub/hub.sqlite"), "\(hunt.latitude)", "\(hunt.longitude)"])
        #expect(python.status == 0, "\(python.text)")
        return python.text.split(separator: "\n").map(String.init)
    }
}
