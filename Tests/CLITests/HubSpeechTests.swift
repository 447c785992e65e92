import Foundation
import Testing

/// The spoken frame through the built program and the real `espeak-ng`.
@Suite struct HubSpeechTests {
    /// A page's script of somebody's browser: asks the hub's own API with the token of a page.
    private struct Script {
        let browser: HubBrowser
        let token: String

        init(_ browser: HubBrowser, page: String) async throws {
            self.browser = browser
            let text = try await browser.get(page).text
            token = String(try #require(text.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
        }

        func json(_ method: String, _ path: String, _ body: String? = nil) async throws -> [String: Any] {
            let data = body.map { " -H 'Content-Type: application/json' --data '\($0)'" } ?? ""
            let answer = try await browser.get(path, "-X \(method) -H 'X-Chirp-Form: \(token)'\(data)")
            #expect(answer.status == 200, "\(method) \(path): \(answer.text)")
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        }
    }

    @Test func `updates are read aloud as loudly as clips, and an unknown language by another voice`() async throws {
        let home = try Household()
        try await home.serving(environment: ["CHIRP_HUB_REGISTRATION": "open"]) { port in
            let ann = HubBrowser(home, port: port, jar: "ann")
            let password = (name: "password", value: "first horse battery")
            let name = (name: "username", value: "ann")
            #expect(try await ann.submit("/signup", [("email", "ann@example.org"), name, password]).status == 200)
            var link: String?
            await eventually {
                let letters = home.files(in: "data/chirp/hub/mail").compactMap {
                    try? String(contentsOfFile: home.top("data/chirp/hub/mail/\($0)"), encoding: .utf8)
                }
                link = letters.lazy.flatMap { $0.split(whereSeparator: \.isWhitespace) }
                    .first { $0.contains("/confirm?token=") }.map(String.init)
                return link != nil
            }
            let url = try #require(link)
            let path = String(url[try #require(url.firstRange(of: "/confirm")).lowerBound...])
            #expect(try await ann.submit(path).status == 303)

            let owner = HubBrowser(home, port: port, jar: "owner")
            #expect(try await owner.submit(home.ownerPath()).status == 303)
            let page = try await Script(owner, page: "/record")
            let id = try #require(try await page.json("GET", "/api/v1/accounts/lookup?acct=ann")["id"] as? String)
            _ = try await page.json("POST", "/api/v1/accounts/\(id)/follow")

            let screen = try await Script(owner, page: "/frame")
            _ = try await screen.json("POST", "/api/hub/v1/frame/start", #"{"network": "hub"}"#)
            _ = try await screen.json(
                "PUT", "/api/hub/v1/frame", #"{"vip": "\#(id)", "style": {"spoken": true}}"#)

            let writer = try await Script(ann, page: "/record")
            let posts = [
                #"{"status": "Good morning, the kettle is on and the cat is asleep."}"#,
                #"{"status": "Guten Morgen, der Kaffee ist fertig.", "language": "de"}"#,
                #"{"status": "Nobody speaks this here", "language": "qaa"}"#,
            ]
            for post in posts { _ = try await writer.json("POST", "/api/v1/statuses", post) }
            let updates = try await screen.json("GET", "/api/hub/v1/frame/updates")["updates"] as? [[String: Any]]
            let ids = try #require(updates).compactMap { $0["id"] as? Int }
            #expect(ids.count == 3)
            for id in ids {
                let file = "speech-\(id).mp3"
                let answer = try await owner.get("/api/hub/v1/frame/speech/\(id)", "-o \(file)")
                #expect(
                    answer.status == 200, "\((try? String(contentsOfFile: home.path(file), encoding: .utf8)) ?? "")")
                let facts = try await home.run("inspect", file, "--json").json()
                let level = try #require((facts["level"] as? [String: Any])?["integratedLUFS"] as? Double)
                // As loud as `encode` makes clips by default.
                #expect(abs(level - -16) < 1, "\(level) LUFS")
                let seconds = try #require((facts["input"] as? [String: Any])?["seconds"] as? Double)
                #expect(seconds > 1 && seconds < 20)
            }
        }
    }
}
