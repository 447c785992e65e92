import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// The description of the API; `Tests/Peers/api.py` has others judge its form.
@Suite struct DescriptionTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `every route for programs is described, and no page`() async throws {
        let hub = try house.application(cast.settings())
        let routes = try hub.declaredRoutes()
        try await hub.application().test(.router) { client in
            let answer = try await client.send(.get, "/api/openapi.json")
            let facts = try answer.facts
            #expect(facts["openapi"] as? String == "3.1.0")
            let paths = try #require(facts["paths"] as? [String: [String: Any]])
            for route in routes where route.path != "/api/openapi.json" {
                let path = route.path.replacing(#/:(\w+)/#) { "{\($0.1)}" }
                let operation = paths[path]?[route.method.rawValue.lowercased()] as? [String: Any]
                guard case .programs = route.audience else {
                    #expect(operation == nil, "\(route.path)")
                    continue
                }
                let found = try #require(operation, "\(route.method) \(route.path)")
                #expect((found["summary"] as? String)?.isEmpty == false, "\(route.path) has no summary")
                #expect((found["responses"] as? [String: Any])?["\(route.gives)"] != nil)
            }
            let known = try await client.send(
                .get, "/api/openapi.json", [.ifNoneMatch: try #require(answer.headers[.eTag])])
            #expect(known.status == .notModified)
            let packed = try await client.send(.get, "/api/openapi.json", [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip" && packed.headers[.eTag] == answer.headers[.eTag])
            #expect(packed.body.readableBytes * 4 < answer.body.readableBytes)
        }
    }

    @Test func `a refusal has a body where programs get one, and none is promised to other servers`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let paths = try await client.send(.get, "/api/openapi.json").facts["paths"] as? [String: [String: Any]]
            var told = (servers: 0, programs: 0)
            for (path, operations) in try #require(paths) {
                let isForServers = path.hasPrefix("/ap/") || path.hasPrefix("/.well-known/")
                for case let operation as [String: Any] in operations.values {
                    let responses = operation["responses"] as? [String: [String: Any]] ?? [:]
                    for (status, answer) in responses where status == "404" {
                        #expect((answer["content"] == nil) == isForServers, "\(path)")
                        if isForServers { told.servers += 1 } else { told.programs += 1 }
                    }
                }
            }
            #expect(told.servers > 0 && told.programs > 0)
        }
    }

    @Test func `no two operations have one name, and every scope that is asked for can be had`() throws {
        let routes = try house.application(cast.settings()).declaredRoutes()
        var names: Set<String> = []
        for route in routes {
            let name = "\(route.method) \(route.path)"
            #expect(names.insert(name).inserted, "\(name) is declared twice")
            guard case .programs(let rule) = route.audience else { continue }
            #expect(Scopes.known.isSuperset(of: rule.names), "\(route.path): \(rule)")
            // Where nobody may know who asks, everybody may.
            #expect(rule != .open || route.access == .everybody, "\(name)")
            #expect(rule == .open || !rule.names.isEmpty, "\(name)")
        }
    }
}
