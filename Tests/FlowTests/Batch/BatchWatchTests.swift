import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

// W-8.
@Suite struct BatchWatchTests {
    private let world: BatchWorld

    init() throws { world = try BatchWorld() }

    @Test func `what comes is made, in new folders too, and not before it is closed`() async throws {
        let world = world
        try world.record("a.wav")
        let run = Task { try await world.watch(settling: .zero) }
        #expect(await until { world.clips().contains("a.mp3") && world.passes > 0 })
        let sound = try #require(FileManager.default.contents(atPath: "\(world.source)/a.wav"))
        let file = open("\(world.source)/slow.wav", O_CREAT | O_WRONLY, 0o600)
        _ = sound.prefix(100).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        try world.record("new/er/b.wav", seconds: 0.1)
        #expect(await until { world.clips().contains("new/er/b.mp3") })
        #expect(!world.clips().contains("slow.mp3"))
        _ = sound.dropFirst(100).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        #expect(await until { world.clips().contains("slow.mp3") })
        run.cancel()
        await #expect(throws: BatchFailure.cancelled) { try await run.value }
        #expect(world.clips() == ["a.mp3", "new/er/b.mp3", "slow.mp3"])
        #expect(world.made.filter { $0 == "slow.wav" }.count == 1)
    }

    @Test func `a file that was touched a moment ago waits until it has settled`() async throws {
        let world = world
        try world.record("a.wav")
        let clock = Hand(Int64(time(nil)) * 1_000_000_000)
        let run = Task { try await world.watch(settling: .milliseconds(900_000), now: { clock.nanoseconds }) }
        #expect(await until { world.passes > 0 })
        #expect(world.made.isEmpty)
        run.cancel()
        _ = await run.result
        clock.advance(1_000_000_000_000)
        let later = Task { try await world.watch(settling: .milliseconds(900_000), now: { clock.nanoseconds }) }
        #expect(await until { world.clips().contains("a.mp3") })
        later.cancel()
        _ = await later.result
    }
}

/// A wall clock that is moved by hand.
private final class Hand: Sendable {
    private let state: Mutex<Int64>

    init(_ nanoseconds: Int64) { state = Mutex(nanoseconds) }

    var nanoseconds: Int64 { state.withLock { $0 } }

    func advance(_ nanoseconds: Int64) { state.withLock { $0 += nanoseconds } }
}
