import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import Testing

// W-8.
// One at a time: a batch takes every processor, and some are killed by the clock while they must not have ended yet.
@Suite(.serialized) struct BatchTests {
    /// A household with some short recordings, and what is none or broken.
    private func household(recordings: Int = 3) throws -> Household {
        let home = try Household()
        for folder in ["in", "in/deep", "in/deep/er"] {
            try FileManager.default.createDirectory(atPath: home.path(folder), withIntermediateDirectories: true)
        }
        for number in 0..<recordings {
            let seconds = 0.5 + Double(number) * 0.1
            let name = ["in", "in/deep", "in/deep/er"][number % 3] + "/take-\(number).wav"
            try home.write(Recording.wav(Recording.voice(seconds: seconds)), to: name)
        }
        return home
    }

    private func events(_ outcome: Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    }

    /// The clips by name, and everything else that lies there.
    private func clips(_ home: Household, in folder: String = "out") -> [String: Data] {
        let names = home.files(in: "work/\(folder)")
        return Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, FileManager.default.contents(atPath: home.path("\(folder)/\($0)")) ?? Data())
            })
    }

    @Test func `a folder becomes a folder of clips; every line is a document, the last one the result`() async throws {
        let home = try household()
        try home.write(Array("not a sound".utf8), to: "in/broken.wav")
        try home.write(Array("words".utf8), to: "in/notes.txt")
        try home.write(Recording.wav(Array(repeating: 0, count: 16000)), to: "in/silent.wav")
        let outcome = try await home.run("batch", "in", "out", "--json")
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(clips(home).keys.sorted() == ["deep/er/take-2.mp3", "deep/take-1.mp3", "take-0.mp3"])
        let events = try events(outcome)
        #expect(events.first?["event"] as? String == "listed")
        let files = events.filter { $0["event"] as? String == "file" }
        #expect(
            files.map { $0["path"] as? String } == [
                "broken.wav", "deep/er/take-2.wav", "deep/take-1.wav", "notes.txt", "silent.wav", "take-0.wav",
            ])
        #expect(
            files.map { $0["status"] as? String } == ["failed", "made", "made", "ignored", "silent", "made"])
        let receipt = try #require(files.last)
        let clip = try #require(receipt["clip"] as? [String: Any])
        #expect(clip["path"] as? String == "out/take-0.mp3")
        #expect((receipt["input"] as? [String: Any])?["name"] as? String == "take-0.wav")
        #expect(clip["bytes"] as? Int == clips(home)["take-0.mp3"]?.count)
        let result = try #require(events.last)
        #expect(result["event"] as? String == "result")
        #expect(result["exit"] as? Int == 3)
        #expect(result["made"] as? Int == 3)
        #expect(result["silent"] as? Int == 1)
        #expect((result["failures"] as? [[String: Any]])?.map { $0["path"] as? String } == ["broken.wav"])
        #expect(outcome.errors.contains("failed broken.wav: "))
        #expect(!outcome.errors.contains("failed silent.wav: "))
        #expect(outcome.errors.contains("1 silent"))
    }

    @Test func `silent recordings alone leave a batch done, and are named to the curious`() async throws {
        let home = try household(recordings: 1)
        try home.write(Recording.wav(Array(repeating: 0, count: 16000)), to: "in/silent.wav")
        let outcome = try await home.run("batch", "in", "out", "--fail-fast")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("2 files, 1 made, 1 silent"))
        #expect(!outcome.errors.contains("silent.wav"))
        let curious = try await home.run("batch", "in", "out", "-v")
        #expect(curious.status == 0)
        #expect(curious.errors.contains("silent silent.wav: "))
    }

    @Test func `what is noted of many files is one line, and one each to the curious`() async throws {
        let home = try household(recordings: 0)
        for number in 0..<5 {
            try home.write(Recording.wav(Recording.voice(seconds: 0.5)), to: "in/\(number).wav")
            try home.write(Recording.wav(Recording.voice(seconds: 0.6)), to: "in/\(number).wave")
        }
        let outcome = try await home.run("batch", "in", "out")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains("keep") }.count == 1)
        #expect(outcome.errors.contains("note: 10 clips keep the whole names of their recordings"))
        let curious = try await home.run("batch", "in", "out", "-v")
        #expect(
            curious.errors.split(separator: "\n").filter { $0.contains("the clip keeps the whole name") }.count == 10)
    }

    @Test func `a clip of a batch is the one that encode makes`() async throws {
        let home = try household(recordings: 1)
        let batch = try await home.run("batch", "in", "out", "--preset", "tiny", "--target", "-20")
        #expect(batch.status == 0, "\(batch.errors)")
        #expect(batch.output.isEmpty)
        #expect(batch.errors.contains("1 file, 1 made"))
        let encoded = try await home.run(
            "encode", "in/take-0.wav", "-o", "one.mp3", "--preset", "tiny", "--target", "-20")
        #expect(encoded.status == 0)
        #expect(FileManager.default.contents(atPath: home.path("one.mp3")) == clips(home)["take-0.mp3"])
    }

    @Test func `a second run does nothing, and a dry run says what the next one would do`() async throws {
        let home = try household()
        #expect(try await home.run("batch", "in", "out").status == 0)
        let before = clips(home)
        let second = try #require(try events(try await home.run("batch", "in", "out", "--json")).last)
        for (name, count) in [("made", 0), ("unchanged", 3), ("hashed", 0), ("probed", 0)] {
            #expect(second[name] as? Int == count, "\(name)")
        }
        try home.write(Recording.wav(Recording.voice(seconds: 0.7)), to: "in/new.wav")
        let dry = try await home.run("batch", "in", "out", "--dry-run")
        #expect(dry.lines == ["new.wav -> new.mp3"])
        #expect(clips(home) == before)
    }

    @Test func `what a recording says about itself stays out unless it is asked for`() async throws {
        let home = try household(recordings: 1)
        try FileManager.default.createDirectory(atPath: home.path("tagged"), withIntermediateDirectories: true)
        let made = try await home.run(
            "encode", "in/take-0.wav", "-o", "tagged/a.mp3", "--title", "Harbour at night")
        #expect(made.status == 0)
        #expect(try await home.run("batch", "tagged", "plain").status == 0)
        #expect(try await home.run("batch", "tagged", "kept", "--keep-tags").status == 0)
        for (folder, isKept) in [("plain", false), ("kept", true)] {
            let bytes = try #require(clips(home, in: folder)["a.mp3"])
            #expect((bytes.range(of: Data("Harbour".utf8)) != nil) == isKept)
        }
        let encoded = try await home.run("encode", "tagged/a.mp3", "-o", "one.mp3", "--keep-tags")
        #expect(encoded.status == 0)
        #expect(FileManager.default.contents(atPath: home.path("one.mp3")) == clips(home, in: "kept")["a.mp3"])
    }

    @Test func `mistakes are told apart`() async throws {
        let home = try household(recordings: 1)
        #expect(try await home.run("batch", "nowhere", "out").status == 66)
        #expect(try await home.run("batch", "in", "in").status == 64)
        #expect(try await home.run("batch", "in", "in/take-0.wav").status == 73)
        let busy = try home.start(["batch", "in", "out"], environment: ["CHIRP_PAUSE": "clipMade"])
        await eventually { busy.isStopped }
        let second = try await home.run("batch", "in", "out")
        #expect(second.status == 75)
        #expect(second.errors.contains("process \(busy.pid) on "))
        busy.send(SIGCONT)
        #expect(try await busy.outcome().status == 0)
    }

    @Test func `an interrupted batch ends with 130, leaves whole clips, and goes on`() async throws {
        // Going on, it makes clips until one of its threads has heard of the signal: there must be enough left.
        let home = try household(recordings: 24)
        let running = try home.start(["batch", "in", "out", "--jobs", "1"], environment: ["CHIRP_PAUSE": "clipMade:2"])
        await eventually { running.isStopped }
        running.send(SIGINT)
        running.send(SIGCONT)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(clips(home).keys.allSatisfy { $0.hasSuffix(".mp3") && !$0.hasPrefix(".") })
        #expect(try await home.run("batch", "in", "out").status == 0)
        #expect(clips(home).count == 24)
    }

    @Test(arguments: FaultPoint.ofBatch, [1, 2])
    func `killed at any step and run again there are the same clips`(point: FaultPoint, count: Int) async throws {
        let home = try household()
        #expect(try await home.run("batch", "in", "whole").status == 0)
        let killed = try await home.start(
            ["batch", "in", "out"], environment: ["CHIRP_FAULT": "\(point.rawValue):\(count)"]
        ).outcome()
        #expect(killed.signal == SIGKILL)
        let second = try #require(try events(try await home.run("batch", "in", "out", "--json")).last)
        #expect(clips(home) == clips(home, in: "whole"))
        if point == .clipRecorded { #expect(second["unchanged"] as? Int ?? 0 >= count) }
    }

    /// With `CHIRP_LONG_TESTS`, fifty times.
    @Test func `killed at random moments and run again there are the same clips`() async throws {
        let isLong = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] != nil
        let home = try household(recordings: isLong ? 60 : 8)
        #expect(try await home.run("batch", "in", "whole").status == 0)
        var random = SeededGenerator(seed: 8)
        var kills = 0
        for _ in 0..<(isLong ? 50 : 4) {
            let running = try home.start(["batch", "in", "out", "--json"])
            let clock = ContinuousClock()
            let moment = clock.now + .milliseconds(Int.random(in: 0...(isLong ? 400 : 120), using: &random))
            await eventually { clock.now >= moment || running.outputSoFar.contains(#""event":"result""#) }
            running.send(SIGKILL)
            if try await running.outcome().signal == SIGKILL { kills += 1 }
            // What is there is whole, at any time.
            let whole = clips(home, in: "whole")
            for (name, bytes) in clips(home) where !name.hasPrefix(".") { #expect(whole[name] == bytes) }
            if isLong, clips(home).count >= whole.count {
                for name in whole.keys.shuffled(using: &random).prefix(30) { unlink(home.path("out/\(name)")) }
            }
        }
        #expect(try await home.run("batch", "in", "out").status == 0)
        #expect(clips(home) == clips(home, in: "whole"))
        if isLong { print("killed \(kills) times of 50") }
    }
}
