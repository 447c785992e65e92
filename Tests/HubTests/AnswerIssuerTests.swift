import ChirpAccounts
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpOAuth
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

/// What a service calls itself in its answers (`iss`, RFC 9207), and the address where it answers: both have to be those of the service that was
/// asked, in answers with a code as in answers with an error.
@Suite struct AnswerIssuerTests {
    /// What an answer names.
    enum Named: CaseIterable, Sendable {
        case nothing, itself, another
        /// Nothing, though it promises to name itself.
        case nothingOfAPromise
        case itselfAsPromised

        var isRight: Bool { [.nothing, .itself, .itselfAsPromised].contains(self) }
    }

    private let house: HubHousehold
    private let cast: HubCast
    private let mastodon: LoopbackMastodon
    private let openID: LoopbackOpenID

    init() throws {
        let house = try HubHousehold()
        self.house = house
        cast = HubCast(house: house)
        mastodon = try LoopbackMastodon(now: { house.now })
        openID = try LoopbackOpenID(now: { house.now })
    }

    private func settings() throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.identity.mastodon = true
        settings.identity.insecureLoopback = true
        settings.identity.openID = IdentitySettings.OpenID(
            issuer: openID.base, client: "hub", secret: Secret("hush-openid-secret"), name: "Example")
        return settings
    }

    private func name(_ named: Named) {
        let promises = [.nothingOfAPromise, .itselfAsPromised].contains(named)
        switch named {
        case .nothing, .nothingOfAPromise:
            mastodon.oauth.name(nil, promises: promises)
            openID.name(nil, promises: promises)
        case .itself, .itselfAsPromised:
            mastodon.oauth.name("\(mastodon.base)/", promises: promises)
            openID.name(openID.base, promises: promises)
        case .another:
            mastodon.oauth.name(openID.base)
            openID.name("\(mastodon.base)/")
        }
    }

    @Test(arguments: Named.allCases)
    func `an answer that names another service, or not the one that it promises, is not used`(
        named: Named
    ) async throws {
        name(named)
        mastodon.follow(1)
        try await house.application(settings()).application().test(.router) { client in
            let byMastodon = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect((byMastodon?.location == "/signin/name") == named.isRight)
            let byOpenID = try await Visitor(client).comeByOpenID()
            #expect((byOpenID?.location == "/signin/name") == named.isRight)
            let screen = Visitor(client)
            let back = try await screen.signInElsewhere(
                #"{"network": "mastodon", "server": "\#(mastodon.base)"}"#, try await screen.frameForm(),
                scope: "read:accounts read:follows read:statuses read:notifications")
            _ = try await screen.get(back)
            let network = try await screen.get("/api/hub/v1/frame").facts["network"] as? String
            #expect((network == "mastodon") == named.isRight)
            // Nobody has asked for a token.
            let asked = (mastodon.server.requests + openID.server.requests).contains { $0.path.hasSuffix("/token") }
            #expect(asked == named.isRight)
        }
    }

    @Test func `a refusal that names another service is none of the one that was asked`() async throws {
        mastodon.oauth.decide(.deny)
        try await house.application(settings()).application().test(.router) { client in
            let refused = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(refused?.status == .unprocessableContent)
            mastodon.oauth.name("https://other.example/")
            let foreign = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(foreign?.status == .badGateway)
        }
    }

    @Test func `a wrong issuer ends no sign-in of others who are away`() async throws {
        name(.itselfAsPromised)
        try await house.application(settings()).application().test(.router) { client in
            let away = Visitor(client)
            let address = try #require(
                try await away.submit("/signin/with/mastodon", [("server", mastodon.base)]).departure)
            let back = try #require(try await away.travel(address))
            name(.another)
            #expect(try await Visitor(client).comeByMastodon(mastodon.base)?.status == .badGateway)
            let screen = Visitor(client)
            let wrong = try await screen.signInElsewhere(
                #"{"network": "mastodon", "server": "\#(mastodon.base)"}"#, try await screen.frameForm(),
                scope: "read:accounts read:follows read:statuses read:notifications")
            _ = try await screen.get(wrong)
            // Of the sign-in, and of the frame.
            #expect(mastodon.oauth.registrations == 2)
            #expect(try await away.get(back).location == "/signin/name")
            #expect(mastodon.oauth.registrations == 2)
        }
    }

    @Test func `a server that no longer promises its name is asked anew a day later`() async throws {
        name(.itselfAsPromised)
        try await house.application(settings()).application().test(.router) { client in
            let first = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(first?.location == "/signin/name")
            name(.nothing)
            let second = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(second?.status == .badGateway)
            house.wait(24 * 3600)
            let third = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(third?.status == .badGateway && mastodon.oauth.registrations == 1)
            let fourth = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(fourth?.location == "/signin/name")
            #expect(mastodon.oauth.registrations == 2)
        }
    }

    @Test func `an answer counts at the callback of its service alone, and uses the attempt up elsewhere`()
        async throws
    {
        let other = try LoopbackMastodon(now: { [house] in house.now })
        let name = try #require(WebAddress(other.base)).callbackName
        try await house.application(settings()).application().test(.router) { client in
            for wrong in ["/signin/back", "/signin/back/\(name)", "/signin/back/x"] {
                let visitor = Visitor(client)
                let away = try await visitor.submit("/signin/with/mastodon", [("server", mastodon.base)])
                let address = try #require(away.departure)
                let right = try #require(try await visitor.travel(address))
                let query = right.drop { $0 != "?" }
                #expect(try await visitor.get(wrong + query).status == .badGateway)
                #expect(try await visitor.get(right).status == .unprocessableContent)
                #expect(!visitor.has("session"))
            }
            let visitor = Visitor(client)
            let away = try await visitor.submit("/signin", to: "/signin/with/oidc")
            let address = try #require(away.departure)
            let right = try #require(try await visitor.travel(address))
            let wrong = "/signin/back/\(name)" + right.drop { $0 != "?" }
            #expect(try await visitor.get(wrong).status == .badGateway)
            let asked = (mastodon.server.requests + openID.server.requests).contains { $0.path.hasSuffix("/token") }
            #expect(!asked)
        }
    }

    @Test func `a client that a server knows by the address that all once shared is registered anew`() async throws {
        let origin = try #require(WebAddress(mastodon.base)).origin
        try await cast.accounts.keepClient(
            id: "old", secret: Secret("old-secret"), namesIssuer: false, at: origin,
            redirect: "\(HubHousehold.publicURL)/signin/back")
        try await house.application(settings()).application().test(.router) { client in
            let come = try await Visitor(client).comeByMastodon(mastodon.base)
            #expect(come?.location == "/signin/name")
            #expect(mastodon.oauth.registrations == 1)
        }
    }
}
