import ChirpAudio
import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

// W-8: odd dates, clocks and files.
@Suite struct BatchOddTests {
    private let world: BatchWorld

    init() throws { world = try BatchWorld() }

    private func date(_ name: String, _ seconds: Int, nanoseconds: Int = 0) {
        let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: nanoseconds), count: 2)
        #expect(utimensat(AT_FDCWD, "\(world.source)/\(name)", times, 0) == 0)
    }

    @Test func `files of any date are made, known again, and made again when their date changes`() async throws {
        // The last is the year 292277026596; file systems keep what they can.
        let dates = [9_223_372_036, 9_223_372_037, 15_032_385_535, -2_147_483_648, -9_300_000_000, .min, .max]
        for (index, date) in dates.enumerated() {
            try world.record("\(index).wav")
            self.date("\(index).wav", date, nanoseconds: 999_999_999)
        }
        #expect(try await world.run().made == dates.count)
        let second = try await world.run()
        #expect((second.unchanged, second.hashed) == (dates.count, 0))
        date("1.wav", 9_223_372_038)
        #expect(try await world.run().hashed == 1)
    }

    @Test func `two times beyond 64 bits of nanoseconds are still two times`() {
        func facts(_ seconds: Int) -> FileFacts {
            var facts = stat()
            facts.st_mtim = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
            facts.st_ctim = facts.st_mtim
            return FileFacts(facts)
        }
        let seconds = [Int.min, .min + 1, -9_223_372_038, -9_223_372_037, 9_223_372_036, 9_223_372_037, .max - 1, .max]
        #expect(Set(seconds.map { facts($0).modified }).count == seconds.count)
        #expect(facts(-1).modified == -1)
        #expect(facts(.min).changed == .min)
        #expect(facts(.max).changed == .max)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a clock that is far off holds no file up`(now: Int64) async throws {
        let world = world
        try world.record("a.wav")
        let run = Task { try await world.watch(settling: .milliseconds(50), now: { now }) }
        await until { world.clips().contains("a.mp3") }
        run.cancel()
        _ = await run.result
    }

    @Test func `a run has given its folder back when it ends, whoever still holds a part of it`() async throws {
        try world.record("a.wav")
        let kept = Mutex<[BatchRun]>([])
        var ports = world.ports
        ports.crew = { run in
            kept.withLock { $0.append(run) }
            return BatchSummary()
        }
        for _ in 0..<3 {
            _ = try await world.run(ports: ports)
            #expect(!FileManager.default.fileExists(atPath: "\(world.target)/.chirp-batch"))
        }
        #expect(kept.withLock { $0.count } == 3)
        for _ in 0..<100 {
            _ = try await world.run()
            #expect(!FileManager.default.fileExists(atPath: "\(world.target)/.chirp-batch"))
        }
    }

    @Test func `pipes, sockets and devices are left out, also those that take the place of a recording`() async throws {
        for name in ["a", "b", "c"] { try world.record("\(name).wav") }
        #expect(mkfifo("\(world.source)/pipe.wav", 0o600) == 0)
        #expect(symlink("/dev/zero", "\(world.source)/zeros.wav") == 0)
        try makeSocketFile("socket.wav", in: world.source)
        let source = world.source
        world.surprise("a.wav") { () throws(AudioError) in
            unlink("\(source)/b.wav")
            mkfifo("\(source)/b.wav", 0o600)
            unlink("\(source)/c.wav")
            symlink("/dev/zero", "\(source)/c.wav")
        }
        let summary = try await world.run(jobs: 1)
        #expect(summary.made == 1)
        #expect(summary.failures.map(\.path.text) == ["b.wav", "c.wav"])
        #expect(summary.failures.allSatisfy { $0.reason.contains("it is no regular file") })
        #expect(world.clips() == ["a.mp3"])
    }

    @Test func `a recording that shrinks or is emptied while it is read fails alone`() async throws {
        for name in ["a", "b", "c"] { try world.record("\(name).wav", seconds: 1) }
        let source = world.source
        for (name, length) in [("a", 100), ("b", 0)] {
            world.surprise("\(name).wav") { () throws(AudioError) in truncate("\(source)/\(name).wav", off_t(length)) }
        }
        let summary = try await world.run(jobs: 1)
        #expect(summary.made == 1)
        #expect(summary.failures.map(\.path.text) == ["a.wav", "b.wav"])
        #expect(summary.failures.allSatisfy { $0.reason.contains("it changed while it was read") })
    }
}
