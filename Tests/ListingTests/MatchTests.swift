import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import GRDB
import HubHousehold
import Testing

/// What was lost and what was found come together, and people are told of it once a day.
@Suite struct MatchTests {
    private static func side(
        _ text: String, category: String = "wallets", north: Double = 0, day: Double = 0
    ) -> MatchScore.Side {
        let when = HubHousehold.start.addingTimeInterval(day * 86_400)
        return MatchScore.Side(
            words: MatchWords(text), category: category,
            shown: GeoPoint(latitude: 50.7 + north, longitude: 7.1), from: when, to: when)
    }

    private static func score(_ lost: MatchScore.Side, _ found: MatchScore.Side) -> MatchScore {
        MatchScore(lost: lost, found: found, rivals: 3) { $0 == "new" ? 0.1 : 4 }
    }

    @Test func `what says the same, is near and came soon is likelier`() throws {
        let lost = Self.side("My black wallet with a fox sticker")
        let best = Self.score(lost, Self.side("Found black wallet, fox sticker", north: 0.01, day: 1))
        #expect(best.value > 0.6)
        #expect(best.reasons.contains(.words(["black", "fox", "sticker", "wallet"])))
        #expect(best.reasons.contains(.category) && best.reasons.contains(.soon(days: 1)))
        let others = [
            Self.side("Found red purse", north: 0.01, day: 1),
            Self.side("Found black wallet, fox sticker", north: 2, day: 1),
            Self.side("Found black wallet, fox sticker", north: 0.01, day: -20),
            Self.side("Found black wallet, fox sticker", category: "pets", north: 0.01, day: 1),
        ]
        for other in others { #expect(Self.score(lost, other).value < best.value) }
        #expect(Self.score(lost, Self.side("Found red purse", north: 0.01, day: -20)).value < MatchScore.least)
        // Near and soon alone say nothing.
        #expect(Self.score(lost, Self.side("Found red purse", category: "pets")).value == 0)
    }

    @Test func `the more there are near, the more it takes`() {
        let (lost, found) = (Self.side("Black wallet"), Self.side("Wallet", north: 0.01))
        let values = [1, 10, 100].map { rivals in
            MatchScore(lost: lost, found: found, rivals: rivals) { _ in 3 }.value
        }
        #expect(values == values.sorted(by: >) && values[0] > 0.9 && values[2] < 0.7)
    }

    @Test func `a part of a compound says something, and words that many say are no reasons`() {
        let lost = Self.side("Blaue Handtasche, Fossil")
        #expect(Self.score(lost, Self.side("Tasche")).value > Self.score(lost, Self.side("Kugel")).value)
        let common = MatchScore(lost: Self.side("new Fossil bag"), found: Self.side("new bag, Fossil"), rivals: 3) {
            ["new": 0.5, "bag": 1.5, "fossil": 5][$0] ?? 5
        }
        #expect(common.reasons.contains(.words(["fossil"])))
    }

    @Test func `reasons are words that tell something, also where little is listed`() async throws {
        let world = try await ClaimWorld()
        let lost = try await world.place(
            by: world.ann, .lost, title: "I lost my umbrella", text: "And the handle is with a brass owl on it")
        let found = try await world.place(
            by: world.bob, title: "I found the umbrella", text: "With an owl of brass, and it was on the bridge")
        let listing = try await world.listing(found, for: world.bob)
        let store = MatchStore(library: world.library)
        try await store.compare(listing)
        let match = try #require(try await store.matches(of: listing).first)
        #expect(match.other.id == lost)
        let said = match.reasons.compactMap { reason -> [String]? in
            if case .words(let words) = reason { words } else { nil }
        }
        #expect(said == [["brass", "owl", "umbrella"]])
    }

    @Test func `somebody is told of what is likely alone, also when it becomes so`() async throws {
        let world = try await ClaimWorld()
        let store = MatchStore(library: world.library)
        let lost = try await world.place(by: world.ann, .lost, title: "Black wallet", text: "With a fox on it")
        for number in 0..<8 {
            try await world.place(by: world.eve, .lost, title: "Purse \(number)", text: "Red, of plastic")
        }
        let found = try await world.place(by: world.bob, title: "Purse", text: "Of leather", north: 0.2)
        try await store.compare(try await world.listing(found, for: world.bob))
        try await store.tell()
        #expect(try await world.notices(of: world.ann).isEmpty)
        var draft = ListingDraft(side: .found, category: .wallets, title: "Black wallet")
        draft.text = "There is a fox on it"
        draft.point = GeoPoint(latitude: ClaimWorld.bonn.latitude, longitude: ClaimWorld.bonn.longitude)
        let version = try await world.listing(found, for: world.bob).item.version
        try await world.store.edit(found, version: version, to: draft, by: world.bob)
        try await store.compare(try await world.listing(found, for: world.bob))
        try await store.tell()
        #expect(try await world.notices(of: world.ann).map(\.item?.id) == [lost])
    }

    @Test func `what was changed while it was compared is compared again`() async throws {
        let cast = try ListingCast()
        let (ann, _) = try await cast.people()
        let id = try await cast.place(by: ann)
        let matches = MatchStore(library: cast.library)
        func waits() async throws -> Bool {
            try await cast.library.reading { try Bool.fetchOne($0, sql: "SELECT 1 FROM listingWork") ?? false }
        }
        try await cast.store.edit(id, version: 1, to: cast.draft("Grey cat"), by: ann)
        try await matches.strike(id.text, asOf: 1)
        #expect(try await waits(), "what it is now was not compared")
        try await matches.strike(id.text, asOf: 2)
        #expect(try await !waits())
        try await cast.store.edit(id, version: 2, to: cast.draft("White cat"), by: ann)
        try await matches.strike(id.text, asOf: nil)
        #expect(try await !waits(), "what is not to be seen is compared with nothing")
    }

    @Test func `pictures that are alike speak for it, others speak not against it`() throws {
        var (lost, found) = (Self.side("Wallet"), Self.side("Purse"))
        let without = Self.score(lost, found).value
        lost.prints = [Array(repeating: 0x5A, count: 32)]
        found.prints = [Array(repeating: 0xA5, count: 32)]
        #expect(Self.score(lost, found).value == without)
        found.prints.append(Array(repeating: 0x5A, count: 31) + [0x5B])
        let alike = Self.score(lost, found)
        #expect(alike.value > without && alike.reasons.first == .picture)
    }

    @Test func `words are compared without their accents`() {
        #expect(MatchWords.all(of: "Schlüssel-Etui, GRÜN; 2 é") == ["schlussel", "etui", "grun"])
        #expect(MatchWords.all(of: "\u{202E}<b>ключ</b>").contains("ключ"))
    }

    @Test func `the other side is suggested to both, once a day, and what is put aside stays there`() async throws {
        let world = try await ClaimWorld()
        let work = { @Sendable (id: HubID) async throws in
            let store = MatchStore(library: world.library)
            guard case .listing(let listing)? = try await world.store.listing(id, for: .visitor) else { return }
            try await store.compare(listing)
            try await store.tell()
        }
        let lost = try await world.place(
            by: world.ann, .lost, title: "Black wallet", text: "With a sticker of a fox")
        try await work(lost)
        #expect(try await world.notices(of: world.ann).isEmpty)
        let found = try await world.place(by: world.bob, title: "Wallet", text: "Black, a fox on it", day: 0.5)
        let other = try await world.place(by: world.eve, title: "A parrot", text: "Says hello", category: .pets)
        try await work(found)
        try await work(other)
        for (account, id) in [(world.ann, lost), (world.bob, found)] {
            let told = try await world.notices(of: account)
            #expect(told.map(\.kind) == [.match] && told.first?.item?.id == id)
        }
        let store = MatchStore(library: world.library)
        let mine = try await world.listing(lost, for: world.ann)
        let matches = try await store.matches(of: mine)
        #expect(matches.map(\.other.id) == [found] && matches.first?.isNew == true)
        // A second one on the same day is told on the next.
        let second = try await world.place(by: world.eve, title: "Black fox wallet", day: 0.6)
        try await work(second)
        #expect(try await world.notices(of: world.ann).count == 1)
        world.house.wait(86_400)
        try await store.tell()
        #expect(try await world.notices(of: world.ann).count == 2)
        try await store.tell()
        #expect(try await world.notices(of: world.ann).count == 2)
        #expect(try await store.answer(.dismissed, to: found, of: mine))
        #expect(try await store.matches(of: mine).map(\.other.id) == [second])
        try await work(found)
        #expect(try await store.matches(of: mine).map(\.other.id) == [second])
        // It stays with the other until he puts it aside himself.
        #expect(try await store.matches(of: try await world.listing(found, for: world.bob)).map(\.other.id) == [lost])
        try await world.store.settle(lost, as: .found, by: world.ann)
        #expect(try await store.matches(of: try await world.listing(found, for: world.bob)).isEmpty)
    }

    @Test func `of pairs from one description the partner is among the first five in four of five cases`() async throws
    {
        let world = try await ClaimWorld()
        var things = Things()
        let others = 2000
        for number in 0..<others {
            let thing = things.next()
            try await place(thing, isLost: number.isMultiple(of: 2), by: number % 3 == 0 ? world.eve : world.bob, world)
        }
        var pairs: [(lost: HubID, found: HubID)] = []
        for _ in 0..<50 {
            let thing = things.next()
            pairs.append(
                (
                    try await place(thing, isLost: true, by: world.ann, world),
                    try await place(thing, isLost: false, by: world.bob, world)
                ))
        }
        let store = MatchStore(library: world.library)
        var hits = 0
        for pair in pairs {
            let listing = try await world.listing(pair.lost, for: world.ann)
            try await store.compare(listing)
            if try await store.matches(of: listing, limit: 5).contains(where: { $0.other.id == pair.found }) {
                hits += 1
            }
        }
        #expect(hits >= 40, "\(hits) of 50")
    }

    @discardableResult
    private func place(
        _ thing: Thing, isLost: Bool, by account: AccountID, _ world: ClaimWorld
    ) async throws -> HubID {
        let (title, text) = isLost ? thing.lost : thing.found
        return try await world.place(
            by: account, isLost ? .lost : .found, title: title, text: text, category: thing.category, question: "",
            north: thing.north + (isLost ? 0 : 0.004), day: isLost ? thing.day : thing.day + 0.1)
    }
}

/// Something that somebody describes, in two ways.
struct Thing {
    let noun, colour, brand: String
    let details: [String]
    let category: Listing.Category
    let north: Double
    let day: Double

    var lost: (title: String, text: String) {
        (
            "Lost my \(colour) \(noun)",
            "I must have lost it on my way home. It is a \(brand) with \(details[0]) and \(details[1]). Please write, thank you!"
        )
    }

    var found: (title: String, text: String) {
        (
            "Found: \(noun), \(brand)",
            "It was lying on a bench this morning. \(colour.capitalized), has \(details[0]), looks used. Yours? Tell me more about it."
        )
    }
}

/// Things drawn by chance, the same each time.
struct Things {
    private var state: UInt64 = 42

    private static let nouns: [(String, Listing.Category)] = [
        ("wallet", .wallets), ("purse", .wallets), ("phone", .phones), ("keys", .keys), ("backpack", .bags),
        ("umbrella", .other), ("scarf", .clothes), ("jacket", .clothes), ("ring", .jewellery), ("glasses", .glasses),
        ("bicycle", .vehicles), ("violin", .instruments), ("teddy", .toys), ("cat", .pets), ("dog", .pets),
    ]
    private static let colours = ["black", "red", "blue", "green", "brown", "white", "grey", "yellow"]
    private static let brands = [
        "Nordal", "Veska", "Tullin", "Maro", "Kestrel", "Oswin", "Brack", "Lindt", "Pallas", "Quint",
    ]
    private static let signs = [
        "a scratch", "a sticker", "a torn strap", "an engraving", "a chain", "a patch", "a dent", "a ribbon", "a stain",
        "a tag",
    ]
    private static let marks = [
        "of a fox", "of a ship", "with initials", "near the edge", "in front", "behind", "of a star", "with a heart",
        "on the left", "of an owl",
    ]

    private mutating func draw(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }

    mutating func next() -> Thing {
        let (noun, category) = Self.nouns[draw(Self.nouns.count)]
        func detail(_ sign: Int, _ mark: Int) -> String { "\(Self.signs[sign]) \(Self.marks[mark])" }
        let details = [
            detail(draw(Self.signs.count), draw(Self.marks.count)),
            detail(draw(Self.signs.count), draw(Self.marks.count)),
        ]
        return Thing(
            noun: noun, colour: Self.colours[draw(Self.colours.count)], brand: Self.brands[draw(Self.brands.count)],
            details: details, category: category, north: Double(draw(100)) / 1000, day: Double(draw(80)) / 100)
    }
}
