import ChirpPlaces
import ChirpTestKit
import Foundation
import Testing

/// Names of places, with a few of them.
@Suite struct GazetteerTests {
    private let folder: TemporaryFolder
    private let gazetteer: Gazetteer
    private let path: String

    /// Lines of GeoNames: only the columns that are read.
    static func town(
        _ id: Int, _ name: String, _ others: String, _ latitude: Double, _ longitude: Double, _ area: String,
        _ people: Int
    ) -> String {
        let area = area.split(separator: ".")
        return [
            "\(id)", name, name, others, "\(latitude)", "\(longitude)", "P", "PPL", "\(area[0])", "", "\(area[1])", "",
            "", "", "\(people)", "", "60", "UTC", "2014-01-01",
        ].joined(separator: "\t")
    }

    static let towns = [
        town(2_946_447, "Bonn", "BNJ,Bona,Bonna,Бонн,波恩,ボン,本", 50.73438, 7.09549, "DE.07", 313_125),
        town(2_886_242, "Köln", "CGN,Cologne,Koeln,Colonia,Keulen,Кёльн,कोलोन", 50.93333, 6.95, "DE.07", 963_395),
        town(2_950_159, "Berlin", "BER,Berlim,Berlijn,Берлин,Βερολίνο", 52.52437, 13.41053, "DE.16", 3_426_354),
        town(2_988_507, "Paris", "Parigi,Париж", 48.85341, 2.3488, "FR.A8", 2_138_551),
        town(4_717_560, "Paris", "Paris", 33.66094, -95.55551, "US.TX", 25_171),
        town(4_250_542, "Springfield", "", 39.80172, -89.64371, "US.IL", 117_006),
        town(4_409_896, "Springfield", "", 37.21533, -93.29824, "US.MO", 166_810),
        town(2_198_148, "Suva", "Сува", -18.14161, 178.44149, "FJ.01", 77_366),
        town(1_880_252, "Singapore", "Singapur,新加坡", 1.28967, 103.85007, "SG.00", 3_547_809),
        town(2_964_574, "Dublin", "DUB,Baile Átha Cliath", 53.33306, -6.24889, "IE.07", 1_024_027),
        town(1, "Dub", "", 10, 10, "DE.07", 20_000),
        // As large as the town around it, says the list.
        town(2_643_741, "City of London", "London,Siti", 51.51279, -0.09184, "GB.ENG", 7_556_900),
        town(2_643_743, "London", "City of London,Londres", 51.50853, -0.12574, "GB.ENG", 7_556_900),
        town(6_058_560, "London", "", 42.98339, -81.23304, "CA.08", 346_765),
        town(3_102_627, "Bochnia", "Bohna,Бохня", 49.96909, 20.43028, "PL.77", 29_184),
        "nonsense", "5\tNowhere\t\t\tnan\t7",
    ]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("places.sqlite")
        try Self.write(Self.towns, to: folder)
        try Gazetteer.make(from: folder.path(""), at: path)
        gazetteer = try Gazetteer(path: path)
    }

    static func write(_ towns: [String], to folder: TemporaryFolder) throws {
        let files = [
            ("cities15000.txt", towns.joined(separator: "\n") + "\n"),
            (
                "admin1Codes.txt",
                "DE.07\tNorth Rhine-Westphalia\tNorth Rhine-Westphalia\t1\nDE.16\tBerlin\tBerlin\t2\n"
                    + "US.TX\tTexas\tTexas\t3\nUS.IL\tIllinois\tIllinois\t4\nUS.MO\tMissouri\tMissouri\t5\n"
            ),
            (
                "countryInfo.txt",
                "# ISO\tISO3\nDE\tDEU\t276\tGM\tGermany\nFR\tFRA\t250\tFR\tFrance\nUS\tUSA\t840\tUS\tUnited States\n"
                    + "FJ\tFJI\t1\tFJ\tFiji\nSG\tSGP\t2\tSN\tSingapore\nIE\tIRL\t3\tEI\tIreland\n"
                    + "GB\tGBR\t4\tUK\tUnited Kingdom\nCA\tCAN\t5\tCA\tCanada\nPL\tPOL\t6\tPL\tPoland\n"
            ),
        ]
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
    }

    private func found(_ name: String, _ limit: Int = 5) async throws -> [String] {
        try await gazetteer.places(named: name, limit: limit).map(\.title)
    }

    @Test func `a place is found by any of its names, however they are written`() async throws {
        let bonn = "Bonn, North Rhine-Westphalia, Germany"
        for name in ["Bonn", "bonn", " BONN ", "Бонн", "波恩", "bona", "Bonn!"] {
            #expect(try await found(name).first == bonn, "\(name)")
        }
        for name in ["Koln", "köln", "KÖLN", "Cologne", "कोलोन", "кельн", "cgn"] {
            #expect(try await found(name).first == "Köln, North Rhine-Westphalia, Germany", "\(name)")
        }
        #expect(try await found("baile atha cliath").first == "Dublin, Ireland")
        #expect(try await found("BaileÁthaCliath").first == "Dublin, Ireland")
    }

    @Test func `a title tells nothing twice`() async throws {
        #expect(try await found("Berlin") == ["Berlin, Germany"])
        #expect(try await found("Singapore") == ["Singapore"])
    }

    @Test func `the largest is first, a province or a country behind the name chooses another`() async throws {
        #expect(try await found("Springfield").first == "Springfield, Missouri, United States")
        for name in ["Springfield, Illinois", "springfield illinois", "Springfield IL", "springfield, il, usa"] {
            #expect(try await found(name).first == "Springfield, Illinois, United States", "\(name)")
        }
        #expect(try await found("Paris").first == "Paris, France")
        #expect(try await found("paris tx") == ["Paris, Texas, United States"])
        #expect(try await found("Bonn, Deutschland").first == "Bonn, North Rhine-Westphalia, Germany")
        #expect(try await found("Bonn, France").first == "Bonn, North Rhine-Westphalia, Germany")
    }

    @Test func `the beginning of a name suffices, behind those that are called so`() async throws {
        #expect(try await found("ber").first == "Berlin, Germany")
        #expect(try await found("spring").count == 2)
        // A town that is called as an airport elsewhere is meant.
        #expect(try await found("dub").first == "Dub, North Rhine-Westphalia, Germany")
        #expect(try await found("dub").contains("Dublin, Ireland"))
        #expect(try await found("b").isEmpty)
        #expect(try await found("spring", 1).count == 1)
        #expect(try await found("spring", 0).isEmpty)
    }

    @Test func `one error is enough for a suggestion`() async throws {
        for name in ["Bnon", "Bonnn", "Bnn", "Bomn", "onn"] {
            #expect(try await gazetteer.suggestions(for: name, limit: 3).map(\.name).contains("Bonn"), "\(name)")
        }
        for name in ["Singapoer", "Sngapore", "Singapure", "singaporre", "Sigapoer"] {
            #expect(try await gazetteer.suggestions(for: name, limit: 3).first?.name == "Singapore", "\(name)")
        }
        #expect(try await gazetteer.suggestions(for: "Springfeild, Illinois", limit: 3).count == 2)
        #expect(try await gazetteer.suggestions(for: "xyzzy", limit: 3).isEmpty)
    }

    @Test func `of places as large as each other, the one that is listed under the name is first`() async throws {
        let places = try await gazetteer.places(named: "London", limit: 5)
        #expect(places.map(\.id) == [2_643_743, 2_643_741, 6_058_560])
        #expect(try await gazetteer.places(named: "City of London", limit: 5).first?.id == 2_643_741)
        #expect(try await gazetteer.places(named: "Londres", limit: 5).map(\.id) == [2_643_743])
    }

    @Test func `a much larger place with one error is meant rather than a small one that begins so`() async throws {
        // Bochnia is also called Bohna.
        #expect(try await gazetteer.places(named: "Bohn", limit: 5).isEmpty)
        #expect(try await gazetteer.suggestions(for: "Bohn", limit: 5).map(\.name) == ["Bonn", "Bochnia"])
        #expect(try await gazetteer.places(named: "Bohna", limit: 5).map(\.name) == ["Bochnia"])
        #expect(try await gazetteer.places(named: "Boch", limit: 5).map(\.name) == ["Bochnia"])
        // One error is nearer than two, however large the other place is.
        #expect(try await gazetteer.suggestions(for: "Bochniaa", limit: 5).first?.name == "Bochnia")
    }

    @Test func `what is typed is text, never a query`() async throws {
        let names = [
            "", " ", "\"", "*", "bonn*", "NEAR(bonn)", "key:bonn", "bonn OR 1=1", "'; DROP TABLE places; --", "\0", "%",
            "_", "\u{202E}nnob", String(repeating: "a", count: 1_000_000), String(repeating: ",", count: 100_000),
            "a" + String(repeating: "\u{301}", count: 100_000), String(repeating: "bonn ", count: 10_000), "👩‍👩‍👧‍👦",
            "\u{10FFFF}",
        ]
        for name in names {
            _ = try await gazetteer.places(named: name, limit: 5)
            _ = try await gazetteer.suggestions(for: name, limit: 5)
        }
        #expect(try await found("Bonn").count == 1)
        #expect(try await gazetteer.places(named: "bonn", limit: .max).count == 1)
        #expect(try await gazetteer.places(named: "bonn", limit: .min).isEmpty)
    }

    @Test func `a place has its id, the nearest is found near and far, also over the date line`() async throws {
        #expect(try await gazetteer.place(2_946_447)?.name == "Bonn")
        #expect(try await gazetteer.place(7) == nil)
        let point = try #require(GeoPoint(latitude: 50.8, longitude: 7.05))
        #expect(try await gazetteer.nearest(to: point, within: 50_000)?.name == "Bonn")
        #expect(try await gazetteer.nearest(to: point, within: 1000) == nil)
        #expect(try await gazetteer.nearest(to: point, within: .nan) == nil)
        let sea = try #require(GeoPoint(latitude: -18, longitude: -179))
        #expect(try await gazetteer.nearest(to: sea, within: 400_000)?.name == "Suva")
        let pole = try #require(GeoPoint(latitude: 90, longitude: 0))
        #expect(try await gazetteer.nearest(to: pole, within: 1e9)?.name == "Dublin")
    }

    @Test func `a place is in a country, by the two letters that last`() async throws {
        #expect(try await gazetteer.country(of: 2_946_447) == "DE")
        #expect(try await gazetteer.country(of: 4_717_560) == "US")
        #expect(try await gazetteer.country(of: 7) == nil)
    }

    @Test func `the greatest of a part of the earth`() async throws {
        let germany = try #require(GeoBox(south: 47, west: 6, north: 55, east: 15))
        #expect(try await gazetteer.greatest(in: germany, limit: 2).map(\.name) == ["Berlin", "Köln"])
        #expect(try await gazetteer.greatest(in: .world, limit: 1).map(\.people) == [7_556_900])
        let fiji = try #require(GeoBox(south: -20, west: 177, north: -12, east: -178))
        #expect(try await gazetteer.greatest(in: fiji, limit: 9).map(\.name) == ["Suva"])
        #expect(try await gazetteer.greatest(in: fiji, limit: -1).isEmpty)
    }

    @Test func `it is made anew when its source is another one, and readers of the old one go on`() async throws {
        let source = folder.path("")
        #expect(Gazetteer.isMade(from: source, at: path))
        #expect(!Gazetteer.isMade(from: source, at: folder.path("none")))
        try Self.write(Self.towns + [Self.town(9, "Neustadt", "", 1, 1, "DE.07", 1)], to: folder)
        #expect(!Gazetteer.isMade(from: source, at: path))
        try Gazetteer.make(from: source, at: path)
        #expect(Gazetteer.isMade(from: source, at: path))
        #expect(try await found("Bonn").count == 1)
        #expect(try await Gazetteer(path: path).places(named: "Neustadt", limit: 1).count == 1)
    }

    @Test func `the first who asks has it made, once for all who ask meanwhile`() async throws {
        let (source, lazy) = (folder.path(""), folder.path("lazy.sqlite"))
        let gazetteer = Gazetteer(path: lazy, source: source) { Issue.record("\($0)") }
        #expect(try !folder.names().contains("lazy.sqlite"))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await gazetteer.places(named: "Bonn", limit: 5).count } }
            for try await count in group { #expect(count == 1) }
        }
        #expect(Gazetteer.isMade(from: source, at: lazy))
        // Without its source it goes on.
        let later = Gazetteer(path: lazy, source: "/nowhere") { Issue.record("\($0)") }
        later.prepare()
        #expect(try await later.places(named: "Bonn", limit: 5).count == 1)
    }

    @Test func `what cannot be made is told once, and every question fails`() async throws {
        let told = Mutexed<[GazetteerError]>([])
        let gazetteer = Gazetteer(path: folder.path("none"), source: "/nowhere") { error in
            told.change { $0.append(error) }
        }
        for _ in 0..<3 {
            await #expect(throws: GazetteerError.self) { try await gazetteer.places(named: "Bonn", limit: 5) }
        }
        #expect(told.value.count == 1 && told.value.first?.reason.isEmpty == false)
    }

    @Test func `a source that is missing or empty leaves what was there`() async throws {
        let before = try folder.names()
        #expect(throws: GazetteerError.self) { try Gazetteer.make(from: "/nowhere", at: path) }
        try Self.write(["nonsense"], to: folder)
        #expect(throws: GazetteerError.self) { try Gazetteer.make(from: folder.path(""), at: path) }
        #expect(try folder.names() == before)
        #expect(try await Gazetteer(path: path).places(named: "Bonn", limit: 1).count == 1)
        #expect(throws: GazetteerError.self) { try Gazetteer(path: folder.path("none")) }
        #expect(throws: GazetteerError.self) { try Gazetteer(path: folder.path("cities15000.txt")) }
    }
}
