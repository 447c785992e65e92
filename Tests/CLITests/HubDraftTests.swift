import Foundation
import LoopbackService
import Testing

/// What a browser records, through the built program: sent by tus, published, and sent on.
@Suite struct HubDraftTests {
    @Test func `a recording becomes the clip that encode makes of it, byte for byte`() async throws {
        let home = try Household()
        // As a browser writes it, which does not know the end.
        let wav = Recording.wav(Recording.voice(seconds: 3, margin: 0.6), sizes: .streaming(.max))
        _ = try home.write(wav, to: "take.wav")
        let encoded = try await home.run("encode", "take.wav", "-o", "plain.mp3", "--title", "A horn", "--json")
        #expect(encoded.status == 0, "\(encoded.errors)")
        try await home.serving { port in
            let script = try await HubScript(home, port: port)
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
            let script = try await HubScript(town.home, port: port)
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
