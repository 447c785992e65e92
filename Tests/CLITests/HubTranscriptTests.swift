import Foundation
import Testing

/// `hub.transcribe`, through the built program.
@Suite struct HubTranscriptTests {
    @Test func `what is published gets words, and the doctor knows by whom`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        try home.write(
            Array("#!/bin/sh\ncat >/dev/null\nprintf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nA horn\\n'\n".utf8),
            to: "transcribe")
        #expect(try await home.shell("chmod +x transcribe").status == 0)
        let settings = ["CHIRP_HUB_TRANSCRIBE": home.path("transcribe")]
        let doctor = try await home.run("doctor", "--json", environment: settings).text
        #expect(doctor.contains("\"transcripts\"") && doctor.contains("/transcribe"))
        let missing = try await home.run(
            "doctor", "--json", environment: ["CHIRP_HUB_TRANSCRIBE": "/nowhere/transcribe"])
        #expect(missing.status == 3 && missing.text.contains("hub.transcribe"))
        let published = try await home.run("publish", "take.wav")
        let link = try #require(published.lines.last)
        let id = try #require(link.split(separator: "/").last)
        _ = try await home.serving(environment: settings) { port in
            let browser = HubBrowser(home, port: port, jar: "jar")
            var page = try await browser.get("/c/\(id)").text
            for _ in 0..<2000 where !page.contains("A horn") {
                try await Task.sleep(for: .milliseconds(50))
                page = try await browser.get("/c/\(id)").text
            }
            #expect(page.contains("A horn"))
            #expect(try await browser.get("/media/\(id).vtt").text.contains("A horn"))
        }
    }
}
