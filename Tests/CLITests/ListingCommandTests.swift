import ChirpTestKit
import Foundation
import Glibc
import Testing

/// `chirp board lost-and-found`, through the built program: on this machine, served or not, and at a hub on another one.
@Suite(.timeLimit(.minutes(10)), .tags(.careful)) struct ListingCommandTests {
    private let home: Household

    init() throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "take.wav")
    }

    private func board(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    private func run(_ arguments: [String]) async throws -> Outcome {
        try await home.start(["board", "lost-and-found"] + arguments).outcome()
    }

    /// Lists something.
    ///
    /// - Returns: its link.
    private func post(_ arguments: String...) async throws -> String {
        let outcome = try await run(["post"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(outcome.lines.last)
    }

    private func titles(_ arguments: String...) async throws -> [String] {
        let outcome = try await run(["search", "--json"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let listings = try outcome.json()["listings"] as? [[String: Any]] ?? []
        return listings.compactMap { $0["title"] as? String }
    }

    private static let there = ["--near", "50.73,7.10"]

    /// What is done at a board, wherever it is.
    private func walk() async throws {
        let cat = try await post(
            "--lost", "Grey cat", "--category", "pets", "--voice", "take.wav", "--near", "50.73,7.10")
        #expect(cat.wholeMatch(of: #/http://[^ ]+/lost-and-found/\w{22}/#) != nil, "\(cat)")
        let keys = try await post(
            "--found", "Bunch of keys", "--category", "keys", "--text", "Three of them on a red ring", "--near",
            "50.94,6.96", "--reward", "a coffee", "--handover", "bring")
        #expect(try await titles() == ["Bunch of keys", "Grey cat"])
        #expect(try await titles("red", "ring") == ["Bunch of keys"])
        #expect(try await titles("cat", "--lost") == ["Grey cat"])
        #expect(try await titles("--found", "--category", "pets") == [])
        #expect(try await titles("--near", "50.73,7.10", "--within", "2km") == ["Grey cat"])
        #expect(try await titles("--near", "50.73,7.10", "--within", "100km") == ["Bunch of keys", "Grey cat"])

        let shown = try await board("search", "grey")
        #expect(shown.status == 0 && shown.lines.count == 2, "\(shown.text)")
        #expect(shown.lines.first?.hasPrefix("Lost: Grey cat") == true && shown.text.contains(", spoken 1 s"))
        #expect(shown.lines.last == "  \(cat)")
        let nothing = try await board("search", "unicorn")
        #expect(nothing.status == 0 && nothing.text.isEmpty && nothing.errors.contains("Nothing like that"))

        let json = try await board("search", "cat", "--json").json()
        let listing = try #require((json["listings"] as? [[String: Any]])?.first)
        #expect(json["v"] as? Int == 1 && json["event"] as? String == "result" && json["exit"] as? Int == 0)
        #expect(listing["url"] as? String == cat && listing["state"] as? String == "open")
        #expect((listing["clip"] as? [String: Any])?["seconds"] != nil)
        let place = try #require(listing["place"] as? [String: Any])
        // What others see is not where it is.
        #expect(place["precision"] as? String == "near" && place["latitude"] as? Double != 50.73)

        let settled = try await board("settle", cat, "--as", "found", "--json")
        #expect(settled.status == 0, "\(settled.errors)")
        #expect((try settled.json()["listing"] as? [String: Any])?["state"] as? String == "settled")
        #expect(try await titles() == ["Bunch of keys"])
        let again = try await board("settle", cat, "--as", "found")
        #expect(again.status == 69 && again.text.isEmpty, "\(again.errors)")

        let renewed = try await board("renew", keys)
        #expect(renewed.status == 0 && renewed.errors.contains("It lasts until"), "\(renewed.errors)")
        // Nobody can be asked here.
        let unsure = try await board("withdraw", keys, "--reason", "Listed by mistake")
        #expect(unsure.status == 64 && unsure.errors.contains("--yes"), "\(unsure.errors)")
        #expect(try await titles() == ["Bunch of keys"])
        // What the link ends with says which.
        let id = String(try #require(keys.split(separator: "/").last))
        let withdrawn = try await board("withdraw", id, "--reason", "Listed by mistake", "--yes")
        #expect(withdrawn.status == 0, "\(withdrawn.errors)")
        #expect(try await titles() == [])
    }

    @Test func `on this machine things are listed, found, settled, renewed and taken back, served or not`() async throws
    {
        try await walk()
        try await home.serving { port in
            let cat = try await post("--lost", "Other cat", "--voice", "take.wav", "--near", "50.73,7.10")
            let browser = HubBrowser(home, port: port, jar: "jar")
            let path = "/lost-and-found/" + (cat.split(separator: "/").last ?? "")
            let page = try await browser.get(path)
            #expect(page.status == 200 && page.text.contains("Other cat") && page.text.contains("<audio"))
            let sound = try #require(page.text.firstMatch(of: #/(\/media\/\w+\.mp3)/#)?.1)
            #expect(try await browser.get(String(sound), "--output heard.mp3").status == 200)
            #expect(try await board("withdraw", cat, "--reason", "Mine after all", "--yes").status == 0)
            #expect(try await browser.get(path).status == 410)
        }
    }

    @Test func `at a hub on another machine it is the same, and nothing is kept here`() async throws {
        let (studio, number) = (try Household(), try ReservedPort())
        // Its links lead to that port.
        try await studio.serving(["--port", "\(number.number)"]) { port in
            try await home.signIn(at: port, of: studio)
            try await walk()
            let cat = try await post("--lost", "Other cat", "--voice", "take.wav", "--near", "50.73,7.10")
            let browser = HubBrowser(studio, port: port, jar: "jar")
            let page = try await browser.get("/lost-and-found/" + (cat.split(separator: "/").last ?? ""))
            #expect(page.status == 200 && page.text.contains("Other cat") && page.text.contains("<audio"))
        }
        #expect(!home.files(in: "data").contains { $0.hasSuffix(".mp3") })
        // The hub is away: that is no answer, and may be tried again.
        let away = try await board("search")
        #expect(away.status == 75 && !away.errors.contains("outbox"), "\(away.errors)")
    }

    @Test func `what is spoken is found by its transcript`() async throws {
        try home.write(
            Array(
                "#!/bin/sh\ncat >/dev/null\nprintf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nShe is called Mimi\\n'\n".utf8
            ),
            to: "transcribe")
        #expect(try await home.shell("chmod +x transcribe").status == 0)
        _ = try await post("--lost", "Grey cat", "--voice", "take.wav", "--near", "50.73,7.10")
        #expect(try await titles("mimi") == [])
        try await home.serving(environment: ["CHIRP_HUB_TRANSCRIBE": home.path("transcribe")]) { _ in
            var found: [String] = []
            for _ in 0..<500 where found.isEmpty {
                try await Task.sleep(for: .milliseconds(100))
                found = try await titles("mimi")
            }
            #expect(found == ["Grey cat"])
        }
    }

    @Test func `pictures come along, and what is none is said by its name`() async throws {
        let made = try await home.shell(
            "printf 'P6 40 30 255\\n' >cat.ppm && head -c 3600 /dev/zero >>cat.ppm && ffmpeg -v error -i cat.ppm cat.png"
        )
        #expect(made.status == 0, "\(made.errors)")
        let cat = try await post("--lost", "Grey cat", "--text", "Soft", "--picture", "cat.png", "--near", "50.73,7.10")
        try await home.serving { port in
            let browser = HubBrowser(home, port: port, jar: "jar")
            let page = try await browser.get("/lost-and-found/" + (cat.split(separator: "/").last ?? ""))
            let picture = try #require(page.text.firstMatch(of: #/(\/pictures\/\w+-medium\.jpg)/#)?.1)
            #expect(try await browser.get(String(picture), "--output seen.jpg").status == 200)
        }
        let bad = try await board(
            "post", "--lost", "Dog", "--text", "Loud", "--picture", "take.wav", "--near", "50.73,7.10")
        #expect(bad.status == 65 && bad.errors.contains("take.wav"), "\(bad.errors)")
        let missing = try await board(
            "post", "--lost", "Dog", "--text", "Loud", "--picture", "no.jpg", "--near", "50.73,7.10")
        #expect(missing.status == 66, "\(missing.errors)")
        #expect(try await titles() == ["Grey cat"])
    }

    @Test(arguments: [
        (["post", "--text", "x"] + there, "--lost TITLE"), (["post", "--lost", " ", "--text", "x"] + there, "title"),
        (["post", "--lost", "a", "--found", "b", "--text", "x"] + there, "--lost TITLE"),
        (["post", "--lost", "a"] + there, "--voice"), (["post", "--lost", "a", "--text", "x"], "--near"),
        (["post", "--lost", "a", "--text", "x", "--category", "unicorns"] + there, "pets"),
        (["post", "--lost", "a", "--text", "x", "--precision", "some"] + there, "exact, near, town"),
        (["post", "--lost", "a", "--text", "x", "--near", "91,7"], "50.73,7.10"),
        (["search", "--lost", "--found"], "exclude"), (["search", "--within", "2km"], "--near"),
        (["settle", "what ever", "--as", "found"], "no listing"), (["settle", "x", "--as", "sold"], "returned"),
        (["renew"], "link"),
    ])
    func `what makes no sense is said before anything is done`(words: [String], mention: String) async throws {
        let outcome = try await run(words)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.text.isEmpty && outcome.errors.contains(mention), "\(outcome.errors)")
    }

    @Test func `a listing that is not there, or somebody else's, is not changed`() async throws {
        let outcome = try await board("settle", "7a7a7a7a7a7a7a7a7a7a7a", "--as", "found")
        #expect(outcome.status == 69 && !outcome.errors.isEmpty, "\(outcome.errors)")
        let json = try await board("settle", "7a7a7a7a7a7a7a7a7a7a7a", "--as", "found", "--json")
        #expect(json.status == 69)
        #expect(try json.json()["exit"] as? Int == 69, "\(json.text)")
    }

    /// Looks for something where nobody knows.
    private func isUnknown() async throws {
        let outcome = try await board("search", "cat", "--near", "Wachtbergg")
        #expect(outcome.status == 64 && outcome.text.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.contains("no place is called 'Wachtbergg'"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Did you mean Wachtberg, "), "\(outcome.errors)")
        let json = try await board("search", "cat", "--near", "Xyzzyplugh", "--json")
        #expect(json.status == 64, "\(json.errors)")
        #expect(try json.json()["exit"] as? Int == 64, "\(json.text)")
    }

    @Test func `a place that nobody knows is asked about, and no clip stays behind`() async throws {
        let outcome = try await board("post", "--lost", "Cat", "--voice", "take.wav", "--near", "Wachtbergg")
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("no place is called 'Wachtbergg'"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Did you mean") && outcome.errors.contains("Wachtberg, "), "\(outcome.errors)")
        #expect(!home.files(in: "data").contains { $0.hasSuffix(".mp3") })
        // Whoever looks there is told the same, on this machine and by a hub.
        try await isUnknown()
        let (studio, number) = (try Household(), try ReservedPort())
        try await studio.serving(["--port", "\(number.number)"]) { port in
            try await home.signIn(at: port, of: studio)
            try await isUnknown()
            #expect(try await home.start(["logout", "hub"]).outcome().status == 0)
        }
        let named = try await post("--lost", "Cat", "--text", "Grey", "--near", "Bonn")
        let listed = try await board("search", "--near", "Bonn", "--within", "5km")
        #expect(listed.text.contains("Lost: Cat, Bonn") && listed.text.contains(named), "\(listed.text)")
    }
}
