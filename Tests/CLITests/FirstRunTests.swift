import Foundation
import Testing

/// The part of the program that a first `make run SERVE=0` builds, beside the whole one: both have the same library, journal and settings.
@Suite struct FirstRunTests {
    private let home: Household

    init() throws {
        home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 1)), to: "one.wav")
        try home.write(Recording.wav(Recording.voice(seconds: 2)), to: "two.wav")
    }

    private func first(_ line: String) async throws -> Outcome { try await home.shell("firstrun \(line)") }

    /// Gives the link.
    private func published(_ outcome: Outcome) throws -> String {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(outcome.lines.last)
    }

    private func titles() async throws -> [String] {
        let outcome = try await home.run("board", "lost-and-found", "search", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (try outcome.json()["listings"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }

    private func list(_ title: String) async throws {
        let outcome = try await home.run(
            "board", "lost-and-found", "post", "--lost", title, "--category", "pets", "--text", "Has a red ribbon",
            "--near", "50.73,7.10")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `what it has published the whole program knows, and both go on in one library`() async throws {
        let link = try published(try await first("publish one.wav --text 'Hello'"))
        #expect(try published(try await home.run("publish", "one.wav", "--text", "Hello")) == link)
        try await list("Grey cat")
        #expect(try published(try await first("publish one.wav --text 'Hello'")) == link)
        #expect(try published(try await first("publish two.wav")) != link)
        try await list("Black cat")
        #expect(Set(try await titles()) == ["Grey cat", "Black cat"])
        #expect(home.files(in: "data/chirp/hub/media").count == 2)
        let check = try await home.run("hub", "check", "--full")
        #expect(check.status == 0, "\(check.text)")
    }

    @Test func `a library with boards is opened by it and keeps all that it has`() async throws {
        try await list("Grey cat")
        let link = try published(try await home.run("publish", "one.wav"))
        #expect(try published(try await first("publish one.wav")) == link)
        #expect(try await first("publish two.wav --store hub").status == 0)
        #expect(try await titles() == ["Grey cat"])
        #expect(try await home.run("hub", "check", "--full").status == 0)
    }

    @Test func `a library of a later release is left alone by both`() async throws {
        #expect(try await first("publish one.wav").status == 0)
        let newer = try await home.shell(
            """
            python3 -c "import sqlite3; c = sqlite3.connect('../data/chirp/hub/hub.sqlite'); \
            c.execute(\\"INSERT INTO grdb_migrations VALUES ('later-001')\\"); c.commit()"
            """)
        #expect(newer.status == 0, "\(newer.errors)")
        let (part, whole) = (try await first("publish two.wav"), try await home.run("publish", "two.wav"))
        #expect(part.status == 78 && part.errors == whole.errors, "\(part.errors) \(whole.errors)")
        #expect(home.files(in: "data/chirp/hub/media").count == 1)
    }

    @Test func `it makes the same clip, and says the same of mistakes`() async throws {
        for line in [
            "encode one.wav -o clip.mp3", "inspect one.wav", "config show", "outbox", "--version", "publish --help",
            "publish missing.wav", "publish one.wav --bitrate 7", "encode one.wav -o clip.mp3 --nothing",
        ] {
            let part = try await first(line)
            let clip = try? Data(contentsOf: URL(filePath: home.path("clip.mp3")))
            let whole = try await home.shell("chirp \(line)")
            #expect(part.status == whole.status && part.text == whole.text, "\(line)")
            #expect(part.errors == whole.errors, "\(line)")
            #expect(clip == (try? Data(contentsOf: URL(filePath: home.path("clip.mp3")))), "\(line)")
        }
    }

    @Test func `a command that it has not leads to the whole program`() async throws {
        for line in ["serve --port 0", "doctor", "live"] {
            let outcome = try await first(line)
            #expect(outcome.status == 64 && outcome.text.isEmpty, "\(line)")
            #expect(outcome.errorLines.last?.contains("make build") == true, "\(outcome.errors)")
        }
        let answer = try await first("serve --json").json()
        #expect(answer["exit"] as? Int == 64)
        let help = try await first("--help")
        #expect(help.status == 0 && help.text.contains("make build") && !help.text.contains("serve"), "\(help.text)")
    }
}
