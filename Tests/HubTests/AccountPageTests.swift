import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Accounts as people without script meet them: pages and forms, over the router.
@Suite struct AccountPageTests {
    private let house: HubHousehold
    private static let password = "correct horse battery"

    init() throws { house = try HubHousehold() }

    private func settings(_ registration: Registration = .open) throws -> HubSettings {
        try HubHousehold.settings(registration)
    }

    /// The newest letter to somebody.
    private func letter(to mail: String) throws -> String? {
        let folder = house.folder.path("hub/mail")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let letters = try names.map { name -> (Date, String) in
            let path = "\(folder)/\(name)"
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let date = facts[.modificationDate] as? Date ?? .distantPast
            return (date, try String(contentsOfFile: path, encoding: .utf8))
        }
        return letters.filter { $0.1.contains("To: \(mail)\r\n") }.max { $0.0 < $1.0 }?.1
    }

    /// The path of the link in a letter.
    private func link(in letter: String?) throws -> String {
        let text = try #require(letter)
        let line = try #require(
            text.split(separator: "\r\n").first { $0.hasPrefix(HubHousehold.publicURL) && $0.contains("token=") })
        return String(line.dropFirst(HubHousehold.publicURL.count))
    }

    private func signUp<R>(_ visitor: Visitor<R>, _ name: String) async throws {
        let answer = try await visitor.submit(
            "/signup", [("email", "\(name)@example.org"), ("username", name), ("password", Self.password)])
        #expect(answer.status == .ok && answer.text.contains("Look into your mail"))
        let path = try link(in: try letter(to: "\(name)@example.org"))
        #expect(try await visitor.submit(path).text.contains("confirmed"))
    }

    private func signIn<R>(
        _ visitor: Visitor<R>, _ name: String, _ password: String = password
    ) async throws -> TestResponse {
        try await visitor.submit("/signin", [("username", name), ("password", password)])
    }

    @Test func `somebody signs up, confirms, signs in, looks at the settings and signs out`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await signUp(ann, "ann")
            #expect(try await Visitor(client).get("/settings").location == "/signin?to=%2Fsettings")
            let answer = try await signIn(ann, "ann")
            #expect(answer.status == .seeOther && answer.location == "/" && ann.has("session"))
            let settings = try await ann.get("/settings")
            #expect(settings.text.contains("@ann") && settings.headers[.vary] == "Cookie, Accept-Language")
            // What everybody sees costs no look at the session.
            #expect(try await ann.get("/feed.json").headers[.vary] == nil)
            let out = try await ann.submit("/signout")
            #expect(out.status == .seeOther && !ann.has("session"))
            #expect(try await ann.get("/settings").status == .seeOther)
        }
    }

    @Test func `what is wrong stands beside its field, with what was typed, and 422`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            let answer = try await ann.submit(
                "/signup", [("email", "ann@example.org"), ("username", "a b"), ("password", Self.password)])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("value=\"ann@example.org\"") && answer.text.contains("value=\"a b\""))
            #expect(answer.text.contains("aria-invalid=\"true\"") && !answer.text.contains(Self.password))
        }
    }

    @Test func `an address that has an account gives the same page, and its owner a letter without a link`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            try await signUp(Visitor(client), "ann")
            let eve = Visitor(client)
            let fields = { (name: String, mail: String) in
                [("email", mail), ("username", name), ("password", Self.password)]
            }
            let taken = try await eve.submit("/signup", fields("eve", "ann@example.org"))
            let free = try await eve.submit("/signup", fields("bob", "bob@example.org"))
            #expect(taken.status == free.status)
            #expect(taken.text == free.text.replacing("bob@example.org", with: "ann@example.org"))
            let letter = try #require(try letter(to: "ann@example.org"))
            #expect(letter.contains("already") && !letter.contains("token="))
        }
    }

    @Test func `a lost password is set by a letter, for which nobody learns who has an account`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            try await signUp(Visitor(client), "ann")
            let ann = Visitor(client)
            let known = try await ann.submit("/reset", [("email", "ann@example.org")])
            let unknown = try await ann.submit("/reset", [("email", "eve@example.org")])
            #expect(known.status == .ok && known.status == unknown.status)
            #expect(known.text == unknown.text.replacing("eve@example.org", with: "ann@example.org"))
            #expect(try letter(to: "eve@example.org") == nil)
            let path = try link(in: try letter(to: "ann@example.org"))
            #expect(try await ann.submit(path, [("password", "another password")]).status == .ok)
            #expect(try await signIn(ann, "ann").status == .unprocessableContent)
            #expect(try await signIn(ann, "ann", "another password").status == .seeOther)
            #expect(try await ann.submit(path, [("password", "a third password")]).status == .unprocessableContent)
        }
    }

    @Test(arguments: [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"],
        ["Origin": "null"], ["Content-Type": "text/plain"],
        ["Cookie": "__Host-visit=\(String(repeating: "a", count: 32))"],
    ])
    func `a form that another site's page sent is refused`(headers: [String: String]) async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            var fields: HTTPFields = [:]
            for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
            let answer = try await ann.submit(
                "/signup", [("email", "a@example.org"), ("username", "ann"), ("password", Self.password)], fields)
            #expect([.forbidden, .unsupportedMediaType].contains(answer.status))
            #expect(try letter(to: "a@example.org") == nil)
        }
    }

    @Test func `a form of this site is taken with the headers that browsers send`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            let headers: HTTPFields = [
                .origin: HubHousehold.publicURL, try #require(HTTPField.Name("Sec-Fetch-Site")): "same-origin",
            ]
            let answer = try await ann.submit(
                "/signup", [("email", "a@example.org"), ("username", "ann"), ("password", Self.password)], headers)
            #expect(answer.status == .ok)
        }
    }

    @Test func `signing in too often is told, with the time to wait, and keeps nobody else out`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, eve) = (Visitor(client), Visitor(client))
            try await signUp(ann, "ann")
            #expect(try await signIn(ann, "ann").status == .seeOther)
            var answer = try await signIn(eve, "ann", "wrong password!")
            for _ in 0..<10 { answer = try await signIn(eve, "ann", "wrong password!") }
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] != nil)
            // Her browser has been signed in before, so that a stranger's failures are not hers.
            #expect(try await ann.get("/settings").status == .ok)
            _ = try await ann.submit("/signout")
            #expect(try await signIn(ann, "ann").status == .seeOther)
        }
    }

    @Test func `a browser that only says that it is known counts as a stranger's`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            try await signUp(Visitor(client), "ann")
            var answer: TestResponse?
            for number in 0..<12 {
                let eve = Visitor(client)
                _ = try await eve.get("/signin")
                let visit = try #require(eve.cookie("visit"))
                let name = String(repeating: "a", count: 30) + "\(10 + number)"
                let made = [
                    "visit=\(visit)", "known=\(name).\(String(repeating: "b", count: 43))",
                    "session=\(name)aaaaaaaaaaa",
                ]
                answer = try await eve.submit(
                    "/signin", [("username", "ann"), ("password", "wrong password!")],
                    [.cookie: made.map { "__Host-" + $0 }.joined(separator: "; ")])
            }
            #expect(answer?.status == .tooManyRequests)
        }
    }

    @Test func `after signing in the browser goes to a page of this hub, never to another site`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await signUp(ann, "ann")
            for (way, target) in [
                ("/settings", "/settings"), ("https://evil.example/", "/"), ("//evil.example", "/"),
                ("/\\evil.example", "/"), ("javascript:alert(1)", "/"),
            ] {
                let query = way.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let answer = try await Visitor(client).submit(
                    "/signin?to=\(query)", [("username", "ann"), ("password", Self.password)])
                #expect(answer.location == target, "\(way)")
            }
        }
    }

    @Test func `the owner signs in by a link that works once, and sets a password`() async throws {
        let link = try await house.library.accounts().ownerLink()
        try await house.application(settings(.closed)).application().test(.router) { client in
            let (owner, other) = (Visitor(client), Visitor(client))
            let path = String(
                HubPages(publicURL: HubHousehold.publicURL).ownerSignIn(link).dropFirst(HubHousehold.publicURL.count))
            // A program that looks at the address uses nothing up.
            _ = try await other.get(path)
            #expect(try await owner.submit(path).status == .seeOther)
            #expect(try await owner.get("/settings").text.contains("@me"))
            #expect(try await other.submit(path).status == .unprocessableContent)
            let set = try await owner.submit(
                "/settings/account", to: "/settings/account/password", [("new-password", Self.password)])
            #expect(set.status == .seeOther)
            #expect(try await signIn(other, "me").status == .seeOther)
            // Now it is asked for.
            let again = try await owner.submit(
                "/settings/account", to: "/settings/account/password", [("new-password", "another password")])
            #expect(again.status == .unprocessableContent)
        }
    }

    @Test(arguments: [Registration.closed, .invite])
    func `where nobody may sign up the page says so, and the act is refused`(registration: Registration) async throws {
        try await house.application(settings(registration)).application().test(.router) { client in
            let eve = Visitor(client)
            #expect(!(try await eve.get("/signup").text.contains("<form method=\"post\" action=\"/signup\"")))
            // With the token of another form.
            let answer = try await eve.submit(
                "/signin", to: "/signup",
                [("email", "eve@example.org"), ("username", "eve"), ("password", Self.password)])
            #expect(answer.status == .forbidden)
        }
    }

    @Test func `sessions are listed, and one is ended from another browser`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (one, two) = (Visitor(client), Visitor(client))
            try await signUp(one, "ann")
            _ = try await signIn(one, "ann")
            _ = try await two.submit(
                "/signin", [("username", "ann"), ("password", Self.password)], [.userAgent: "<b>other</b>"])
            let list = try await one.get("/settings/sessions").text
            #expect(list.contains("&lt;b&gt;other") && !list.contains("<b>other"))
            let end = try await one.submit("/settings/sessions", to: "/settings/sessions/end-all")
            #expect(end.status == .seeOther)
            #expect(try await two.get("/settings").status == .seeOther)
            #expect(try await one.get("/settings").status == .seeOther)
        }
    }

    @Test func `an authenticator is switched on with a code, asked for at sign-in, and switched off`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await signUp(ann, "ann")
            _ = try await signIn(ann, "ann")
            let path = "/settings/account/authenticator"
            let wrong = try await ann.submit(path, [("code", "000000"), ("password", "not the password")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("That is not your password"))
            // What the page shows is what goes along unseen, so the key is read from a page and sent with it.
            let page = try await ann.get(path).text
            let key = try #require(page.firstMatch(of: #/name="key" value="([A-Z2-7]{32})"/#)?.1)
            let token = try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
            let factor = try #require(OneTimeCode(text: key))
            let now = OneTimeCode.step(at: house.now)
            let on = try await ann.post(
                path,
                [
                    ("token", String(token)), ("key", String(key)), ("code", factor.code(atStep: now)),
                    ("password", Self.password),
                ])
            #expect(on.status == .ok && on.text.contains("recovery codes"))

            let other = Visitor(client)
            let asked = try await signIn(other, "ann")
            #expect(asked.status == .unprocessableContent && asked.text.contains("one-time-code"))
            house.wait(30)
            let next = factor.code(atStep: now + 1)
            let fields = [("username", "ann"), ("password", Self.password), ("code", next)]
            #expect(try await other.submit("/signin", fields).status == .seeOther)
            // Whoever has the session and the password alone does not take it away.
            #expect(try await ann.get(path).text.contains("name=\"code\""))
            for code in [nil, "", "000000", next] as [String?] {
                let typed = code.map { [(name: "code", value: $0)] } ?? []
                let off = try await ann.submit(path, to: path + "/off", [("password", Self.password)] + typed)
                #expect(off.status == .unprocessableContent, "\(code ?? "none")")
            }
            house.wait(30)
            let last = factor.code(atStep: now + 2)
            let off = try await ann.submit(path, to: path + "/off", [("password", Self.password), ("code", last)])
            #expect(off.status == .seeOther)
            #expect(try await signIn(Visitor(client), "ann").status == .seeOther)
        }
    }

    @Test func `a profile is set, and an account is deleted with its password`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await signUp(ann, "ann")
            _ = try await signIn(ann, "ann")
            let name = "Ann <script>"
            #expect(
                try await ann.submit("/settings/profile", [("name", name), ("bio", "I speak")]).status == .seeOther)
            let tags = [("name", name), ("bio", "I speak"), ("artist", "on")]
            #expect(try await ann.submit("/settings/profile", tags).status == .seeOther)
            let form = try await ann.get("/settings/profile").text
            #expect(form.contains("name=\"artist\" type=\"checkbox\" value=\"on\" checked"))
            #expect(form.contains("name=\"producer\" type=\"checkbox\" value=\"on\">"))
            let profile = try await ann.get("/@ann").text
            #expect(profile.contains("<li>artist</li>") && !profile.contains("<li>producer</li>"))
            #expect(profile.contains("Ann &lt;script&gt;") && !profile.contains("Ann <script>"))
            let refused = try await ann.submit("/settings/delete", [("password", "not the password")])
            #expect(refused.status == .unprocessableContent)
            let gone = try await ann.submit("/settings/delete", [("password", Self.password)])
            #expect(gone.status == .ok && !ann.has("session"))
            #expect(try await ann.get("/@ann").status == .notFound)
            #expect(try letter(to: "ann@example.org")?.contains("deleted") == true)
        }
    }

    @Test(arguments: [
        "/settings", "/settings/account", "/settings/sessions", "/settings/profile", "/settings/delete",
        "/settings/account/authenticator",
    ])
    func `what is a member's sends a visitor to sign in, and no cache keeps it`(path: String) async throws {
        try await house.application(settings()).application().test(.router) { client in
            let answer = try await Visitor(client).get(path)
            #expect(answer.status == .seeOther && answer.headers[.cacheControl] == "no-store")
            // By an act it is refused.
            let act = try await Visitor(client).submit("/signin", to: "/settings/sessions/end-all")
            #expect(act.status == .unauthorized)
        }
    }

    @Test func `an authenticator is switched by nobody without the password, and on by nobody without its code`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await signUp(ann, "ann")
            _ = try await signIn(ann, "ann")
            let path = "/settings/account/authenticator"
            func keys() async throws -> [String] {
                try await house.texts("SELECT COALESCE(hex(totp), '') FROM accounts WHERE handle = 'ann'")
            }
            let (first, other) = (house.accounts.newSecondFactor(), house.accounts.newSecondFactor())
            func code(_ factor: OneTimeCode) -> String { factor.code(atStep: OneTimeCode.step(at: house.now)) }
            func on(_ factor: OneTimeCode, _ code: String, _ password: String?) async throws -> HTTPResponse.Status {
                let token = try await ann.hidden(on: "/settings/profile").filter { $0.name == "token" }
                let typed = password.map { [(name: "password", value: $0)] } ?? []
                return try await ann.post(path, token + [("key", factor.text), ("code", code)] + typed).status
            }
            let none = try await keys()
            for (typed, password) in [
                (code(first), nil), (code(first), ""), (code(first), "not the password"), (code(other), Self.password),
                ("", Self.password),
            ] as [(String, String?)] {
                #expect(try await on(first, typed, password) == .unprocessableContent)
                #expect(try await keys() == none)
            }
            #expect(try await on(first, code(first), Self.password) == .ok)
            let set = try await keys()
            #expect(set != none)
            // Another one does not take its place, and it is not taken away, without the password.
            for password in [nil, "not the password"] as [String?] {
                #expect(try await on(other, code(other), password) == .unprocessableContent)
                let token = try await ann.hidden(on: "/settings/profile").filter { $0.name == "token" }
                let typed = password.map { [(name: "password", value: $0)] } ?? []
                #expect(try await ann.post(path + "/off", token + typed).status == .unprocessableContent)
                #expect(try await keys() == set)
            }
            // With the password it takes a code of the one that is on: the new one's own is not enough.
            func replace(_ present: String?) async throws -> TestResponse {
                let token = try await ann.hidden(on: "/settings/profile").filter { $0.name == "token" }
                let typed = present.map { [(name: "present", value: $0)] } ?? []
                return try await ann.post(
                    path,
                    token + [("key", other.text), ("code", code(other)), ("password", Self.password)] + typed)
            }
            // The code that switched it on was taken already.
            for present in [nil, "", code(other), code(first)] as [String?] {
                let answer = try await replace(present)
                #expect(answer.status == .unprocessableContent && answer.text.contains("name=\"present\""))
                #expect(try await keys() == set)
            }
            // The code that switched it on signs nobody in.
            let fields = [("username", "ann"), ("password", Self.password), ("code", code(first))]
            #expect(try await Visitor(client).submit("/signin", fields).status == .unprocessableContent)
            // The letter that sets a password leaves it on.
            _ = try await Visitor(client).submit("/reset", [("email", "ann@example.org")])
            let reset = try link(in: try letter(to: "ann@example.org"))
            _ = try await Visitor(client).submit(reset, [("password", "third horse battery")])
            #expect(try await keys() == set)
            house.wait(30)
            let newest = [
                ("username", "ann"), ("password", "third horse battery"), ("code", code(first)),
            ]
            #expect(try await ann.submit("/signin", newest).status == .seeOther)
            house.wait(30)
            let token = try await ann.hidden(on: "/settings/profile").filter { $0.name == "token" }
            let replaced = try await ann.post(
                path,
                token + [
                    ("key", other.text), ("code", code(other)), ("present", code(first)),
                    ("password", "third horse battery"),
                ])
            #expect(replaced.status == .ok)
            #expect(try await keys() != set)
        }
    }
}
