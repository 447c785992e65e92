import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpOAuth
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

/// A hostile server in each role of each sign-in, beside an honest one (RFC 9700, section 4.4; RFC 9207). No code, token or verifier of the honest
/// one comes to the hostile one, and nobody is signed in as another.
@Suite struct HostileSignInTests {
    /// The honest server that the hostile one would have a code of.
    enum Honest: CaseIterable, Sendable { case mastodon, openID, x }
    enum Flow: CaseIterable, Sendable { case signIn, link }

    private let house: HubHousehold
    private let cast: HubCast
    private let mastodon: LoopbackMastodon
    private let openID: LoopbackOpenID
    private let x: LoopbackX
    /// A server in the hub's network that nobody has named.
    private let inside: LoopbackServer

    init() throws {
        let house = try HubHousehold()
        self.house = house
        cast = HubCast(house: house)
        mastodon = try LoopbackMastodon(now: { house.now })
        openID = try LoopbackOpenID(now: { house.now })
        x = try LoopbackX(now: { house.now })
        inside = try LoopbackServer { _ in .json(200, "{}") }
        // As services do, which send codes nowhere but where the owner has said.
        openID.answer(onlyAt: ["\(HubHousehold.publicURL)/signin/back"])
        x.oauth.answer("client-1", onlyAt: ["\(HubHousehold.publicURL)/frame/back"])
    }

    private func settings(issuer: String? = nil) throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.identity.mastodon = true
        settings.identity.insecureLoopback = true
        settings.identity.openID = IdentitySettings.OpenID(
            issuer: issuer ?? openID.base, client: "hub", secret: Secret("hush-openid-secret"), name: "Example")
        settings.frameX = FrameXSettings(
            clientID: "client-1", clientSecret: nil, api: x.base, authorization: "\(x.base)/i/oauth2/authorize",
            monthlyUSD: 5)
        return settings
    }

    private func callback(_ kind: String, of server: String) throws -> String {
        "\(HubHousehold.publicURL)/\(kind)/back/\(try #require(WebAddress(server)).callbackName)"
    }

    /// What the hostile server knows of an honest one.
    private func target(_ honest: Honest, frames: Bool = false) throws -> HostileMastodon.Target {
        let token = mastodon.oauth.grant().access
        let kind = frames ? "frame" : "signin"
        return switch honest {
        case .mastodon:
            HostileMastodon.Target(
                page: "\(mastodon.base)/oauth/authorize", client: "app-\(mastodon.oauth.registrations)",
                redirect: try callback(kind, of: mastodon.base), issuer: "\(mastodon.base)/",
                person: LoopbackMastodon.me, token: token, inside: inside.base)
        case .openID:
            HostileMastodon.Target(
                page: "\(openID.base)/authorize", client: "hub", redirect: "\(HubHousehold.publicURL)/signin/back",
                issuer: openID.base, person: "subject-1", token: token, inside: inside.base)
        case .x:
            HostileMastodon.Target(
                page: "\(x.base)/i/oauth2/authorize", client: "client-1",
                redirect: "\(HubHousehold.publicURL)/frame/back", issuer: x.base, person: LoopbackX.me, token: token,
                inside: inside.base)
        }
    }

    /// Codes, tokens and verifiers of the honest servers.
    private func secrets(but known: String) -> [String] {
        (mastodon.oauth.secrets + openID.secrets + x.oauth.secrets).filter { $0 != known }
    }

    /// Whether an honest server was asked by the hub since so many requests, with a code or a token.
    private func wasAsked(since counts: [Int]) -> Bool {
        zip([mastodon.server, openID.server, x.server], counts).contains { server, count in
            server.requests.dropFirst(count).contains { $0.method == "POST" || $0.headers["Authorization"] != nil }
        }
    }

    private var counts: [Int] { [mastodon.server, openID.server, x.server].map { $0.requests.count } }

    /// Ada signs up by the honest Mastodon server.
    private func join<R>(_ client: RouterClient<R>) async throws {
        let ada = Visitor(client)
        #expect(try await ada.comeByMastodon(mastodon.base)?.location == "/signin/name")
        #expect(try await ada.submit("/signin/name", [("username", "ada")]).location == "/")
    }

    /// Whoever is Ada at the honest server is Ada here, and nobody else.
    private func expectAda<R>(_ client: RouterClient<R>) async throws {
        let ada = Visitor(client)
        #expect(try await ada.comeByMastodon(mastodon.base)?.location == "/" && ada.has("session"))
        #expect(try await ada.get("/settings").text.contains("@ada"))
    }

    /// A member who adds a way to sign in, led to a service.
    private func link<R>(
        _ ann: Visitor<R>, _ fields: [(name: String, value: String)]
    ) async throws -> TestResponse? {
        let page = "/settings/account/identities"
        // The page has a form for each service, with the name of its own.
        let token = try await ann.hidden(on: page).filter { $0.name == "token" }.prefix(1)
        return try await ann.back(
            from: try await ann.post(page + "/link", token + fields + [("password", HubCast.password)]))
    }

    @Test(arguments: HostileMastodon.Role.allCases, Flow.allCases)
    func `a hostile Mastodon server gets nothing of another service, and is nobody of it`(
        role: HostileMastodon.Role, flow: Flow
    ) async throws {
        for honest in [Honest.mastodon, .openID] {
            try await mastodonCell(role, flow, honest)
        }
    }

    private func mastodonCell(_ role: HostileMastodon.Role, _ flow: Flow, _ honest: Honest) async throws {
        let house = try HubHousehold()
        let cast = HubCast(house: house)
        try await house.application(settings()).application().test(.router) { client in
            try await join(client)
            let target = try target(honest)
            let hostile = try HostileMastodon(role, target)
            let before = counts
            switch flow {
            case .signIn:
                let visitor = Visitor(client)
                _ = try await visitor.comeByMastodon(hostile.base)
                #expect(!visitor.has("session"), "\(role) \(honest)")
            case .link:
                try await cast.member("ann")
                let ann = try await cast.browser(of: "ann", client)
                _ = try await link(ann, [("service", "mastodon"), ("server", hostile.base)])
                #expect(try await ann.get("/settings").text.contains("@ann"), "\(role) \(honest)")
            }
            #expect(!hostile.hasHeard(secrets(but: target.token)), "\(role) \(flow) \(honest)")
            let asked = [mastodon.server, openID.server, x.server].map { $0.requests.map { "\($0.method) \($0.path)" } }
            #expect(!wasAsked(since: before), "\(role) \(flow) \(honest) \(before) \(asked)")
            #expect(inside.requests.isEmpty, "\(role) \(flow) \(honest)")
            try await expectAda(client)
        }
    }

    /// A configured issuer that turns hostile: it is somebody of its own at most.
    enum IssuerRole: CaseIterable, Sendable { case authorization, authorizationForItself, token, userInfo, metadata }

    @Test(arguments: IssuerRole.allCases, Flow.allCases)
    func `a hostile OpenID service gets nothing of a Mastodon server, and is nobody of it`(
        role: IssuerRole, flow: Flow
    ) async throws {
        let hostile = try LoopbackOpenID(now: { [house] in house.now })
        try await house.application(settings(issuer: hostile.base)).application().test(.router) { client in
            try await join(client)
            let target = try target(.mastodon)
            let fields = ["client_id": target.client, "scope": "read:accounts"]
            switch role {
            case .authorization:
                hostile.fail(
                    .leadsOn(to: target.page, fields.merging(["redirect_uri": target.redirect]) { $1 }))
            case .authorizationForItself: hostile.fail(.leadsOn(to: target.page, fields))
            case .token: hostile.fail(.foreignKey)
            case .userInfo: hostile.be("\(mastodon.base) \(LoopbackMastodon.me)")
            case .metadata: hostile.fail(.tokenAt("\(mastodon.base)/oauth/token"))
            }
            let before = counts
            switch flow {
            case .signIn:
                let visitor = Visitor(client)
                _ = try await visitor.comeByOpenID()
                #expect(!visitor.has("session"))
            case .link:
                try await cast.member("ann")
                let ann = try await cast.browser(of: "ann", client)
                _ = try await link(ann, [("service", "oidc")])
                #expect(try await ann.get("/settings").text.contains("@ann"))
            }
            let secrets = secrets(but: target.token)
            let heard = hostile.server.requests.contains { request in
                let text = String(decoding: request.body, as: UTF8.self) + request.query.values.joined(separator: " ")
                return secrets.contains { text.contains($0) }
            }
            #expect(!heard)
            #expect(!wasAsked(since: before))
            try await expectAda(client)
        }
    }

    @Test(arguments: HostileMastodon.Role.allCases, [Honest.mastodon, .x])
    func `a hostile server gives a frame nothing of another network`(
        role: HostileMastodon.Role, honest: Honest
    ) async throws {
        mastodon.follow(1)
        try await house.application(settings()).application().test(.router) { client in
            try await join(client)
            // The honest server knows frames of this hub, too.
            let first = Visitor(client)
            let start = #"{"network": "mastodon", "server": "\#(mastodon.base)"}"#
            let home = try await first.signInElsewhere(
                start, try await first.frameForm(), scope: "read:accounts read:follows read:statuses read:notifications"
            )
            #expect(try await first.get(home).location == "/frame")
            #expect(try await first.get("/api/hub/v1/frame").facts["network"] as? String == "mastodon")

            let target = try target(honest, frames: true)
            let hostile = try HostileMastodon(role, target)
            let before = counts
            let screen = Visitor(client)
            let begun = try await screen.call(
                .post, "/api/hub/v1/frame/start", #"{"network": "mastodon", "server": "\#(hostile.base)"}"#,
                [.formToken: try await screen.frameForm()])
            let location = try #require(try begun.facts["location"] as? String)
            let address = try #require(WebAddress(location))
            if let path = try await screen.travel(address) { _ = try await screen.get(path) }
            #expect(!hostile.hasHeard(secrets(but: target.token)))
            #expect(!wasAsked(since: before))
            #expect(inside.requests.isEmpty)
            // It shows somebody of the hostile server, or nobody.
            let facts = try await screen.get("/api/hub/v1/frame").facts
            let isOwn = [.token, .userInfo].contains(role)
            #expect(facts["network"] as? String == (isOwn ? "mastodon" : nil), "\(facts)")
        }
    }
}
