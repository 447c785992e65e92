import ChirpHub
import ChirpPlaces
import ChirpTestKit
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// Names of places, as programs and scripts of pages ask for them (LF-3).
@Suite struct PlaceRouteTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private static func town(
        _ id: Int, _ name: String, _ others: String, _ latitude: Double, _ longitude: Double, _ area: [String],
        _ people: Int
    ) -> String {
        let point = ["\(latitude)", "\(longitude)"]
        return (["\(id)", name, name, others] + point + ["P", "PPL", area[0], "", area[1], "", "", "", "\(people)"])
            .joined(separator: "\t")
    }

    /// The files of four towns, and where the database that is made of them is to lie.
    private func source() throws -> (folder: String, path: String) {
        let towns = [
            Self.town(1, "Bonn", "Бонн", 50.73438, 7.09549, ["DE", "07"], 313_125),
            Self.town(2, "Köln", "Cologne", 50.93333, 6.95, ["DE", "07"], 963_395),
            Self.town(3, "Springfield", "", 39.80172, -89.64371, ["US", "IL"], 117_006),
            Self.town(4, "Springfield", "", 37.21533, -93.29824, ["US", "MO"], 166_810),
        ]
        let files = [
            ("cities15000.txt", towns.joined(separator: "\n")),
            ("admin1Codes.txt", "DE.07\tNorth Rhine-Westphalia\tx\t1\nUS.IL\tIllinois\tx\t1\nUS.MO\tMissouri\tx\t1"),
            ("countryInfo.txt", "DE\tDEU\t276\tGM\tGermany\nUS\tUSA\t840\tUS\tUnited States"),
        ]
        for (name, text) in files {
            try text.write(toFile: house.folder.path(name), atomically: true, encoding: .utf8)
        }
        return (house.folder.path(""), house.folder.path("places.sqlite"))
    }

    /// With four towns.
    private func application(limitScale: Double = 1) throws -> HubApplication {
        let (folder, path) = try source()
        try Gazetteer.make(from: folder, at: path)
        var settings = try HubHousehold.settings()
        settings.limitScale = limitScale
        var application = try house.application(settings)
        application.gazetteer = try Gazetteer(path: path)
        return application
    }

    private static func names(_ answer: TestResponse, _ list: String = "places") throws -> [String]? {
        (try answer.facts[list] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    }

    @Test func `a hub that is served makes its list before somebody asks, but not while it starts`() async throws {
        let (folder, path) = try source()
        let gazetteer = Gazetteer(path: path, source: folder) { Issue.record("\($0)") }
        try await withLiveHub(house, clock: StoppedClock(), gazetteer: gazetteer) { _ in
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try await withLiveHub(house, clock: HurriedClock(), gazetteer: gazetteer) { _ in
            #expect(await until { FileManager.default.fileExists(atPath: path) })
        }
        #expect(Gazetteer.isMade(from: folder, at: path))
    }

    @Test func `a name is answered with places, and with who has made the list`() async throws {
        try await application().application().test(.router) { client in
            let answer = try await client.send(.get, "/api/hub/v1/places?q=%D0%B1%D0%BE%D0%BD%D0%BD")
            #expect(answer.status == .ok)
            let facts = try answer.facts
            #expect(facts["attribution"] as? String == "GeoNames, CC BY 4.0")
            #expect(facts["suggestions"] == nil)
            let places = try #require(facts["places"] as? [[String: Any]])
            let place = try #require(places.first)
            #expect(places.count == 1)
            #expect(place["id"] as? Int == 1 && place["name"] as? String == "Bonn")
            #expect(
                place["province"] as? String == "North Rhine-Westphalia" && place["country"] as? String == "Germany")
            #expect(place["lat"] as? Double == 50.73438 && place["lon"] as? Double == 7.09549)
            let about = try await Visitor(client).get("/about").text
            #expect(about.contains("GeoNames</a>") && about.contains("CC BY 4.0</a>"))
        }
    }

    @Test func `what has nothing is answered with what may have been meant`() async throws {
        try await application().application().test(.router) { client in
            let answer = try await client.send(.get, "/api/hub/v1/places?q=Bnon")
            #expect(try Self.names(answer) == [])
            #expect(try Self.names(answer, "suggestions") == ["Bonn"])
            #expect(try Self.names(try await client.send(.get, "/api/hub/v1/places?q=xyzzy"), "suggestions") == [])
        }
    }

    @Test func `the nearest are first, and without a name the nearest town is told`() async throws {
        try await application().application().test(.router) { client in
            let expected: [(query: String, ids: [Int])] = [
                ("q=springfield", [4, 3]),
                ("q=springfield&near=39.7,-89.6", [3, 4]),
                ("q=springfield+illinois", [3]),
                ("near=50.7,7.0", [1]),
                ("near=0,0", []),
            ]
            for (query, ids) in expected {
                let answer = try await client.send(.get, "/api/hub/v1/places?\(query)")
                let places = try #require(try answer.facts["places"] as? [[String: Any]])
                #expect(places.compactMap { $0["id"] as? Int } == ids, "\(query)")
            }
        }
    }

    @Test func `what cannot be understood is refused by its field`() async throws {
        try await application().application().test(.router) { client in
            for query in ["", "?q=", "?q=%20%00", "?near=north", "?q=bonn&near=91,0", "?near=1,2,3", "?near=nan,1"] {
                let answer = try await client.send(.get, "/api/hub/v1/places\(query)")
                #expect(answer.status == .unprocessableContent, "\(query)")
                #expect((try answer.facts["errors"] as? [String: String])?.isEmpty == false, "\(query)")
            }
            let hostile = ["%22", "*", "NEAR(a%20b)", "key:x", "'%3B--", "%FF%FE", String(repeating: "a", count: 5000)]
            for query in hostile {
                #expect(try await client.send(.get, "/api/hub/v1/places?q=\(query)").status == .ok, "\(query)")
            }
        }
    }

    @Test func `who asks all the time has to wait`() async throws {
        try await application(limitScale: 0.05).application().test(.router) { client in
            var statuses: [Int] = []
            for _ in 0..<8 { statuses.append(try await client.send(.get, "/api/hub/v1/places?q=bonn").status.code) }
            #expect(statuses == [200, 200, 200, 200, 200, 200, 429, 429])
        }
    }

    @Test func `a hub without a list says so, and names nobody on its page`() async throws {
        try await house.application(HubHousehold.settings()).application().test(.router) { client in
            let answer = try await client.send(.get, "/api/hub/v1/places?q=bonn")
            #expect(answer.status == .notFound)
            #expect((try answer.facts["type"] as? String)?.hasSuffix("/problems/no-places") == true)
            #expect(!(try await Visitor(client).get("/about").text.contains("GeoNames")))
        }
    }
}
