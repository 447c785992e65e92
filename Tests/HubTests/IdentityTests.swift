import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import LoopbackService
import Testing

/// Signing in and up by a service elsewhere, with one on loopback that can be wrong.
@Suite struct IdentityTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let service: LoopbackOpenID

    init() throws {
        let house = try HubHousehold()
        self.house = house
        cast = HubCast(house: house)
        service = try LoopbackOpenID(now: { house.now })
    }

    private func settings(_ registration: Registration = .open) throws -> HubSettings {
        var settings = try cast.settings(registration)
        settings.identity.openID = IdentitySettings.OpenID(
            issuer: service.base, client: "hub", secret: Secret("hush-openid-secret"), name: "Example")
        return settings
    }

    /// Where the page leads that a press of a button gives.
    private static func address(in page: TestResponse) throws -> WebAddress {
        let match = try #require(page.text.firstMatch(of: #/href="(http[^"]*)" rel="nofollow"/#))
        return try #require(WebAddress(String(match.1).replacing("&amp;", with: "&")))
    }

    /// Signs in at the service; the path to which it sends the browser back.
    private static func answer(_ address: WebAddress) async throws -> String {
        let response = try await CurlTransport().send(ChirpHTTP.HTTPRequest(.get, address))
        let location = try #require(response.headers["Location"])
        #expect(location.hasPrefix(HubHousehold.publicURL + "/signin/back"))
        return String(location.dropFirst(HubHousehold.publicURL.count))
    }

    /// Presses the button, signs in there, and comes back.
    private func come<R>(_ visitor: Visitor<R>, from page: String = "/signin") async throws -> TestResponse {
        let away = try await visitor.submit(page, to: "/signin/with/oidc")
        #expect(away.status == .ok && away.headers[.cacheControl] == "no-store")
        return try await visitor.get(try await Self.answer(try Self.address(in: away)))
    }

    /// The same by a Mastodon server.
    private func come<R>(_ visitor: Visitor<R>, by mastodon: LoopbackMastodon) async throws -> TestResponse {
        let away = try await visitor.submit("/signin/with/mastodon", [("server", mastodon.base)])
        return try await visitor.get(try await Self.answer(try Self.address(in: away)))
    }

    /// Signs somebody up by the service.
    private func join<R>(_ visitor: Visitor<R>, as name: String) async throws {
        #expect(try await come(visitor).location == "/signin/name")
        let answer = try await visitor.submit("/signin/name", [("username", name)])
        #expect(answer.status == .seeOther && visitor.has("session"))
    }

    @Test func `at the first sign-in a name is chosen, and later ones go straight in`() async throws {
        service.be("subject-1", mail: "ann@example.org")
        try await house.application(settings()).application().test(.router) { client in
            let first = Visitor(client)
            #expect(try await first.get("/signup").text.contains("<button>Sign in with Example</button>"))
            #expect(try await come(first, from: "/signin?to=/settings").location == "/signin/name")
            #expect(!first.has("session"))
            let page = try await first.get("/signin/name").text
            #expect(page.contains("autocomplete=\"username\" value=\"ann_example\""))
            let taken = try await first.submit("/signin/name", [("username", "me")])
            #expect(taken.status == .unprocessableContent && !first.has("session"))
            let done = try await first.submit("/signin/name", [("username", "ann")])
            #expect(done.location == "/settings" && first.has("session") && !first.has("identity"))
            #expect(try await first.get("/settings").text.contains("@ann"))
            let account = try #require(try await cast.accounts.account(Handle(typed: "ann")))
            #expect(account.state == .active && account.mail?.text == "ann@example.org" && !account.hasPassword)

            let second = Visitor(client)
            #expect(try await come(second).location == "/")
            #expect(try await second.get("/settings").text.contains("@ann"))
            // What came with the first is used up.
            #expect(try await first.get("/signin/name").location == "/signin")
        }
    }

    @Test func `whichever way somebody signs in, the session that the browser had before ends`() async throws {
        service.be("subject-1", mail: "ann@example.org")
        let owner = try await house.library.accounts().ownerLink()
        let path = String(
            HubPages(publicURL: HubHousehold.publicURL).ownerSignIn(owner).dropFirst(HubHousehold.publicURL.count))
        try await house.application(settings()).application().test(.router) { client in
            let browser = Visitor(client)
            try await join(browser, as: "ann")
            let ann = try #require(try await cast.accounts.account(Handle(typed: "ann"))).id
            #expect(try await come(browser).location == "/")
            #expect(try await cast.accounts.sessions(of: ann).count == 1)
            #expect(try await browser.submit(path).status == .seeOther)
            #expect(try await browser.get("/settings").text.contains("@me"))
            #expect(try await cast.accounts.sessions(of: ann).isEmpty)
        }
    }

    @Test(arguments: [
        LoopbackOpenID.Fault.nonce, .audience, .party, .issuer, .ended, .future, .unsigned, .shared, .foreignKey,
        .changed,
    ])
    func `what is not signed for this sign-in is refused`(fault: LoopbackOpenID.Fault) async throws {
        try await house.application(settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let away = try await visitor.submit("/signin", to: "/signin/with/oidc")
            let back = try await Self.answer(try Self.address(in: away))
            service.fail(fault)
            #expect(try await visitor.get(back).status == .badGateway)
            #expect(!visitor.has("session"))
            #expect(try await visitor.get("/signin/name").location == "/signin")
        }
    }

    @Test(arguments: [
        LoopbackOpenID.Fault.hugeKeys, .keysAt("https://127.0.0.1:1/keys"), .keysAt("http://keys.example.org/"),
        .redirect("http://127.0.0.1:1/"), .discoveryIssuer,
    ])
    func `nobody is sent to a service that cannot be used`(fault: LoopbackOpenID.Fault) async throws {
        service.fail(fault)
        try await house.application(settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let away = try await visitor.submit("/signin", to: "/signin/with/oidc")
            #expect(away.status == .badGateway && !visitor.has("identity"))
            // Once it works, nothing stands in the way.
            service.fail()
            #expect(try await come(visitor).location == "/signin/name")
        }
    }

    @Test func `a state works once, in the browser that began, and for ten minutes`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, eve) = (Visitor(client), Visitor(client))
            let away = try await ann.submit("/signin", to: "/signin/with/oidc")
            let back = try await Self.answer(try Self.address(in: away))
            #expect(try await eve.get(back).status == .unprocessableContent)
            // Nor one that has begun something of its own.
            _ = try await eve.submit("/signin", to: "/signin/with/oidc")
            #expect(try await eve.get(back).status == .unprocessableContent && !eve.has("session"))
            #expect(try await ann.get(back).location == "/signin/name")
            #expect(try await ann.get(back).status == .unprocessableContent)
            #expect(try await ann.get("/signin/back").status == .unprocessableContent)
            let late = try await ann.submit("/signin", to: "/signin/with/oidc")
            let path = try await Self.answer(try Self.address(in: late))
            house.wait(601)
            #expect(try await ann.get(path).status == .unprocessableContent)
            #expect(try await ann.get("/signin/name").location == "/signin")
        }
    }

    @Test func `keys that the service has changed are fetched once more`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            try await join(Visitor(client), as: "ann")
            #expect(service.keyQuestions == 1)
            try service.changeKey(toRSA: true)
            let visitor = Visitor(client)
            #expect(try await come(visitor).location == "/" && visitor.has("session"))
            #expect(service.keyQuestions == 2)
            #expect(try await come(Visitor(client)).location == "/")
            #expect(service.keyQuestions == 2)
        }
    }

    @Test func `a mail address counts only when it was verified there and nobody has it here`() async throws {
        try await cast.member("bob")
        try await house.application(settings()).application().test(.router) { client in
            service.be("subject-1", mail: "bob@example.org")
            try await join(Visitor(client), as: "ann")
            service.be("subject-2", mail: "cleo@example.org", isVerified: false)
            try await join(Visitor(client), as: "cleo")
        }
        for name in ["ann", "cleo"] {
            let account = try #require(try await cast.accounts.account(Handle(typed: name)))
            #expect(account.mail == nil)
        }
    }

    @Test func `where nobody may sign up nobody does by a service, and an invitation lets somebody in`() async throws {
        let link = try await cast.accounts.invitation()
        try await house.application(settings(.invite)).application().test(.router) { client in
            let stranger = Visitor(client)
            _ = try await come(stranger)
            #expect(try await stranger.submit("/signin/name", [("username", "eve")]).status == .forbidden)
            let guest = Visitor(client)
            _ = try await come(guest, from: "/signup?invitation=\(link.token.secret.reveal())")
            #expect(try await guest.submit("/signin/name", [("username", "ann")]).location == "/")
        }
    }

    @Test func `who has an authenticator shows a code behind the service too`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            try await join(Visitor(client), as: "ann")
            let account = try #require(try await cast.accounts.account(Handle(typed: "ann")))
            let factor = cast.accounts.newSecondFactor()
            let code = factor.code(atStep: OneTimeCode.step(at: house.now))
            _ = try await cast.accounts.switchOn(factor, code: code, of: account.id)
            let visitor = Visitor(client)
            #expect(try await come(visitor).location == "/signin/code" && !visitor.has("session"))
            let wrong = try await visitor.submit("/signin/code", [("code", "000000")])
            #expect(wrong.status == .unprocessableContent && !visitor.has("session"))
            house.wait(30)
            let next = factor.code(atStep: OneTimeCode.step(at: house.now))
            #expect(try await visitor.submit("/signin/code", [("code", next)]).location == "/")
            #expect(visitor.has("session"))
        }
    }

    @Test func `codes are counted for the account, behind the service and on the page of signing in together`()
        async throws
    {
        let ann = try await cast.member("ann")
        let page = "/settings/account/identities"
        try await house.application(settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let away = try await browser.submit(
                page, to: page + "/link", [("service", "oidc"), ("password", HubCast.password)])
            #expect(try await browser.get(try await Self.answer(try Self.address(in: away))).location == page)
            let factor = cast.accounts.newSecondFactor()
            _ = try await cast.accounts.switchOn(
                factor, code: factor.code(atStep: OneTimeCode.step(at: house.now)), of: ann.id)
            house.wait(60)
            let stranger = Visitor(client)
            #expect(try await come(stranger).location == "/signin/code")
            let behind = { try await stranger.submit("/signin/code", [("code", "000000")]).status }
            let onPage = {
                try await stranger.submit(
                    "/signin", [("username", "ann"), ("password", HubCast.password), ("code", "000000")]
                ).status
            }
            for _ in 0..<5 {
                #expect(try await behind() == .unprocessableContent)
                #expect(try await onPage() == .unprocessableContent)
            }
            #expect(try await behind() == .tooManyRequests)
            #expect(try await onPage() == .tooManyRequests)
            // In her own browser Ann shows hers.
            _ = try await browser.submit("/signout")
            #expect(try await come(browser).location == "/signin/code")
            let code = factor.code(atStep: OneTimeCode.step(at: house.now))
            #expect(try await browser.submit("/signin/code", [("code", code)]).location == "/")
        }
    }

    @Test func `a member links a service and unlinks it, but not the last way in`() async throws {
        try await cast.member("ann")
        let page = "/settings/account/identities"
        try await house.application(settings()).application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            let fields = [(name: "service", value: "oidc"), (name: "password", value: HubCast.password)]
            let wrong = try await ann.submit(page, to: page + "/link", [("service", "oidc"), ("password", "wrong")])
            #expect(wrong.status == .unprocessableContent)
            let away = try await ann.submit(page, to: page + "/link", fields)
            #expect(try await ann.get(try await Self.answer(try Self.address(in: away))).location == page)
            let by = Visitor(client)
            #expect(try await come(by).location == "/" && by.has("session"))

            // Somebody else cannot have it too.
            try await cast.member("bob")
            let bob = try await cast.browser(of: "bob", client)
            let other = try await bob.submit(page, to: page + "/link", fields)
            #expect(try await bob.get(try await Self.answer(try Self.address(in: other))).status == .conflict)

            let done = try await ann.submit(page, to: page + "/unlink", [("password", HubCast.password)])
            #expect(done.location == page)
            #expect(try await come(Visitor(client)).location == "/signin/name")

            service.be("subject-2")
            let cleo = Visitor(client)
            try await join(cleo, as: "cleo")
            let last = try await cleo.submit(page, to: page + "/unlink")
            #expect(last.status == .conflict)
            #expect(try await come(Visitor(client)).location == "/")
        }
    }

    @Test func `a link that was begun for one account is not finished for another`() async throws {
        try await cast.member("ann")
        let page = "/settings/account/identities"
        try await house.application(settings()).application().test(.router) { client in
            let ann = try await cast.browser(of: "ann", client)
            let away = try await ann.submit(
                page, to: page + "/link", [("service", "oidc"), ("password", HubCast.password)])
            let back = try await Self.answer(try Self.address(in: away))
            _ = try await ann.submit("/signout")
            #expect(try await ann.get(back).status == .unprocessableContent)
            #expect(try await come(Visitor(client)).location == "/signin/name")
        }
    }

    @Test func `Mastodon servers sign people in, and the hub registers there once`() async throws {
        let now = house.now
        let mastodon = try LoopbackMastodon(now: { now })
        var settings = try cast.settings()
        settings.identity.mastodon = true
        settings.identity.insecureLoopback = true
        try await house.application(settings).application().test(.router) { client in
            let first = Visitor(client)
            let page = try await first.get("/signin").text
            #expect(page.contains("<button>Sign in with Mastodon</button>"))
            #expect(try await come(first, by: mastodon).location == "/signin/name")
            #expect(try await first.get("/signin/name").text.contains("value=\"ada\""))
            #expect(try await first.submit("/signin/name", [("username", "ada")]).location == "/")
            let second = Visitor(client)
            #expect(try await come(second, by: mastodon).location == "/" && second.has("session"))
            #expect(mastodon.oauth.registrations == 1)
            // The hub keeps no token there.
            #expect(mastodon.oauth.isSignedOut)
        }
    }

    @Test(arguments: [
        "127.0.0.1", "http://127.0.0.1:1", "https://localhost", "router.local/x", "10.0.0.1", "[::1]", "", "@@",
        "https://192.168.0.1:443/", "https://mastodon.example:8443", "https://user@mastodon.example",
    ])
    func `no server within the network is asked`(server: String) async throws {
        var settings = try cast.settings()
        settings.identity.mastodon = true
        try await house.application(settings).application().test(.router) { client in
            let visitor = Visitor(client)
            let answer = try await visitor.submit("/signin/with/mastodon", [("server", server)])
            #expect([.unprocessableContent, .badGateway].contains(answer.status))
            #expect(answer.text.contains("id=\"server\"") && !visitor.has("identity"))
        }
    }

    @Test func `without a setting there is no other way in`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/signin").text
            #expect(!page.contains("/signin/with/"))
            #expect(try await visitor.submit("/signin", to: "/signin/with/oidc").status == .notFound)
            #expect(try await visitor.get("/signin/with/mastodon").status == .notFound)
        }
    }
}
