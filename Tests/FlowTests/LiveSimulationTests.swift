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
@Suite(.timeLimit(.minutes(5))) struct LiveSimulationTests {
    /// Resident size of this process in bytes, without what the allocator has been given back and keeps.
    private static var resident: Int {
        // The module of the C library leaves out <malloc.h>.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        }
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test func `eight hours and thousands of posts: memory flat, cache bounded, each clip heard once`() async throws {
        let isLong = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == "1"
        let posts = isLong ? 5000 : 500
        // What networks keep is not the listener's.
        let world = try LiveWorld(most: 100)
        let seed = TestSeed()
        let clock = world.clock
        world.bytes.withLock { $0 = 2000 }
        world.whileFetching.withLock { hook in
            hook = { address in
                var random = seed.generator(for: address)
                await clock.sleep(.milliseconds(Int.random(in: 50...3000, using: &random)))
            }
        }
        world.whilePlaying.withLock { hook in
            hook = { name in
                var random = seed.generator(for: name)
                await clock.sleep(.milliseconds(Int.random(in: 200...4000, using: &random)))
            }
        }
        let session = try world.session(pause: .milliseconds(100)) { rules in
            rules.maximumBytes = ByteCount(Int64(2000))
            rules.retention.limit = ByteCount(Int64(200_000))
        }
        let step = Duration.seconds(8 * 3600) / posts
        // After a tenth, half and all of the posts: 500, 2,500 and 5,000 of the long run.
        let marks = [posts / 10, posts / 2, posts]
        var sizes: [Int] = []
        var (mostFiles, mostBytes) = (0, 0)
        let cache = world.folder.path("cache")
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
            if marks.contains(number + 1) { sizes.append(Self.resident) }
            if number % 10 == 9 {
                let files = try FileManager.default.contentsOfDirectory(atPath: cache)
                let bytes = files.map { name in
                    (try? FileManager.default.attributesOfItem(atPath: "\(cache)/\(name)"))?[.size] as? Int ?? 0
                }
                mostFiles = max(mostFiles, files.count)
                mostBytes = max(mostBytes, bytes.reduce(0, +))
            }
        }
        await world.until {
            if let next = clock.deadline { clock.turn(to: next) }
            return world.heard.count == posts
        }
        session.send(.stop)
        try await ended
        #expect(Set(world.heard).count == posts && world.heard.count == posts, "\(seed)")
        #expect(mostBytes <= 200_000 && mostFiles <= 100, "\(mostFiles) files, \(mostBytes) bytes; \(seed)")
        // Only alone is the process this test's own.
        let shown = zip(marks, sizes).map { "\($0) posts: \($1 / 1000) kB" }.joined(separator: ", ")
        print("resident after \(shown); cache at most \(mostFiles) files, \(mostBytes) bytes")
        if isLong { #expect(sizes[2] - sizes[1] < 4_000_000 && sizes[2] - sizes[0] < 8_000_000, "\(shown); \(seed)") }
    }
}
