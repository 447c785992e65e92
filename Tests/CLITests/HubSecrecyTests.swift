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
            #expect(try await ann.submit(link("/confirm")).status == 200)
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
            let bearer = String(repeating: "Zz9-", count: 10) + "abc"
            secrets.insert(bearer)
            _ = try await ann.get("/api/v1/accounts/verify_credentials", "-H 'Authorization: Bearer \(bearer)'")
            // While it runs, so that what waits in the database's log is looked at too.
            look(home, hub, for: secrets)
        }
        #expect(secrets.count >= 8)
        for secret in secrets.union([Self.mail]) {
            #expect(!printed.contains(secret), "the log has a secret: \(secret.prefix(5))…")
        }
        look(home, hub, for: secrets)
        // The address is not by chance missing everywhere because nothing was written.
        let database = FileManager.default.contents(atPath: home.top("\(hub)/hub.sqlite")) ?? Data()
        #expect(database.range(of: Data(Self.mail.utf8)) != nil)
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
