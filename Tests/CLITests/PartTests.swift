import Foundation
import Testing

/// `--begin` and `--end`.
@Suite struct PartTests {
    private func home() throws -> Household {
        let home = try Household()
        try home.write(Recording.wav(Recording.voice(seconds: 3, margin: 0.5)), to: "take.wav")
        return home
    }

    private func seconds(_ outcome: Outcome) throws -> Double? {
        (try outcome.json()["clip"] as? [String: Any])?["seconds"] as? Double
    }

    @Test(arguments: [
        ("--begin 0:01 --end 0:02", 1), ("--begin=1.25 --end=2s", 0.75), ("--begin 0 --end 00:00:02.5", 2.5),
        ("--begin 500ms --end 1", 0.5), ("--end 1 --no-trim", 1), ("--begin 2.5 --no-trim", 0.5),
    ])
    func `a part is kept, written in any way`(options: String, length: Double) async throws {
        let home = try home()
        let words = ["encode", "take.wav", "-o", "clip.mp3", "--json"] + options.split(separator: " ").map(String.init)
        let outcome = try await home.start(words).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try seconds(outcome) == length)
    }

    @Test func `publishing keeps the same part, and another part is another clip`() async throws {
        let home = try home()
        let options = ["--store", "folder", "--network", "none", "--json"]
        let whole = try await home.start(["publish", "take.wav"] + options).outcome()
        let part = try await home.start(["publish", "take.wav", "--begin", "0:01", "--end", "0:02"] + options).outcome()
        #expect(whole.status == 0 && part.status == 0, "\(whole.errors)\(part.errors)")
        #expect(try seconds(part) == 1)
        #expect(try seconds(whole) ?? 0 > 2)
    }

    @Test(arguments: [
        ("--begin 2 --end 1", "--begin must be before --end"),
        ("--begin 1 --end 1.001", "--begin must be before --end"),
        ("--end 0", "--begin must be before --end"), ("--begin 0:61", "such as 0:02"), ("--begin 1e3", "such as 0:02"),
        ("--end 1:2:3:4", "such as 0:02"), ("--begin soon", "such as"), ("--begin 10:00", "it is 3.0 s long"),
    ])
    func `a part that cannot be is refused in words`(options: String, words: String) async throws {
        let home = try home()
        let line = ["encode", "take.wav", "-o", "clip.mp3"] + options.split(separator: " ").map(String.init)
        let outcome = try await home.start(line).outcome()
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.replacing("\n", with: " ").contains(words), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path("clip.mp3")))
    }

    /// A take is what the recorder writes, 32-bit Float; a WAV of another kind in that folder is none.
    @Test func `a take is published in part too`() async throws {
        let home = try home()
        try home.write(Recording.floatWav(Recording.voice(seconds: 3, margin: 0.5)), to: "float.wav")
        let placed = try await home.shell(
            "mkdir -p -m 700 ../data/chirp/takes && cp float.wav ../data/chirp/takes/2026-07-01-120000.wav")
        #expect(placed.status == 0, "\(placed.errors)")
        let words = ["takes", "publish", "2026-07-01-120000", "--begin", "1.5", "--end", "0:02", "--json"]
        let outcome = try await home.start(words).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try seconds(outcome) == 0.5)
    }

    @Test func `record and batch know no part`() async throws {
        let home = try home()
        #expect(try await home.run("record", "--publish", "--begin", "1").status == 64)
        #expect(try await home.run("batch", "in", "out", "--end", "1").status == 64)
    }
}
