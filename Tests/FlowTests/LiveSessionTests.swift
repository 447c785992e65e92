import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpTestKit
import Foundation
import Synchronization
import Testing

/// The whole of live listening but sound and the network: real journal, real cache, real tasks.
@Suite(.timeLimit(.minutes(2))) struct LiveSessionTests {
    private func address(_ number: Int) -> String { "https://hub.example/media/clip\(number).mp3" }

    /// CH-10: two networks, a hundred posts, downloads that end in any order.
    @Test func `clips are heard in the order they arrived, each once, whatever the downloads do`() async throws {
        let (world, seed) = (try LiveWorld(), TestSeed())
        world.whileFetching.withLock { hook in
            hook = { address in
                var random = seed.generator(for: address)
                for _ in 0..<Int.random(in: 0..<2000, using: &random) { await Task.yield() }
            }
        }
        let session = try world.session()
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            for number in 0..<100 {
                world.post(number, on: number % 2, by: number % 3 == 0 ? LiveWorld.alice : LiveWorld.bob)
                // One after the other, so that both networks agree on what came first.
                await world.until { world.events.count { if case .detected = $0 { true } else { false } } > number }
            }
            await world.until { world.heard.count == 100 }
        }
        #expect(world.heard == (0..<100).map { "clip\($0)" }, "\(seed)")
        #expect(world.reasons.isEmpty, "\(seed)")
    }

    /// CH-9.
    @Test func `only posts by chosen accounts with tag and clip are played`() async throws {
        let world = try LiveWorld()
        let session = try world.session(accounts: [LiveWorld.alice])
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            world.post(1, by: LiveWorld.bob)
            world.post(2, text: "no tag")
            world.networks[0].receive("I like #Chirp", link: nil, by: LiveWorld.alice)
            world.networks[0].receive("see https://elsewhere.example/x.mp3 #Chirp", link: nil, by: LiveWorld.alice)
            world.post(3, text: "#chirp")
            await world.until { world.heard == ["clip3"] }
        }
        #expect(world.heard == ["clip3"])
    }

    @Test func `a clip that cannot be fetched is skipped with its reason, and the others are heard`() async throws {
        let world = try LiveWorld()
        world.failures.withLock { $0[address(2)] = .refused(status: 404, detail: "gone") }
        let session = try world.session()
        try await world.run(session) {
            for number in 1...3 { world.post(number) }
            await world.until { world.heard.count == 2 && !world.reasons.isEmpty }
        }
        #expect(world.heard == ["clip1", "clip3"])
        #expect(world.reasons == ["the network refused (404): gone"])
    }

    @Test func `a slow clip steps aside after the patience and is heard when it is there`() async throws {
        let world = try LiveWorld()
        let (slow, arrives) = AsyncStream.makeStream(of: Void.self)
        world.whileFetching.withLock { hook in
            hook = { address in
                guard address.hasSuffix("clip1.mp3") else { return }
                for await _ in slow { break }
            }
        }
        let session = try world.session()
        try await world.run(session) {
            world.post(1)
            world.post(2)
            await world.until { world.events.contains { if case .fetched = $0 { true } else { false } } }
            #expect(world.heard.isEmpty)
            await world.until { world.clock.deadline != nil }
            world.clock.turn(to: .seconds(10))
            await world.until { world.heard == ["clip2"] }
            arrives.yield()
            await world.until { world.heard.count == 2 }
        }
        #expect(world.heard == ["clip2", "clip1"])
    }

    @Test func `the pause between clips is kept`() async throws {
        let world = try LiveWorld()
        let session = try world.session(pause: .seconds(1))
        try await world.run(session) {
            world.post(1)
            world.post(2)
            await world.until { world.events.contains { if case .played = $0 { true } else { false } } }
            await world.until { world.clock.deadline == .seconds(1) }
            #expect(world.heard == ["clip1"])
            world.clock.turn(to: .milliseconds(999))
            #expect(world.clock.deadline == .seconds(1))
            world.clock.turn(to: .seconds(1))
            await world.until { world.heard.count == 2 }
        }
    }

    /// What a crash leaves: nothing is lost, and only the clip that was being heard is heard again.
    @Test func `after a session that was cut off the next one goes on`() async throws {
        let folder = try TemporaryFolder()
        let first = try LiveWorld(folder: folder)
        first.whilePlaying.withLock { hook in
            hook = { name in if name == "clip3" { await untilCancelled() } }
        }
        for number in 1...5 { first.post(number) }
        let cut = Task { try await first.session(catchUp: .seconds(1)).run() }
        await first.until { first.heard.count == 3 }
        cut.cancel()
        try await cut.value
        #expect(first.heard == ["clip1", "clip2", "clip3"])

        // Everything that was posted, before and after, is there; the feed begins anew from where it was read.
        let second = try LiveWorld(folder: folder)
        for number in 1...7 { second.post(number) }
        try await second.run(try second.session()) { await second.until { second.heard.count == 5 } }
        #expect(second.heard == ["clip3", "clip4", "clip5", "clip6", "clip7"])
        let goesOn = second.events.contains { if case .started(_, _, true) = $0 { true } else { false } }
        #expect(goesOn)

        // That one was stopped in good order: nothing is left over.
        let third = try LiveWorld(folder: folder)
        for number in 1...9 { third.post(number) }
        try await third.run(try third.session(catchUp: .seconds(1))) { await third.until { third.heard.count == 2 } }
        #expect(third.heard == ["clip8", "clip9"])
    }

    @Test func `what was posted before counts only as far as one catches up`() async throws {
        let world = try LiveWorld()
        world.post(1)
        world.clock.turn(to: .seconds(3600))
        world.post(2)
        world.clock.turn(to: .seconds(3600 + 600))
        let session = try world.session(catchUp: .seconds(1800))
        try await world.run(session) {
            world.post(3)
            await world.until { world.heard.count == 2 }
        }
        #expect(world.heard == ["clip2", "clip3"])
    }

    @Test func `when the window is over what has arrived is heard, and then it ends`() async throws {
        let world = try LiveWorld()
        let session = try world.session(.duration(.seconds(60)), pause: .seconds(1))
        async let ended: Void = session.run()
        for number in 1...3 { world.post(number) }
        await world.until { world.heard.count == 1 && world.clock.deadline == .seconds(1) }
        world.clock.turn(to: .seconds(61))
        await world.until { world.heard.count == 2 }
        world.post(9)
        for turn in 62...70 {
            await world.until { world.clock.deadline != nil || world.events.contains(.ended) }
            world.clock.turn(to: .seconds(turn))
        }
        try await ended
        #expect(world.heard == ["clip1", "clip2", "clip3"])
    }

    /// CH-8: both can be changed while live.
    @Test func `accounts and window change while live`() async throws {
        let world = try LiveWorld()
        let session = try world.session(.duration(.seconds(60)), accounts: [LiveWorld.alice])
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            session.send(.accounts([LiveAccount(network: "one", account: LiveWorld.bob)]))
            await world.until { world.events.contains { if case .accountsChanged = $0 { true } else { false } } }
            world.post(1, by: LiveWorld.bob)
            world.post(2, by: LiveWorld.alice)
            world.post(3, by: LiveWorld.bob)
            await world.until { world.heard.count == 2 }
            session.send(.extend(.seconds(60)))
            session.send(.extend(.seconds(-3600)))
            await world.until { world.events.contains(.windowRefused(.endsBeforeNow)) }
        }
        #expect(world.heard == ["clip1", "clip3"])
        let ends = world.events.compactMap { if case .windowChanged(let window) = $0 { window.ends } else { nil } }
        #expect(ends == [LiveWorld.start + 120])
    }

    /// CH-12.
    @Test func `a clip is heard again as often as wished`() async throws {
        let world = try LiveWorld()
        let session = try world.session()
        try await world.run(session) {
            world.post(1)
            world.post(2)
            await world.until { world.heard.count == 2 }
            session.send(.replay(nil))
            await world.until { world.heard.count == 3 }
            session.send(.replay(1))
            await world.until { world.heard.count == 4 }
            session.send(.replay(99))
            session.send(.replay(1))
            await world.until { world.heard.count == 5 }
        }
        #expect(world.heard == ["clip1", "clip2", "clip2", "clip1", "clip1"])
        #expect(try await world.journal.play(1).plays == 3)
    }

    @Test func `nobody chosen is refused, and so is a second listener`() async throws {
        let world = try LiveWorld()
        await #expect(throws: LiveFailure.nobodyChosen) { try await world.session(accounts: []).run() }
        let session = try world.session()
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            await #expect(throws: LiveFailure.alreadyListening) { try await world.session().run() }
        }
    }

    @Test func `the cache keeps within its bound, and files of nobody are removed`() async throws {
        let world = try LiveWorld()
        world.bytes.withLock { $0 = 10_000 }
        try FileManager.default.createDirectory(atPath: world.folder.path("cache"), withIntermediateDirectories: true)
        for name in ["7777.clip", "7777.part", "x", "../odd"] {
            _ = FileManager.default.createFile(atPath: world.folder.path("cache/\(name)"), contents: Data(count: 10))
        }
        let session = try world.session { rules in
            rules.maximumBytes = ByteCount(Int64(10_000))
            rules.retention.limit = ByteCount(Int64(400_000))
        }
        let most = Mutex(0)
        try await world.run(session) {
            for number in 0..<100 {
                world.post(number)
                await world.until { world.heard.count > number }
                let held = try await world.journal.heldPlays().count
                most.withLock { $0 = max($0, held) }
            }
        }
        #expect(most.withLock { $0 } <= 40)
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path("cache"))
        #expect(names.count <= 40 && names.count > 30)
        #expect(!names.contains("7777.clip") && !names.contains("7777.part") && !names.contains("x"))
    }
}
