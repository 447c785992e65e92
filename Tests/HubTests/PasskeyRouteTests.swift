import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Passkeys over HTTP, as the script of the pages sends them.
@Suite struct PasskeyRouteTests {
    private let cast: HubCast

    init() throws { cast = HubCast(house: try HubHousehold()) }

    @Test func `a passkey is added with the password, signs in, and is taken away`() async throws {
        try await cast.house.application(try cast.settings()).application().test(.router) { client in
            try await cast.member("ann")
            let ann = try await cast.browser(of: "ann", client)
            let device = SoftAuthenticator()
            let page = "/settings/account/passkeys"
            let wrong = try await ann.add(device, password: "not the password")
            #expect(wrong.status == .unprocessableContent)
            #expect(try await ann.get(page).text.contains("You have none yet"))
            #expect(try await ann.add(device, password: HubCast.password).location == "\(page)?said=added")
            #expect(try await ann.get(page).text.contains("<bdi>telephone</bdi>"))

            let visitor = Visitor(client)
            #expect(try await visitor.get("/signin").text.contains("Sign in with a passkey"))
            let entered = try await visitor.enter(by: device, to: "/settings")
            #expect(entered.status == .seeOther && entered.location == "/settings")
            #expect(try await visitor.get("/settings").status == .ok)

            let text = try await ann.get(page).text
            let id = try #require(text.firstMatch(of: #/name="id" value="([^"]+)"/#)?.1)
            let gone = try await ann.submit(
                page, to: "\(page)/removal", [("id", String(id)), ("password", HubCast.password)])
            #expect(gone.location == "\(page)?said=removed")
            let refused = try await Visitor(client).enter(by: device)
            #expect(refused.status == .unprocessableContent && refused.text.contains("signs nobody in here"))
        }
    }

    @Test func `who tries passkeys of others has to wait`() async throws {
        try await cast.house.application(try cast.settings(limitScale: 1)).application().test(.router) { client in
            var statuses: [HTTPResponse.Status] = []
            for _ in 0..<25 { statuses.append(try await Visitor(client).enter(by: SoftAuthenticator()).status) }
            #expect(statuses.prefix(20).allSatisfy { $0 == .unprocessableContent } && statuses.last == .tooManyRequests)
        }
    }

    @Test func `a hub without a name offers none`() async throws {
        var settings = try HubSettings(HubAddress(port: 0, publicURL: "http://127.0.0.1:4747"))
        settings.passwordCost = HubHousehold.passwordCost
        try await cast.house.application(settings).application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/signin")
            let absent = try await visitor.get("/signin/passkey")
            #expect(!page.text.contains("passkey") && absent.status == .notFound)
        }
    }
}

extension Visitor {
    private var origin: (host: String, url: String) { ("clips.example.org", HubHousehold.publicURL) }

    /// Adds a passkey, as the script of its page does.
    func add(_ device: SoftAuthenticator, password: String) async throws -> TestResponse {
        let asked = try await call(.post, "/api/hub/v1/account/passkeys/challenge")
        guard let challenge = try asked.facts["challenge"] as? String else { throw HubCast.Unexpected() }
        let answer = device.register(challenge: challenge, party: origin.host, origin: origin.url)
        return try await filled(
            "/settings/account/passkeys",
            [
                ("challenge", challenge), ("client", answer.client), ("attestation", answer.attestation),
                ("name", "telephone"), ("password", password),
            ])
    }

    /// Signs in by one.
    func enter(by device: SoftAuthenticator, to way: String = "/") async throws -> TestResponse {
        let form = try await hidden(on: "/signin/passkey").first { $0.name == "token" }
        let asked = try await call(.post, "/api/hub/v1/passkeys/challenge", "{}", [.formToken: form?.value ?? ""])
        guard let challenge = try asked.facts["challenge"] as? String else { throw HubCast.Unexpected() }
        let answer = try device.show(challenge: challenge, party: origin.host, origin: origin.url)
        return try await filled(
            "/signin/passkey",
            [
                ("challenge", challenge), ("client", answer.client), ("credential", answer.credential),
                ("authenticator", answer.authenticator), ("signature", answer.signature), ("user", answer.user),
                ("to", way),
            ])
    }

    /// Sends a page's form with its hidden fields filled in.
    private func filled(_ page: String, _ fields: [(name: String, value: String)]) async throws -> TestResponse {
        let token = try await hidden(on: page).filter { $0.name == "token" }.prefix(1)
        return try await post(page, token + fields)
    }
}
