import Foundation
import LoopbackService
import Testing

/// What a browser records, through the built program: sent by tus, published, and sent on.
@Suite struct HubDraftTests {
    /// A page's script that asks the hub's own API, by curl.
    private struct Script {
        let browser: HubBrowser
        let token: String

        /// Signs the owner in and reads the token of the page `/record`.
        init(_ home: Household, port: Int) async throws {
            browser = HubBrowser(home, port: port, jar: "jar")
            #expect(try await browser.submit(home.ownerPath()).status == 303)
            let page = try await browser.get("/record").text
            token = String(try #require(page.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
        }

        func ask(_ method: String, _ path: String, _ options: String = "") async throws -> (status: Int, text: String) {
            try await browser.get(path, "-X \(method) -H 'X-Chirp-Form: \(token)' \(options)")
        }

        /// Sends a file of the working folder; the length comes last.
        func record(_ file: String, bytes: Int) async throws -> String {
            let begun = try await ask(
                "POST", "/api/uploads",
                """
                -i -H 'Tus-Resumable: 1.0.0' -H 'Upload-Defer-Length: 1' \
                -H 'Upload-Metadata: filename dGFrZS53YXY=,filetype YXVkaW8vd2F2,draft MQ=='
                """)
            #expect(begun.status == 201, "\(begun.text)")
            let id = String(try #require(begun.text.firstMatch(of: #/api/uploads/(\w+)/#)?.1))
            let sent = try await ask(
                "PATCH", "/api/uploads/\(id)",
                """
                -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' -H 'Upload-Length: \(bytes)' \
                -H 'Content-Type: application/offset+octet-stream' --data-binary @\(file)
                """)
            #expect(sent.status == 204, "\(sent.text)")
            return id
        }

        func json(_ method: String, _ path: String, _ body: String) async throws -> [String: Any] {
            let answer = try await ask(method, path, "-H 'Content-Type: application/json' --data '\(body)'")
            #expect(answer.status == 200, "\(answer.text)")
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        }
    }

    @Test func `a recording becomes the clip that encode makes of it, byte for byte`() async throws {
        let home = try Household()
        // As a browser writes it, which does not know the end.
        let wav = Recording.wav(Recording.voice(seconds: 3, margin: 0.6), sizes: .streaming(.max))
        _ = try home.write(wav, to: "take.wav")
        let encoded = try await home.run("encode", "take.wav", "-o", "plain.mp3", "--title", "A horn", "--json")
        #expect(encoded.status == 0, "\(encoded.errors)")
        try await home.serving { port in
            let script = try await Script(home, port: port)
            let id = try await script.record("take.wav", bytes: wav.count)
            let path = "/api/hub/v1/drafts/\(id)"
            let answer = try await script.json("POST", "\(path)/publication", #"{"title":"A horn"}"#)
            let clip = try #require(answer["clip"] as? String)
            #expect(answer["page"] as? String == "/c/\(clip)")
            #expect(try await script.browser.get("/media/\(clip).mp3", "-o made.mp3").status == 200)
            let same = try await home.shell("cmp plain.mp3 made.mp3")
            #expect(same.status == 0, "\(same.text)\(same.errors)")
            // Asked again, it is the same.
            let again = try await script.json("POST", "\(path)/publication", #"{"title":"Another"}"#)
            #expect(again["clip"] as? String == clip && again["post"] as? String == answer["post"] as? String)

            // A part of it is as long as was said.
            let other = try await script.record("take.wav", bytes: wav.count)
            let part = try await script.json(
                "POST", "/api/hub/v1/drafts/\(other)/publication", #"{"from":1,"to":1.5}"#)
            let about = try await script.ask(
                "GET", "/api/hub/v1/clips/\(try #require(part["clip"] as? String))")
            let facts = try #require(
                try JSONSerialization.jsonObject(with: Data(about.text.utf8)) as? [String: Any])
            #expect(abs((facts["seconds"] as? Double ?? 0) - 0.5) < 0.01)
            // And the same as the terminal makes of it.
            let clipped = try #require(part["clip"] as? String)
            #expect(try await script.browser.get("/media/\(clipped).mp3", "-o part.mp3").status == 200)
            let equal = try await home.shell(
                "chirp encode take.wav -o own.mp3 --begin 0:01 --end 1.5 -q && cmp own.mp3 part.mp3")
            #expect(equal.status == 0, "\(equal.text)\(equal.errors)")
        }
    }

    @Test func `the owner's publication goes on to Mastodon by the sign-in of this machine, once`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("mastodon", town.mastodon.base)
        let wav = Recording.wav(Recording.voice(seconds: 1), sizes: .streaming(.max))
        _ = try town.home.write(wav, to: "take.wav")
        try await town.home.serving(environment: town.environment) { port in
            let script = try await Script(town.home, port: port)
            #expect(try await script.browser.get("/record").text.contains("mastodon"))
            let id = try await script.record("take.wav", bytes: wav.count)
            let path = "/api/hub/v1/drafts/\(id)/publication"
            let words = #"{"text":"Hear this","onward":["mastodon"]}"#
            let answer = try await script.json("POST", path, words)
            let page = try #require(answer["page"] as? String)
            await eventually { !town.mastodon.statuses.isEmpty }
            let status = try #require(town.mastodon.statuses.first)
            #expect(status.text.contains("Hear this") && status.text.contains("#Chirp") && status.text.contains(page))
            _ = try await script.json("POST", path, words)
            #expect(town.mastodon.statuses.count == 1)
        }
    }
}
