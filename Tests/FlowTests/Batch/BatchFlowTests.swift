import ChirpAudio
import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpJournal
import ChirpTestKit
import Foundation
import Glibc
import Testing

// W-8.
@Suite struct BatchFlowTests {
    private let world: BatchWorld

    init() throws { world = try BatchWorld() }

    @Test func `a tree of recordings becomes a tree of clips, and a second run does nothing`() async throws {
        try world.record("a.wav")
        try world.record("d/e/b.wav", seconds: 0.06)
        try world.write("words about it", to: "in/d/read me")
        let first = try await world.run()
        #expect((first.files, first.made, first.ignored, first.failures.count) == (3, 2, 1, 0))
        #expect(world.clips() == ["a.mp3", "d/e/b.mp3"])
        #expect(world.results().map(\.path.text) == ["a.wav", "d/e/b.wav", "d/read me"])
        let second = try await world.run()
        #expect((second.made, second.unchanged, second.hashed) == (0, 2, 0))
        // Only what is no recording is looked at again.
        #expect(second.probed == 1)
        #expect(world.made.count == 2)
    }

    @Test func `a recording that was only touched is read but not made again`() async throws {
        try world.record("a.wav")
        _ = try await world.run()
        #expect(utimes("\(world.source)/a.wav", nil) == 0)
        let second = try await world.run()
        #expect((second.made, second.unchanged, second.hashed) == (0, 1, 1))
        #expect(try await world.run().hashed == 0)
    }

    @Test func `a recording that has changed is made again`() async throws {
        try world.record("a.wav")
        _ = try await world.run()
        try world.record("a.wav", seconds: 0.2)
        #expect(try await world.run().made == 1)
        #expect(try await world.run().made == 0)
    }

    @Test func `a clip that was touched, changed or removed is made again`() async throws {
        for name in ["a", "b", "c", "d"] { try world.record("\(name).wav") }
        _ = try await world.run()
        #expect(utimes("\(world.target)/a.mp3", nil) == 0)
        try world.write("other", to: "out/b.mp3")
        #expect(unlink("\(world.target)/c.mp3") == 0)
        let second = try await world.run()
        #expect((second.made, second.unchanged) == (3, 1))
        #expect(try await world.run().made == 0)
    }

    @Test func `a setting redoes exactly what it affects`() async throws {
        try world.record("short.wav", seconds: 0.1)
        try world.record("long.wav", seconds: 0.3)
        _ = try await world.run()
        _ = world.results()
        let capped = try await world.run { $0.policy.maximumLength = .milliseconds(200) }
        #expect((capped.made, capped.unchanged) == (1, 1))
        #expect(world.made.last == "long.wav")
        #expect(try await world.run { $0.policy.maximumLength = .milliseconds(200) }.made == 0)
        #expect(try await world.run().made == 1)
        #expect(try await world.run(keepsTags: true).made == 0)
        #expect(try await world.run { $0.policy.target = LUFS(-20) }.made == 2)
    }

    @Test func `failures do not stop the others, and results come in order`() async throws {
        for name in ["a", "b", "c", "d", "e"] { try world.record("\(name).wav") }
        try world.write("no sound in here", to: "in/f.wav")
        try world.write("", to: "in/g.flac")
        world.surprise("b.wav") { () throws(AudioError) in throw .unsupported(name: "b.wav", reason: "it is a test") }
        let summary = try await world.run()
        #expect(summary.made == 4)
        #expect(summary.failures.map(\.path.text) == ["b.wav", "f.wav", "g.flac"])
        #expect(summary.failures.allSatisfy { $0.exit == 65 })
        #expect(world.results().map(\.index) == Array(0..<7))
        #expect(world.clips() == ["a.mp3", "c.mp3", "d.mp3", "e.mp3"])
        // What failed is tried again.
        world.surprise("b.wav") { () throws(AudioError) in }
        #expect(try await world.run().made == 1)
    }

    @Test func `the first failure ends a run that shall fail fast`() async throws {
        for name in ["a", "b", "c", "d", "e"] { try world.record("\(name).wav") }
        world.surprise("a.wav") { () throws(AudioError) in throw .unsupported(name: "a.wav", reason: "it is a test") }
        let summary = try await world.run(failsFast: true, jobs: 1)
        #expect(summary.failures.count == 1)
        #expect(summary.made == 0)
        #expect(world.made == ["a.wav"])
    }

    @Test func `a silent recording is no failure, and ends no run`() async throws {
        for name in ["a", "b", "c"] { try world.record("\(name).wav") }
        world.surprise("a.wav") { () throws(AudioError) in throw .nothingToHear(name: "a.wav", reason: "it is silent") }
        let summary = try await world.run(failsFast: true, jobs: 1)
        #expect((summary.made, summary.silent, summary.failures.count) == (2, 1, 0))
        #expect(world.results().first?.outcome == .silent("it is silent"))
        #expect(world.clips() == ["b.mp3", "c.mp3"])
    }

    @Test func `sources of one name get clips of two names, and it is said`() async throws {
        try world.record("a.wav")
        try world.record("a.flac", seconds: 0.06)
        #expect(try await world.run().made == 2)
        #expect(world.clips() == ["a.flac.mp3", "a.wav.mp3"])
    }

    @Test func `a name that is no text is kept byte for byte`() async throws {
        try world.record("plain.wav")
        #expect(rename("\(world.source)/plain.wav", bytes("\(world.source)/caf", 0xE9, ".wav")) == 0)
        try world.record("two\nlines.wav")
        #expect(try await world.run().made == 2)
        #expect(access(bytes("\(world.target)/caf", 0xE9, ".mp3"), R_OK) == 0)
        #expect(FileManager.default.fileExists(atPath: "\(world.target)/two\nlines.mp3"))
        #expect(try await world.run().unchanged == 2)
    }

    @Test func `clips among the recordings are no recordings; recordings among the clips are refused`() async throws {
        try world.record("a.wav")
        let inside = "\(world.source)/clips"
        #expect(try await world.run(target: inside).made == 1)
        #expect(try await world.run(target: inside).files == 1)
        #expect(await world.failure(target: world.source) == .sameFolder(source: world.source, target: world.source))
        let above = world.folder.path("")
        #expect(await world.failure(target: above) == .sameFolder(source: world.source, target: above))
    }

    @Test func `two runs do not write to one folder; a dead one does not stand in the way`() async throws {
        try world.record("a.wav")
        try world.write("process 1 on earth", to: "out/.chirp-batch/lock")
        try world.write("half", to: "out/.chirp-batch/7.mp3")
        try world.write("half", to: "out/.chirp-batch/.chirp-1.part")
        try world.write("not ours", to: "out/.chirp-batch/letter")
        let holder = open("\(world.target)/.chirp-batch/lock", O_RDWR)
        #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
        let failure = await world.failure()
        #expect(failure == .busy(path: world.target, owner: "process 1 on earth"))
        #expect(failure?.exitCode == .temporary)
        close(holder)
        #expect(try await world.run().made == 1)
        #expect(world.clips() == [".chirp-batch/letter", "a.mp3"])
    }

    @Test func `a recording that changes while it is read fails, and no clip of it appears`() async throws {
        try world.record("a.wav")
        try world.record("b.wav")
        let path = "\(world.source)/a.wav"
        world.surprise("a.wav") { () throws(AudioError) in
            let file = open(path, O_WRONLY | O_APPEND)
            _ = write(file, "more", 4)
            close(file)
        }
        let summary = try await world.run()
        #expect(summary.failures.map(\.reason) == ["reading or writing 'a.wav' failed: it changed while it was read"])
        #expect(world.clips() == ["b.mp3"])
    }

    @Test func `a recording that vanishes is made from the open file, or fails alone`() async throws {
        try world.record("a.wav")
        try world.record("b.wav")
        let source = world.source
        world.surprise("a.wav") { () throws(AudioError) in
            unlink("\(source)/a.wav")
            unlink("\(source)/b.wav")
        }
        let summary = try await world.run(jobs: 1)
        #expect(summary.made == 1)
        #expect(summary.failures.map(\.path.text) == ["b.wav"])
        #expect(summary.failures.map(\.exit) == [66])
    }

    @Test func `a full disk ends the run, and the next one goes on`() async throws {
        for name in ["a", "b", "c"] { try world.record("\(name).wav") }
        let full = AudioError.inputOutput(path: "x", reason: .system(SystemError(code: ENOSPC)))
        world.surprise("b.wav") { () throws(AudioError) in throw full }
        let failure = await world.failure()
        #expect(failure == .full(path: world.target))
        #expect(failure?.exitCode == .inputOutput)
        #expect(world.clips().allSatisfy { !$0.hasPrefix(".") })
        world.surprise("b.wav") { () throws(AudioError) in }
        _ = try await world.run()
        #expect(world.clips() == ["a.mp3", "b.mp3", "c.mp3"])
        #expect(Set(world.made.filter { $0 != "b.wav" }).count == 2)
    }

    @Test func `a cancelled run leaves whole clips only`() async throws {
        try world.record("a.wav")
        try world.record("b.wav")
        let world = world
        world.surprise("b.wav") { () throws(AudioError) in
            while !Task.isCancelled { usleep(1000) }
            throw .cancelled
        }
        let run = Task { try await world.run() }
        await until { world.clips().contains("a.mp3") && world.made.contains("b.wav") }
        run.cancel()
        await #expect(throws: BatchFailure.cancelled) { _ = try await run.value }
        #expect(world.clips() == ["a.mp3"])
    }

    @Test func `a dry run says what would be done, and writes nothing`() async throws {
        try world.record("a.wav")
        let summary = try await world.run(isDryRun: true)
        #expect((summary.planned, summary.made) == (1, 0))
        #expect(world.results().map(\.output?.text) == ["a.mp3"])
        #expect(!FileManager.default.fileExists(atPath: world.target))
    }

    @Test func `a recording is not replaced through a link`() async throws {
        try world.record("a.mp3")
        try FileManager.default.createDirectory(atPath: world.target, withIntermediateDirectories: true)
        #expect(link("\(world.source)/a.mp3", "\(world.target)/a.mp3") == 0)
        #expect(try await world.run().failures.map(\.exit) == [73])
    }

    @Test func `a folder that may not be read is a failure, the rest is made`() async throws {
        try world.record("a.wav")
        try world.record("closed/b.wav")
        #expect(chmod("\(world.source)/closed", 0) == 0)
        defer { chmod("\(world.source)/closed", 0o700) }
        // Root may read everything.
        let expected = getuid() == 0 ? [] : ["closed"]
        #expect(try await world.run().failures.map(\.path.text) == expected)
        #expect(world.clips().contains("a.mp3"))
    }

    @Test func `ten thousand unchanged files are neither opened nor read`() async throws {
        try world.record("0.wav")
        _ = try await world.run()
        let clips = try await world.journal.batchClips(in: canonicalTarget)
        var rows: [BatchClipRecord] = []
        for number in 1..<10_000 {
            #expect(link("\(world.source)/0.wav", "\(world.source)/\(number).wav") == 0)
            #expect(link("\(world.target)/0.mp3", "\(world.target)/\(number).mp3") == 0)
            for var row in clips {
                row.path = Array("\(number).wav".utf8)
                row.output = Array("\(number).mp3".utf8)
                rows.append(row)
            }
        }
        try await world.journal.record(rows)
        let summary = try await world.run()
        #expect((summary.files, summary.unchanged) == (10_000, 10_000))
        #expect((summary.hashed, summary.probed, summary.made) == (0, 0, 0))
    }

    /// A path for system calls with a byte in it that is no text.
    private func bytes(_ head: String, _ byte: UInt8, _ tail: String) -> [CChar] {
        (Array(head.utf8) + [byte] + Array(tail.utf8) + [0]).map { CChar(bitPattern: $0) }
    }

    private var canonicalTarget: String {
        URL(filePath: world.target).resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
