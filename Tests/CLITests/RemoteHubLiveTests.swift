import ChirpHTTP
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// `chirp live` on a hub on another machine that one is signed in to, by its event stream, into a real sound server.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RemoteHubLiveTests {
    private struct Event: Decodable {
        let event: String
        let text: String?
    }

    private func events(_ running: Running) -> [Event] {
        let text = running.outputSoFar
        return text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Event.self, from: Data($0.utf8))
        }
    }

    @Test func `clips of that hub are heard as they are posted, each once`() async throws {
        let (town, hub, sound) = (try Neighbourhood(), try LoopbackHub(), try SoundServer())
        defer { hub.close() }
        _ = try town.record()
        try HubSignIn.write(for: hub, into: town.configuration)
        let friend = hub.mastodon.follow(1)[0]
        #expect(try await town.home.run("publish", "take.wav").status == 0)
        let clip = try #require(hub.clips.first)

        let accounts = try await town.home.run("accounts", "--json").json()["accounts"] as? [[String: Any]]
        let found = try #require(accounts?.first { $0["handle"] as? String == "friend-0" })
        #expect((found["network"] as? String)?.hasPrefix("hub@127.0.0.1-") == true)

        let live = try town.home.start(
            ["live", "--from", "@friend-0", "--json", "--for", "10m"],
            environment: [
                "PULSE_SERVER": sound.address, "CHIRP_LIVE_CHIME": "false", "CHIRP_LIVE_PATIENCE": "10m",
                // The same hub twice is heard once.
                "CHIRP_LIVE_HUB": hub.base,
            ])
        await eventually { events(live).contains { $0.event == "started" } && hub.mastodon.streamCount == 1 }
        for number in 1...3 {
            let link = "\(hub.base)/c/\(clip.id)"
            hub.mastodon.receive("<p>number \(number) #Chirp <a href=\"\(link)\">\(link)</a></p>", by: friend)
            // What was posted while the line was down is heard too.
            if number == 2 { hub.mastodon.cutStreams() }
        }
        await eventually { events(live).count { $0.event == "played" } == 3 }
        live.send(SIGTERM)
        let outcome = try await live.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(events(live).count { $0.event == "detected" } == 3)
        // The sign-in goes along with the stream, and not with the sound.
        let stream = hub.requests.filter { $0.path == "/api/v1/streaming/user" }
        #expect(!stream.isEmpty && stream.allSatisfy { $0.headers["Authorization"]?.hasPrefix("Bearer ") == true })
        let heard = hub.requests.filter { $0.path.hasPrefix("/media/") }
        #expect(!heard.isEmpty && heard.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(!hub.requests.contains { $0.path == "/api/v1/events" })
    }
}
