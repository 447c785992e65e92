import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Testing

/// A hub behind a web server: limits and shares are each visitor's own, and nobody takes another's address.
@Suite struct ProxyTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func settings(trusting proxies: String...) throws -> HubSettings {
        var settings = try HubHousehold.settings()
        settings.trustedProxies = TrustedProxies(try proxies.map { try #require(AddressBlock($0)) })
        return settings
    }

    private func forwarded(_ addresses: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("X-Forwarded-For")): addresses]
    }

    @Test func `a visitor's failures behind a trusted proxy are not those of another`() async throws {
        try await house.application(settings(trusting: "127.0.0.1", "10.0.0.0/8")).application().test(.router) {
            client in
            let proxy = try client.at("127.0.0.1")
            var answer: TestResponse?
            for number in 0..<21 {
                // What she writes herself stands first, another each time.
                answer = try await Visitor(proxy).submit(
                    "/signin", [("username", "name\(number)"), ("password", "wrong password!")],
                    forwarded("203.0.113.\(number), 198.51.100.7, 10.1.2.3"))
            }
            #expect(answer?.status == .tooManyRequests)
            for (other, status) in [
                ("198.51.100.8", HTTPResponse.Status.unprocessableContent), ("198.51.100.7", .tooManyRequests),
            ] {
                let answer = try await Visitor(proxy).submit(
                    "/signin", [("username", "other"), ("password", "wrong password!")], forwarded(other))
                #expect(answer.status == status, "\(other)")
            }
        }
    }

    @Test func `who is no trusted proxy stays in his own bucket, whatever he writes`() async throws {
        try await house.application(settings(trusting: "10.0.0.0/8")).application().test(.router) { client in
            let (eve, proxy) = (try client.at("198.51.100.7"), try client.at("10.0.0.1"))
            var answer: TestResponse?
            for number in 0..<21 {
                answer = try await Visitor(eve).submit(
                    "/signin", [("username", "name\(number)"), ("password", "wrong password!")],
                    forwarded("203.0.113.\(number), 10.0.0.1"))
            }
            #expect(answer?.status == .tooManyRequests)
            // The same address by way of the proxy is the same visitor, and those that were named are others.
            for (address, status) in [
                ("198.51.100.7", HTTPResponse.Status.tooManyRequests), ("203.0.113.20", .unprocessableContent),
            ] {
                let answer = try await Visitor(proxy).submit(
                    "/signin", [("username", "other"), ("password", "wrong password!")], forwarded(address))
                #expect(answer.status == status, "\(address)")
            }
        }
    }

    @Test func `a household has one bucket, however many addresses of IPv6 it has`() async throws {
        try await house.application(settings(trusting: "10.0.0.0/8")).application().test(.router) { client in
            var answer: TestResponse?
            for number in 1...21 {
                answer = try await Visitor(try client.at("2001:db8:1:2::\(number)")).submit(
                    "/signin", [("username", "name\(number)"), ("password", "wrong password!")])
            }
            #expect(answer?.status == .tooManyRequests)
            for (address, status) in [
                ("2001:db8:1:2:ffff::1", HTTPResponse.Status.tooManyRequests),
                ("2001:db8:1:3::1", .unprocessableContent), ("198.51.100.7", .unprocessableContent),
            ] {
                let answer = try await Visitor(try client.at(address)).submit(
                    "/signin", [("username", "other"), ("password", "wrong password!")])
                #expect(answer.status == status, "\(address)")
            }
        }
    }

    @Test func `event streams are the visitor's whom the proxy names`() async throws {
        var limits = ConnectionLimits()
        limits.perAddress = 1
        limits.streamsPerAddress = 1
        try await withLiveHub(
            house, clock: HurriedClock(), publicURL: "http://127.0.0.1:4747", connections: limits,
            trustedProxies: TrustedProxies([try #require(AddressBlock("127.0.0.0/8"))])
        ) { port in
            func stream(_ visitor: String) throws -> OpenAnswer {
                try #require(
                    OpenAnswer(port: port, path: "/api/v1/events", headers: ["X-Forwarded-For: \(visitor)"]))
            }
            // More connections than one address may have, since a proxy stands for many.
            let (first, second) = (try stream("198.51.100.7"), try stream("198.51.100.8"))
            for answer in [first, second] {
                #expect(await answer.lines { $0.hasPrefix("id: ") }?.first == "HTTP/1.1 200 OK")
            }
            let third = try stream("203.0.113.9, 198.51.100.7")
            #expect(await third.lines { $0.isEmpty }?.first == "HTTP/1.1 429 Too Many Requests")
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test func `no field of a request says where the link of a letter leads`() async throws {
        let names = [
            "X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Proto", "X-Forwarded-Prefix", "X-Original-Host",
            "X-Host", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Host-Override", "Forwarded",
        ]
        let cast = HubCast(house: house)
        _ = try await cast.member("ann")
        var settings = try cast.settings(limitScale: 1e6)
        settings.trustedProxies = TrustedProxies([try #require(AddressBlock("127.0.0.1"))])
        try await house.application(settings).application().test(.router) { client in
            let proxy = try client.at("127.0.0.1")
            for name in names {
                let value = name == "Forwarded" ? "host=evil.example;proto=http" : "https://evil.example/"
                let answer = try await Visitor(proxy).submit(
                    "/reset", [("email", "ann@example.org")], [try #require(HTTPField.Name(name)): value])
                #expect(answer.status == .ok, "\(name)")
            }
        }
        let folder = house.folder.path("hub/mail")
        let letters = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        #expect(letters.count >= names.count)
        for letter in letters {
            #expect(!letter.contains("evil.example"))
            let links = letter.split(separator: "\r\n").filter { $0.contains("token=") }
            #expect(links.allSatisfy { $0.hasPrefix(HubHousehold.publicURL + "/") })
        }
    }
}
