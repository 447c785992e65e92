import ChirpAccounts
import ChirpCore
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Each way on which a password or a code is shown, in each kind of browser: none is a way around the limits, and nobody keeps another out.
@Suite struct GuessRouteTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// What a browser is to the account that is guessed at.
    enum Kind: CaseIterable, Sendable { case stranger, signedInAsAnother, known }

    private func browser<R>(_ kind: Kind, _ client: RouterClient<R>) async throws -> Visitor<R> {
        switch kind {
        case .stranger: return Visitor(client)
        case .signedInAsAnother: return try await cast.browser(of: "eve", client)
        case .known:
            let browser = try await cast.browser(of: "ann", client)
            _ = try await browser.submit("/signout")
            return browser
        }
    }

    /// Those in which one person guesses: who has an account of their own signs in with it in as many as they like.
    private func browsers<R>(_ kind: Kind, _ client: RouterClient<R>) async throws -> [Visitor<R>] {
        var browsers: [Visitor<R>] = []
        for _ in 0..<(kind == .signedInAsAnother ? 5 : 1) { browsers.append(try await browser(kind, client)) }
        return browsers
    }

    private static func fields(
        _ name: String, _ password: String = HubCast.password, code: String? = nil
    ) -> [(name: String, value: String)] {
        [("username", name), ("password", password)] + (code.map { [("code", $0)] } ?? [])
    }

    private func secondFactor(of account: HubAccount) async throws -> OneTimeCode {
        let factor = cast.accounts.newSecondFactor()
        let code = factor.code(atStep: OneTimeCode.step(at: house.now))
        _ = try await cast.accounts.switchOn(factor, code: code, of: account.id)
        house.wait(60)
        return factor
    }

    @Test(arguments: Kind.allCases)
    func `of forty wrong passwords ten are looked at, in whatever browser`(kind: Kind) async throws {
        for name in ["ann", "eve"] { try await cast.member(name) }
        try await house.application(cast.settings()).application().test(.router) { client in
            let known = try await browser(.known, client)
            let guessing = try await browsers(kind, client)
            var statuses: [HTTPResponse.Status: Int] = [:]
            for number in 0..<40 {
                let answer = try await guessing[number % guessing.count].submit(
                    "/signin", Self.fields("ann", "wrong password!"))
                statuses[answer.status, default: 0] += 1
                if answer.status == .tooManyRequests { #expect(answer.headers[.retryAfter] != nil) }
            }
            #expect(statuses == [.unprocessableContent: 10, .tooManyRequests: 30])
            #expect(try await guessing[0].submit("/signin", Self.fields("ann")).status == .tooManyRequests)
            // Ann comes in where she was before, and where nobody has guessed.
            let other = kind == .known ? Visitor(client) : known
            #expect(try await other.submit("/signin", Self.fields("ann")).status == .seeOther)
        }
    }

    @Test(arguments: Kind.allCases)
    func `with the right password ten of fifty wrong codes are looked at, in whatever browser`(kind: Kind) async throws
    {
        let ann = try await cast.member("ann")
        try await cast.member("eve")
        try await house.application(cast.settings()).application().test(.router) { client in
            let (known, guessing) = (try await browser(.known, client), try await browsers(kind, client))
            let factor = try await secondFactor(of: ann)
            var statuses: [HTTPResponse.Status: Int] = [:]
            for number in 0..<50 {
                let answer = try await guessing[number % guessing.count].submit(
                    "/signin", Self.fields("ann", code: "000000"))
                statuses[answer.status, default: 0] += 1
            }
            #expect(statuses == [.unprocessableContent: 10, .tooManyRequests: 40])
            let code = factor.code(atStep: OneTimeCode.step(at: house.now))
            let refused = try await guessing[0].submit("/signin", Self.fields("ann", code: code))
            #expect(refused.status == .tooManyRequests)
            let other = kind == .known ? Visitor(client) : known
            #expect(try await other.submit("/signin", Self.fields("ann", code: code)).status == .seeOther)
        }
    }

    @Test func `forty at once are not let in by a bucket that all of them found full`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            let eve = Visitor(client)
            let hidden = try await eve.hidden(on: "/signin")
            func guess() async throws -> HTTPResponse.Status {
                try await eve.post("/signin", hidden + Self.fields("ann", "wrong password!")).status
            }
            let seen = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<40 { group.addTask { try await guess() } }
                return try await group.reduce(into: 0) { if $1 == .unprocessableContent { $0 += 1 } }
            }
            #expect(seen <= 10)
        }
    }

    @Test func `the password that is asked for again has ten tries on all pages together, and as many by programs`()
        async throws
    {
        let ann = try await cast.member("ann")
        let token = try await cast.token(of: ann)
        let api = "/api/hub/v1/account"
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let wrong = "wrong password!"
            let pages: [() async throws -> TestResponse] = [
                { try await browser.submit("/settings/account/handle", [("username", "anna"), ("password", wrong)]) },
                {
                    try await browser.submit(
                        "/settings/account", to: "/settings/account/password",
                        [("password", wrong), ("new-password", "another password")])
                },
                {
                    try await browser.submit("/settings/account/mail", [("email", "a@b.example"), ("password", wrong)])
                },
                {
                    try await browser.submit(
                        "/settings/account/authenticator", [("code", "000000"), ("password", wrong)])
                },
                { try await browser.submit("/settings/export", [("password", wrong)]) },
                { try await browser.submit("/settings/delete", [("password", wrong)]) },
            ]
            let calls: [() async throws -> TestResponse] = [
                { try await client.send(.delete, api, json: "{\"password\":\"\(wrong)\"}", token: token) },
                {
                    try await client.send(
                        .put, "\(api)/password",
                        json: "{\"password\":\"\(wrong)\",\"newPassword\":\"another password\"}", token: token)
                },
                {
                    try await client.send(
                        .put, "\(api)/mail", json: "{\"password\":\"\(wrong)\",\"mail\":\"a@b.example\"}",
                        token: token)
                },
                {
                    try await client.send(
                        .put, "\(api)/handle", json: "{\"password\":\"\(wrong)\",\"handle\":\"anna\"}", token: token)
                },
                { try await client.send(.post, "\(api)/export", json: "{\"password\":\"\(wrong)\"}", token: token) },
            ]
            // A program that guesses keeps its person from confirming nothing.
            for ways in [calls, pages] {
                for number in 0..<10 {
                    #expect(try await ways[number % ways.count]().status == .unprocessableContent)
                }
                for way in ways { #expect(try await way().status == .tooManyRequests) }
            }
            // A stranger has not been kept out of anything, nor has Ann of signing in.
            #expect(try await Visitor(client).submit("/signin", Self.fields("ann")).status == .seeOther)
        }
    }

    @Test func `who is kept out by strangers comes in by the letter that sets a password`() async throws {
        try await cast.member("ann")
        try await house.application(cast.settings()).application().test(.router) { client in
            for _ in 0..<11 { _ = try await Visitor(client).submit("/signin", Self.fields("ann", "wrong password!")) }
            let ann = Visitor(client)
            #expect(try await ann.submit("/signin", Self.fields("ann")).status == .tooManyRequests)
            let letter = try await cast.accounts.requestReset(MailAddress(typed: "ann@example.org"))
            guard case .reset(_, let link)? = letter else { throw HubCast.Unexpected() }
            let path = "/reset?token=\(link.token.secret.reveal())"
            #expect(try await ann.submit(path, [("password", "another password")]).status == .ok)
            #expect(try await ann.submit("/signin", Self.fields("ann", "another password")).status == .seeOther)
            #expect(try await Visitor(client).submit("/signin", Self.fields("ann")).status == .tooManyRequests)
        }
    }

    @Test func `what earlier releases gave to browsers, and what others were given, makes a browser known to nobody`()
        async throws
    {
        try await cast.member("ann")
        try await cast.member("eve")
        try await house.application(cast.settings()).application().test(.router) { client in
            let key = try Data(contentsOf: URL(filePath: house.folder.path("hub/key")))
            let signer = Signer(key: Array(key))
            let name = Signer.newName()
            let hers = try #require(try await browser(.known, client).cookie("known"))
            let eves = try #require(try await cast.browser(of: "eve", client).cookie("known"))
            let parts = hers.split(separator: ".")
            #expect(parts.count == 2)
            var wrong = 0
            for known in [
                "\(name).\(signer.signature(of: name, for: "browser"))", eves, "\(name).\(parts[1])",
                "\(parts[0]).\(eves.split(separator: ".")[1])", "\(parts[0])", "\(parts[0]).", "...",
            ] {
                for _ in 0..<2 {
                    let visitor = Visitor(client)
                    let hidden = try await visitor.hidden(on: "/signin")
                    let answer = try await visitor.post(
                        "/signin", hidden + Self.fields("ann", "wrong password!"),
                        [.cookie: "\(visitor.allCookies); __Host-known=\(known)"])
                    if answer.status == .unprocessableContent { wrong += 1 }
                }
            }
            #expect(wrong == 10, "all of them have the strangers' bucket")
        }
    }

    @Test func `a browser is known to the last eight who have signed in there`() async throws {
        for number in 0..<10 { try await cast.member("ann\(number)") }
        try await house.application(cast.settings(limitScale: 10)).application().test(.router) { client in
            let shared = Visitor(client)
            for number in 0..<10 {
                #expect(try await shared.submit("/signin", Self.fields("ann\(number)")).status == .seeOther)
            }
            let parts = try #require(shared.cookie("known")).split(separator: ".")
            #expect(parts.count == 9 && parts.allSatisfy { $0.utf8.count <= 43 })
            _ = try await shared.submit("/signin", Self.fields("ann9"))
            #expect(shared.cookie("known")?.split(separator: ".").map { $0 } == parts, "and once each")
        }
    }
}
