import ChirpTestKit
import Foundation
import Glibc
import Testing

/// `chirp live --near`: new spoken listings of Lost & Found are heard where one is, into a real sound server.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(10)), .tags(.careful)) struct LiveNearTests {
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

    @Test func `a listing that is spoken within two kilometres is played once`() async throws {
        let (home, studio, sound) = (try Household(), try Household(), try SoundServer())
        // It plays for as long as it is known here.
        defer { withExtendedLifetime(sound) {} }
        try studio.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        func list(_ title: String, at place: String) async throws {
            let outcome = try await studio.run(
                "board", "lost-and-found", "post", "--lost", title, "--voice", "take.wav", "--near", place)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try await list("Listed before", at: "50.73,7.10")
        try await studio.serving { port in
            let live = try home.start(
                ["live", "--near", "50.73,7.10", "--within", "2km", "--json", "--for", "10m"],
                environment: [
                    "PULSE_SERVER": sound.address, "CHIRP_LIVE_CHIME": "false", "CHIRP_LIVE_PATIENCE": "10m",
                    "CHIRP_LIVE_HUB": "http://127.0.0.1:\(port)",
                ])
            await eventually { events(live).contains { $0.event == "started" } }
            try await list("Dog elsewhere", at: "50.73,7.20")
            try await list("Grey cat", at: "50.731,7.102")
            await eventually { events(live).contains { $0.event == "played" } }
            try await list("Red umbrella", at: "50.729,7.098")
            await eventually { events(live).count { $0.event == "played" } == 2 }
            live.send(SIGTERM)
            let outcome = try await live.outcome()
            #expect(outcome.status == 130, "\(outcome.errors)")
            let heard = events(live).filter { $0.event == "played" }.compactMap(\.text)
            #expect(heard.count == 2, "\(heard)")
            #expect(heard.first?.hasPrefix("New within 2 km, by @me: Grey cat") == true, "\(heard)")
            #expect(heard.last?.contains("Red umbrella") == true, "\(heard)")
            #expect(events(live).count { $0.event == "detected" } == 2)
        }
    }

    @Test(arguments: [
        (["live", "--within", "2km"], "--near"), (["live", "--near", "91,7"], "50.73,7.10"),
        (["live", "--near", "50.73,7.10", "--within", "far"], "2km"),
    ])
    func `a place or a distance that is none is refused with a reason`(words: [String], mention: String) async throws {
        let outcome = try await Household().start(words).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(mention), "\(outcome.errors)")
    }
}
