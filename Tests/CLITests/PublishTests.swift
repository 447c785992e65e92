import Foundation
import Testing

@Suite struct PublishTests {
    @Test func `the share text goes to standard output and its last line is the link alone`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run("publish", "take.wav", "--text", "Morning report")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("Morning report #Chirp\n"))
        #expect(outcome.lines.last?.hasPrefix("http://127.0.0.1:4747/c/") == true)
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
    }

    /// CH-14.
    @Test func `no path, folder or file name leaks into what others see`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "private-name.wav")
        let outcome = try await home.run("publish", "private-name.wav")
        #expect(!outcome.text.contains("private-name"))
        let media = home.files(in: "data/chirp/hub/media")
        let inspected = try await home.shell("strings -n 6 ../data/chirp/hub/media/\(media[0])")
        #expect(!inspected.text.contains("private-name") && !inspected.text.contains(home.work))
    }

    @Test func `the same recording is answered with the first link, and again makes a new one`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let first = try await home.run("publish", "take.wav")
        let second = try await home.run("publish", "take.wav")
        #expect(second.status == 0)
        #expect(second.text == first.text)
        #expect(second.errors.contains("--again"))
        let anew = try await home.run("publish", "take.wav", "--again")
        #expect(anew.lines.last != first.lines.last)
        let json = try await home.run("publish", "take.wav", "--json")
        let notes = try #require(try json.json()["notes"] as? [[String: Any]])
        #expect(notes.contains { $0["code"] as? String == "already-published" })
    }

    @Test func `a pipe gives a link`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1), sizes: .streaming(0xFFFF_FFFF)), to: "take.wav")
        let outcome = try await home.shell("cat take.wav | chirp publish - | tail -1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        #expect(outcome.text.hasPrefix("http://127.0.0.1:4747/c/"))
        #expect(home.files(in: "state/chirp/outbox").isEmpty)
    }

    @Test func `the receipt names store and network`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let receipt = try await home.run("publish", "take.wav", "--json").json()
        let store = try #require(receipt["store"] as? [String: Any])
        #expect(Set(store.keys) == ["name", "id", "link", "freeBytesBefore"])
        let network = try #require(receipt["network"] as? [String: Any])
        #expect(Set(network.keys) == ["name", "postID", "postURL", "estimatedCostUSD"])
        #expect((receipt["shareText"] as? String)?.contains("#Chirp") == true)
        #expect((store["freeBytesBefore"] as? Int ?? 0) > 0)
    }

    @Test func `a folder is a store, and no network leaves posting to the user`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let outcome = try await home.run(
            "publish", "take.wav", "--store", "folder", "--network", "none",
            environment: [
                "CHIRP_FOLDER_PATH": home.path("public"), "CHIRP_FOLDER_PUBLIC_URL": "https://clips.example/a",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let name = try #require(home.files(in: "work/public").first)
        #expect(outcome.lines.last == "https://clips.example/a/\(name)")
    }

    @Test func `a dry run decides everything and changes nothing`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        let dry = try await home.run("publish", "take.wav", "--dry-run", "--json")
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(home.files(in: "data").filter { $0.hasSuffix(".mp3") }.isEmpty)
        let real = try await home.run("publish", "take.wav", "--json").json()
        let predicted = (try dry.json()["clip"] as? [String: Any])?["predictedBytes"] as? Int
        #expect(predicted == (real["clip"] as? [String: Any])?["bytes"] as? Int)
        #expect(!(real["notes"] as? [[String: Any]] ?? []).contains { $0["code"] as? String == "already-published" })
    }

    /// CH-12.
    @Test func `sweep removes what has expired and leaves the rest`() async throws {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
        _ = try await home.run("publish", "take.wav", "--expires", "1ms")
        _ = try await home.run("publish", "take.wav", "--expires", "7d")
        let swept = try await home.run("sweep", "--json")
        #expect(swept.status == 0, "\(swept.errors)")
        #expect((try swept.json()["expired"] as? [Any])?.count == 1)
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
        let again = try await home.run("sweep", "--json")
        #expect((try again.json()["expired"] as? [Any])?.isEmpty == true)
    }
}
