import ChirpNetworks
import Foundation
import LoopbackService
import Testing

/// Publications in the browser that go on to X by the sign-in of this machine, through the built program.
@Suite struct HubOnwardTests {
    private let town: Neighbourhood
    private let wav = Recording.wav(Recording.voice(seconds: 1), sizes: .streaming(.max))

    init() throws { town = try Neighbourhood() }

    private var link: [String: String] { town.environment.merging(["CHIRP_X_MODE": "link"]) { $1 } }

    /// Signs in to X, and has a recording in the working folder.
    private func prepare() async throws {
        #expect(try await town.login("x").status == 0)
        _ = try town.home.write(wav, to: "take.wav")
    }

    /// Publishes a recording that goes on to X.
    ///
    /// - Returns: the clip's page, a path; and where the publication can be asked for again.
    private func publish(_ words: String, _ script: HubScript) async throws -> (page: String, path: String) {
        let id = try await script.record("take.wav", bytes: wav.count)
        let path = "/api/hub/v1/drafts/\(id)/publication"
        let answer = try await script.json("POST", path, "{\"text\":\"\(words)\",\"onward\":[\"x\"]}")
        return (try #require(answer["page"] as? String), path)
    }

    /// A server that ends by a kill, as a power cut ends it, once something has happened.
    private func untilKilled(_ body: (_ port: Int) async throws -> Void) async throws {
        struct Killed: Error {}
        do {
            try await town.home.serving(environment: link) { port in
                try await body(port)
                throw Killed()
            }
        } catch is Killed {}
    }

    @Test func `what goes on to X is one post, whenever the server is killed over it`() async throws {
        try await prepare()
        // The post is made and its answer does not come.
        let (answer, look) = (town.x.hold("/2/tweets"), town.x.hold(Self.own))
        defer { for stream in [answer, look] { stream.close() } }
        var published = (page: "", path: "")
        try await untilKilled { port in
            published = try await publish("Hear this", try await HubScript(town.home, port: port))
            await eventually { !town.x.posts.isEmpty }
        }
        // The next process looks for it, and hears nothing either.
        try await untilKilled { _ in
            await eventually { town.x.server.requests.contains { $0.path.hasSuffix(Self.own) } }
        }
        try await town.home.serving(environment: link) { port in
            let script = try await HubScript(town.home, port: port)
            let end = ContinuousClock.now + .seconds(300)
            var state: String?
            while state != "posted" && ContinuousClock.now < end {
                let answer = try await script.json("POST", published.path, #"{"text":"Hear this","onward":["x"]}"#)
                state = (answer["onward"] as? [[String: Any]])?.first?["state"] as? String
            }
            #expect(state == "posted")
        }
        #expect(town.x.posts.count == 1)
        let text = try #require(town.x.posts.first?.text)
        #expect(text.hasPrefix("Hear this #Chirp\nhttp") && text.hasSuffix(published.page))
        // X takes the same text once only; it was not asked to take it twice.
        #expect(town.x.server.requests.count { $0.method == "POST" && $0.path == "/2/tweets" } == 1)
    }

    /// Where X lists one's own posts.
    private static let own = "/users/\(LoopbackX.me)/tweets"

    @Test func `words are counted and shortened as X counts them`() async throws {
        try await prepare()
        try await town.home.serving(environment: link) { port in
            let script = try await HubScript(town.home, port: port)
            // What the page counts with.
            let shown = try await script.browser.get("/record").text
            #expect(shown.contains("value=\"x\"") && shown.contains("280"))
            let words = String(repeating: "Möwen über dem Hafen 🐦 ", count: 15)
            let page = try await publish(words, script).page
            await eventually { !town.x.posts.isEmpty }
            let text = try #require(town.x.posts.first?.text)
            #expect(TextRules.weighted(limit: 280).count(text) <= 280)
            #expect(text.hasPrefix("Möwen über dem Hafen 🐦 ") && text.contains("… #Chirp\n") && text.hasSuffix(page))
        }
    }

    /// Posting by hand needs a person, whom a server does not have.
    @Test func `without x.mode link X is not offered, and not taken`() async throws {
        try await prepare()
        try await town.home.serving(environment: town.environment) { port in
            let script = try await HubScript(town.home, port: port)
            #expect(!(try await script.browser.get("/record").text.contains("value=\"x\"")))
            let id = try await script.record("take.wav", bytes: wav.count)
            let refused = try await script.ask(
                "POST", "/api/hub/v1/drafts/\(id)/publication",
                #"-H 'Content-Type: application/json' --data '{"text":"Hear","onward":["x"]}'"#)
            #expect(refused.status == 422, "\(refused.text)")
        }
        #expect(town.x.posts.isEmpty)
    }
}
