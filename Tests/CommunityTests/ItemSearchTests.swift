import ChirpAccounts
import ChirpCommunity
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Words, categories and places (boards.md 0, 4.2, 5.4.2).
@Suite(.tags(.computing)) struct ItemSearchTests {
    @Test func `every word is asked for, in title, text and tags, whatever its case and accents`() async throws {
        let world = try await ItemWorld()
        try await world.list("Schlüsselbund", text: "mit blauem Anhänger")
        var draft = world.draft("Blue bag")
        draft.tags = ["rucksack", "grün"]
        _ = try await world.library.createItem(draft)
        let table: [(String, Set<String>)] = [
            ("", ["Schlüsselbund", "Blue bag"]), ("SCHLUSSELBUND", ["Schlüsselbund"]), ("schlüss", ["Schlüsselbund"]),
            ("blue", ["Blue bag"]), ("blue grun", ["Blue bag"]), ("blue anhanger", []),
            ("anhanger, mit", ["Schlüsselbund"]), ("  ", ["Schlüsselbund", "Blue bag"]), ("!!!", []), ("ba", []),
        ]
        for (words, expected) in table {
            #expect(try await Set(world.titles(world.query(words))) == expected, "\(words)")
        }
    }

    @Test func `no words are syntax`() async throws {
        let world = try await ItemWorld()
        try await world.list("alpha beta")
        let hostile = [
            "\"", "\"\"\"", "*", "alpha*", "NEAR(alpha beta)", "title:alpha", "words:zsopen", "alpha OR nothing",
            "NOT beta",
            "alpha\u{0}beta", "-alpha", "^alpha", "{title}:alpha", "alpha AND", "(", ")", "alpha + beta",
            "'; DROP TABLE items",
            "\u{FFFD}\u{202E}", String(repeating: "alpha ", count: 10_000), String(repeating: "a", count: 1_000_000),
            String(repeating: "a\"b ", count: 5000), "zblost", "gca7*", "🔑 🗝️",
            String(repeating: "e\u{301}", count: 5000),
        ]
        for words in hostile {
            let found = try await world.titles(world.query(words))
            #expect(found == [] || found == ["alpha beta"], "\(words.prefix(30))")
        }
        #expect(try await world.titles(world.query("alpha OR nothing")) == [])
        #expect(try await world.titles(world.query("alpha* beta")) == ["alpha beta"])
    }

    @Test func `ten words are asked for as the index splits them, four side by side, and each once`() async throws {
        let world = try await ItemWorld()
        try await world.list("one two three four", text: "five six seven eight nine ten")
        let table: [(words: String, isFound: Bool)] = [
            ("one.two.three.four", true), ("one.two.four", false),
            // Behind four of a phrase, and behind ten of all.
            ("one.two.three.four.none", true), ("one.two three.four five.six seven.eight nine.ten none", true),
            ("one two three four five six seven eight nine ten none", true), ("one two three none", false),
            // Those that come again are not asked for again, and take no others' place.
            ("one.one.one.none", true), ("one.two one.two.three", true), ("ONE.Óne.oNE", true),
            (String(repeating: "one ", count: 20) + "none", false),
            (String(repeating: "one.", count: 15) + " none", false),
        ]
        for (words, isFound) in table {
            #expect(try await world.titles(world.query(words)).isEmpty != isFound, "\(words)")
        }
    }

    @Test func `words in a text do not pose as filters`() async throws {
        let world = try await ItemWorld()
        let settled = try await world.list("zsopen zbattic zkfound zcpets gca70x93", at: (50.7, 7.1))
        try await world.move(settled, to: .settled, by: world.ann)
        try await world.list("plain", category: "zcpets", at: (0, 0))
        var draft = world.draft("own words", at: (0, 0))
        draft.words = ["zssettled", "gca70x93", "zcpets", "zrreward", "zk-found", "zr reward"]
        _ = try await world.library.createItem(draft)
        let bonn = try world.point(50.7, 7.1)
        #expect(try await world.titles(world.query("zsopen")) == [])
        #expect(try await world.titles(world.query("zbattic") { $0.kinds = ["found"] }) == [])
        #expect(try await world.titles(world.query("own") { $0.area = .circle(bonn, radius: 1e5) }) == [])
        #expect(try await world.titles(world.query("own") { $0.category = "pets" }) == [])
        #expect(try await world.titles(world.query { $0.tokens = ["zrreward"] }) == ["own words"])
        #expect(try await world.titles(world.query { $0.tokens = ["zrother"] }) == [])
        #expect(try await world.titles(world.query { $0.tokens = ["zsopen"] }) == [])
    }

    @Test func `the nearest come first, and distances are of where things are shown`() async throws {
        let world = try await ItemWorld()
        let places = [
            ("Bonn", 50.73, 7.1), ("Köln", 50.94, 6.96), ("Berlin", 52.52, 13.4), ("Sydney", -33.87, 151.2),
            ("Suva", -18.14, 178.44), ("Apia", -13.83, -171.76), ("Nord", 89.9, 100), ("Pol", 89.9, -80),
        ]
        for (name, latitude, longitude) in places { try await world.list(name, at: (latitude, longitude)) }
        try await world.list("nowhere")
        func order(_ latitude: Double, _ longitude: Double) throws -> [String] {
            let from = try world.point(latitude, longitude)
            return try places.map { ($0.0, try from.distance(to: world.point($0.1, $0.2))) }.sorted { $0.1 < $1.1 }.map(
                \.0)
        }
        for (latitude, longitude) in [(50.7, 7.0), (-15.0, 179.9), (-15, -179.9), (89.99, 10), (0, 0), (-90, 0)] {
            let point = try world.point(latitude, longitude)
            for limit in [1, 3, 30] {
                let query = world.query { ($0.order, $0.limit) = (.nearest(point), limit) }
                #expect(try await world.titles(query) == order(latitude, longitude))
            }
        }
        let fiji = try world.point(-16, 179.9)
        let near = world.query { ($0.area, $0.order) = (.circle(fiji, radius: 1.2e6), .nearest(fiji)) }
        #expect(try await world.titles(near) == ["Suva", "Apia"])
        let box = try world.box(-20, 170, 0, 190)
        #expect(try await Set(world.titles(world.query { $0.area = .box(box) })) == ["Suva", "Apia"])
    }

    /// Random queries against the same by hand.
    @Test(arguments: 0..<20)
    func `a search finds what reading everything finds`(_ seed: Int) async throws {
        let world = try await ItemWorld()
        var random = Dice(seed: UInt64(seed) &+ 77)
        struct Thing {
            let title, kind, category: String
            let point: GeoPoint
            let words: Set<String>
        }
        let vocabulary = ["red", "blue", "ring", "phone", "case", "old"]
        // Most of them around a town or two; some near poles and date line.
        let all = [(48.2, 16.3), (-17.7, 179.99), (89.2, 0), (48.9, 2.3)]
        // Of some seeds all in one town, so that cells of every size are full.
        let towns = seed % 4 == 0 ? [all[seed / 4 % 4]] : all
        var things: [Thing] = []
        for number in 0..<120 {
            let town = towns[Int.random(in: 0..<towns.count, using: &random)]
            let spread = [0.01, 0.2, 3][Int.random(in: 0...2, using: &random)]
            let point = try world.point(
                min(90, town.0 + .random(in: -spread...spread, using: &random)),
                town.1 + .random(in: -spread...spread, using: &random))
            let words = Set((0..<3).map { _ in vocabulary[Int.random(in: 0..<6, using: &random)] })
            let thing = Thing(
                title: "t\(number)", kind: ["lost", "found"][Int.random(in: 0...1, using: &random)],
                category: ["keys", "pets", "bags"][Int.random(in: 0...2, using: &random)], point: point, words: words)
            things.append(thing)
            try await world.list(
                thing.title, kind: thing.kind, category: thing.category,
                at: (point.latitude, point.longitude), text: words.joined(separator: " "))
        }
        for _ in 0..<60 {
            let near = things[Int.random(in: 0..<things.count, using: &random)].point
            let radius = pow(10, Double.random(in: 2...7, using: &random))
            var query = world.query { $0.limit = [7, 100][Int.random(in: 0...1, using: &random)] }
            if Bool.random(using: &random) { query.kinds = ["found"] }
            if Int.random(in: 0...2, using: &random) == 0 { query.category = "pets" }
            let wanted = Int.random(in: 0...2, using: &random) == 0 ? ["red", "ring"] : []
            query.words = wanted.joined(separator: " ")
            let circle = ItemQuery.Area.circle(near, radius: radius)
            let box = ItemQuery.Area.box(GeoBox(around: near, radius: radius))
            query.area = [nil, circle, box][Int.random(in: 0...2, using: &random)]
            if Bool.random(using: &random) { query.order = .nearest(near) }
            var expected = things.filter { thing in
                (query.kinds.isEmpty || query.kinds.contains(thing.kind))
                    && (query.category == nil || query.category == thing.category)
                    && thing.words.isSuperset(of: wanted)
            }
            switch query.area {
            case .circle: expected.removeAll { near.distance(to: $0.point) > radius }
            case .box(let box): expected.removeAll { !box.contains($0.point) }
            case nil: break
            }
            if case .nearest = query.order {
                expected.sort { near.distance(to: $0.point) < near.distance(to: $1.point) }
            } else {
                expected.reverse()
            }
            let found = try await world.titles(query, for: Bool.random(using: &random) ? world.bob : nil)
            #expect(found == expected.map(\.title), "\(query)")
        }
    }
}

/// Numbers that are the same for the same seed (xorshift64*).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
