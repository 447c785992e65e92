import Foundation
import Testing

/// What people keep secret is neither in the log at its highest verbosity nor in any file of the hub.
///
/// Two exceptions are meant. Letters in `hub/mail` hold links, since they are the letters. The database knows mail addresses, since it
/// writes to them; no other file does.
@Suite struct HubSecrecyTests {
    private static let mail = "ann.harbour@example.org"
    private static let passwords = ["first horse battery", "second horse battery", "wrong horse battery"]

    @Test func `no password, session, token, link or mail address is in the log or in the hub's folder`() async throws {
        let home = try Household()
        let hub = "data/chirp/hub"
        var secrets: Set<String> = Set(Self.passwords)
        /// The link of the newest letter whose address begins so.
        func link(_ path: String) async throws -> String {
            var found: String?
            await eventually {
                let letters = home.files(in: "\(hub)/mail").compactMap {
                    try? String(contentsOfFile: home.top("\(hub)/mail/\($0)"), encoding: .utf8)
                }
                found = letters.lazy.flatMap { $0.split(whereSeparator: \.isWhitespace) }
                    .first { $0.contains("\(path)?token=") }.map(String.init)
                return found != nil
            }
            let url = try #require(found)
            secrets.insert(String(try #require(url.split(separator: "=").last)))
            return String(url[try #require(url.firstRange(of: path)).lowerBound...])
        }

        let printed = try await home.serving(["-v"], environment: ["CHIRP_HUB_REGISTRATION": "open"]) { port in
            let ann = HubBrowser(home, port: port, jar: "ann")
            let name = (name: "username", value: "ann")
            func password(_ number: Int) -> (name: String, value: String) { ("password", Self.passwords[number]) }
            #expect(try await ann.submit("/signup", [("email", Self.mail), name, password(0)]).status == 200)
            // In the browser that signed up, which is signed in then.
            #expect(try await ann.submit(link("/confirm")).status == 303)
            secrets.formUnion(try ann.cookies())
            #expect(try await ann.submit("/signin", [name, password(2)]).status == 422)
            #expect(try await ann.submit("/signin", [("username", Self.mail), password(2)]).status == 422)
            #expect(try await ann.submit("/signin", [name, password(0)]).status == 303)
            secrets.formUnion(try ann.cookies())
            #expect(try await ann.get("/settings").text.contains("ann"))
            #expect(try await ann.submit("/reset", [("email", Self.mail)]).status == 200)
            #expect(try await ann.submit(link("/reset"), [password(1)]).status == 200)
            #expect(try await ann.submit("/signin", [("username", Self.mail), password(1)]).status == 303)
            secrets.formUnion(try ann.cookies())
            #expect(try await ann.get("/api/v1/accounts/verify_credentials").status == 200)
            secrets.formUnion(try await Self.feed(ann))
            secrets.formUnion(try await Self.program(home, port, ann))
            // One that nobody has given out.
            let bearer = String(repeating: "Zz9-", count: 10) + "abc"
            secrets.insert(bearer)
            let refused = try await HubBrowser(home, port: port, jar: "none").get(
                "/api/v1/accounts/verify_credentials", "-H 'Authorization: Bearer \(bearer)'")
            #expect(refused.status == 401)
            // While it runs, so that what waits in the database's log is looked at too.
            look(home, hub, for: secrets)
        }
        #expect(secrets.count >= 12)
        for secret in secrets.union([Self.mail]) {
            #expect(!printed.contains(secret), "the log has a secret: \(secret.prefix(5))…")
        }
        look(home, hub, for: secrets)
        // The address is not by chance missing everywhere because nothing was written.
        let database = home.files(in: hub).filter { $0.hasPrefix("hub.sqlite") }.map {
            FileManager.default.contents(atPath: home.top("\(hub)/\($0)")) ?? Data()
        }
        #expect(database.contains { $0.range(of: Data(Self.mail.utf8)) != nil })
    }

    /// Makes a secret address for feed readers, and reads it.
    private static func feed(_ ann: HubBrowser) async throws -> [String] {
        let page = try await ann.submit("/settings/privacy", to: "/settings/privacy/feed").text
        let secret = String(try #require(page.firstMatch(of: #/\/feeds\/([^<\/]+)\.xml/#)?.1))
        #expect(try await ann.get("/feeds/\(secret).xml").status == 200)
        return [secret]
    }

    /// Lets a program in, which asks something; its secret, code and token.
    private static func program(_ home: Household, _ port: Int, _ ann: HubBrowser) async throws -> [String] {
        let back = (name: "redirect_uri", value: "urn:ietf:wg:oauth:2.0:oob")
        let program = HubBrowser(home, port: port, jar: "program")
        func facts(_ answer: (status: Int, text: String)) throws -> [String: Any] {
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        }
        let app = try facts(
            try await program.post(
                "/api/v1/apps", [("client_name", "A program"), ("redirect_uris", back.value), ("scopes", "read")]))
        let (id, secret) = (
            try #require(app["client_id"] as? String), try #require(app["client_secret"] as? String)
        )
        let page = try await ann.submit(
            "/oauth/authorize?response_type=code&client_id=\(id)&scope=read&redirect_uri=\(back.value)"
        ).text
        let code = String(try #require(page.firstMatch(of: #/<code[^>]*>([^<]+)<\/code>/#)?.1))
        let answer = try facts(
            try await program.post(
                "/oauth/token",
                [
                    ("grant_type", "authorization_code"), ("client_id", id), ("client_secret", secret), ("code", code),
                    back,
                ]))
        let token = try #require(answer["access_token"] as? String)
        let asked = try await program.get(
            "/api/v1/accounts/verify_credentials", "-H 'Authorization: Bearer \(token)'")
        #expect(asked.status == 200)
        return [secret, code, token]
    }

    private func look(_ home: Household, _ hub: String, for secrets: Set<String>) {
        for file in home.files(in: "data") + home.files(in: "state").map({ "../state/\($0)" }) {
            guard !file.hasPrefix("chirp/hub/mail/") else { continue }
            let content = FileManager.default.contents(atPath: home.top("data/\(file)")) ?? Data()
            let knowsMail = file.hasPrefix("chirp/hub/hub.sqlite")
            for secret in knowsMail ? secrets : secrets.union([Self.mail]) {
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(file) has a secret: \(secret.prefix(5))…")
            }
        }
    }
}
