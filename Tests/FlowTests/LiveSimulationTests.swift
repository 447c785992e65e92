import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

/// Eight hours of listening by a clock that is turned: 5,000 posts with random delays and lengths.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveSimulationTests {
    /// Resident size of this process in bytes.
    private static var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test func `eight hours and thousands of posts: memory flat, cache bounded, each clip heard once`() async throws {
        let isLong = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == "1"
        let posts = isLong ? 5000 : 500
        let world = try LiveWorld()
        let clock = world.clock
        world.bytes.withLock { $0 = 2000 }
        world.whileFetching.withLock { hook in
            hook = { _ in await clock.sleep(.milliseconds(Int.random(in: 50...3000))) }
        }
        world.whilePlaying.withLock { hook in
            hook = { _ in await clock.sleep(.milliseconds(Int.random(in: 200...4000))) }
        }
        let session = try world.session(pause: .milliseconds(100)) { rules in
            rules.maximumBytes = ByteCount(Int64(2000))
            rules.retention.limit = ByteCount(Int64(200_000))
        }
        let step = Duration.seconds(8 * 3600) / posts
        var sizes: [Int] = []
        var mostFiles = 0
        async let ended: Void = session.run()
        await world.until { !world.events.isEmpty }
        world.remembers.withLock { $0 = false }
        for number in 0..<posts {
            world.post(number, on: number % 2)
            let due = step * (number + 1)
            await world.until { world.detected > number }
            // Time passes from one thing that happens to the next.
            while let next = clock.deadline, next <= due {
                clock.turn(to: next)
                for _ in 0..<20 { await Task.yield() }
            }
            clock.turn(to: due)
            if number % 50 == 49 {
                sizes.append(Self.resident)
                let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("cache"))
                mostFiles = max(mostFiles, names.count)
            }
        }
        await world.until {
            if let next = clock.deadline { clock.turn(to: next) }
            return world.heard.count == posts
        }
        session.send(.stop)
        try await ended
        #expect(Set(world.heard).count == posts && world.heard.count == posts)
        #expect(mostFiles <= 100, "\(mostFiles) files of 2 kB under a limit of 200 kB")
        // Only alone is the process this test's own. The posts themselves stay in the networks' memory.
        let (first, last) = (sizes[sizes.count / 4], sizes[sizes.count - 1])
        print("resident \(first) bytes after a quarter, \(last) at the end; at most \(mostFiles) files")
        if isLong { #expect(last - first < 8_000_000, "from \(first) to \(last) bytes") }
    }
}
