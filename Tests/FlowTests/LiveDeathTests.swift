import ChirpAudio
import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// A clip that kills is not fetched and played for ever. Each world over the same folder is a process; one that dies leaves its
/// mark, as the program itself does when it is killed (`CLITests`).
@Suite(.timeLimit(.minutes(2))) struct LiveDeathTests {
    private func detected(_ world: LiveWorld, _ numbers: ClosedRange<Int>) async throws {
        for number in numbers { world.post(number) }
        world.whileFetching.withLock { $0 = { _ in await untilCancelled() } }
        let session = try world.session(catchUp: .seconds(1))
        let cut = Task { try await session.run() }
        await world.until { world.detected == numbers.count }
        cut.cancel()
        try await cut.value
        world.whileFetching.withLock { $0 = nil }
    }

    @Test func `an interruption is no death`() async throws {
        let folder = try TemporaryFolder()
        try await detected(try LiveWorld(folder: folder), 1...3)
        for _ in 0..<3 {
            let world = try LiveWorld(folder: folder)
            world.whilePlaying.withLock { $0 = { _ in await untilCancelled() } }
            let session = try world.session()
            let cut = Task { try await session.run() }
            await world.until { world.heard.count == 1 }
            cut.cancel()
            try await cut.value
            for id in [1, 2, 3] as [PlayID] {
                let row = try await world.journal.play(id)
                #expect(row.deaths == 0 && row.inHand == nil)
            }
        }
    }

    @Test(arguments: [PlayRecord.Work.fetch, .play])
    func `after two deaths a clip is out, and the others are heard`(work: PlayRecord.Work) async throws {
        let folder = try TemporaryFolder()
        let first = try LiveWorld(folder: folder)
        try await detected(first, 1...3)
        for _ in 1...2 {
            try await first.journal.mark(play: 2, as: work)
            if work == .fetch { _ = try await first.journal.settleDeaths(because: "died") }
        }
        if work == .play {
            _ = try await first.journal.settleDeaths(because: "died")
            try await first.journal.mark(play: 2, as: work)
        }
        let world = try LiveWorld(folder: folder)
        try await world.run(try world.session()) { await world.until { world.heard.count == 2 } }
        #expect(world.heard == ["clip1", "clip3"])
        let row = try await world.journal.play(2)
        #expect(row.state == .setAside && row.reason?.contains("twice") == (work == .play))
        let aside = world.events.compactMap { if case .setAside(let play, _) = $0 { play.id } else { nil } }
        #expect(aside == (work == .play ? [2] : []))
        // Nor later, and it is shown.
        let later = try LiveWorld(folder: folder)
        try await later.run(try later.session()) { await later.until { !later.events.isEmpty } }
        #expect(later.heard.isEmpty)
        #expect(try await later.journal.recentPlays(limit: 9).contains { $0.id == 2 })
    }

    @Test func `a person may have it fetched again`() async throws {
        let world = try LiveWorld()
        try await detected(world, 1...1)
        try await world.journal.update(play: 1) { row in
            row.state = .setAside
            row.deaths = 2
        }
        let fetch = ClipFetch(ports: world.ports(), rules: LiveRules())
        guard case .fetched(let row) = try await fetch.run(try await world.journal.play(1)) else {
            Issue.record("not fetched")
            return
        }
        #expect(row.file != nil && row.state == .setAside && row.deaths == 2)
        world.failures.withLock { $0["https://hub.example/media/clip1.mp3"] = .refused(status: 404, detail: "gone") }
        guard case .refused(let reason) = try await fetch.run(row) else {
            Issue.record("fetched")
            return
        }
        #expect(reason.contains("gone"))
    }

    /// A service that asks for a month, by mistake or to be rid of somebody, does not silence its network for a month.
    @Test func `a network that asks for days is asked again in a quarter of an hour, and that is said`() async throws {
        let world = try LiveWorld()
        let asked = Mutex(0)
        let clock = world.clock
        let busy = BusyNetwork {
            asked.withLock { $0 += 1 }
            return .seconds(31 * 86_400)
        }
        var ports = world.ports()
        ports.sources = [LiveSource(busy, signals: { AsyncStream<Void> { _ in } })]
        let account = LiveAccount(network: "busy", account: LiveWorld.alice)
        let session = LiveSession(
            ports, window: try LiveWindow(.open, now: ports.now(), zone: .gmt), accounts: [account])
        try await world.run(session) {
            await world.until { asked.withLock { $0 } == 1 && clock.deadline == .seconds(900) }
            clock.turn(to: .seconds(900))
            await world.until { asked.withLock { $0 } == 2 }
        }
        let waits = world.events.compactMap { event -> Duration? in
            if case .unreachable("busy", _, let again) = event { again } else { nil }
        }
        #expect(waits == [.seconds(900)])
    }

    private struct BusyNetwork: Network {
        let properties = NetworkProperties(name: "busy", textRules: .weighted(limit: 280))
        let wish: @Sendable () -> Duration

        func followed() async throws(NetworkError) -> [Account] { [] }
        func publish(_ draft: Draft) async throws(NetworkError) -> Post? { nil }
        func remove(_ id: Post.ID) async throws(NetworkError) {}
        func posts(by accounts: [Account.ID], after cursor: Cursor?) async throws(NetworkError) -> (
            posts: [Post], next: Cursor?
        ) { throw .busy(retryAfter: wish()) }
    }
}
