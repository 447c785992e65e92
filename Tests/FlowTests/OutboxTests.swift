import ChirpClips
import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Foundation
import Synchronization
import Testing

@Suite struct OutboxTests {
    @Test func `a finished publication is not in the outbox and cannot be dropped`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        let outbox = Outbox(world.ports())
        #expect(try await outbox.list().isEmpty)
        let id = try #require(try await world.rows().first?.id)
        #expect(try await outbox.drop(id).state == .done)
        #expect(try await world.violations() == [])
    }

    @Test func `resuming one by a beginning of its id`() async throws {
        let world = try World()
        let plan = FaultPlan(.stored)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        let outbox = Outbox(world.ports())
        let row = try #require(try await outbox.list().first)
        let outcome = try await outbox.resume(String(row.id.prefix(4)))
        #expect(outcome.id == row.id && outcome.name == "take.wav")
        #expect(try outcome.result.get()?.store?.link.isEmpty == false)
        await #expect(throws: PublishFailure.journal(.unknownPublication("nope"))) {
            _ = try await outbox.resume("nope")
        }
    }

    /// As the builds before `--no-verify` wrote it.
    private static let oldRequest = """
        {"jobs":2,"policy":{"ceiling":{"value":-1},"fade":[0,30000000000000000],"maximumLength":[7,10872791484033138688],\
        "normalises":true,"postRoll":[0,150000000000000000],"preRoll":[0,100000000000000000],"target":{"value":-16},\
        "trims":true},"preset":"voice","settings":{"quality":4,"rate":{"constant":{"kbps":64}}},\
        "source":{"name":"take.wav","path":"/tmp/take.wav","sha256":""},"tag":{"chapters":[]}}
        """

    @Test(arguments: [
        oldRequest, #"{"preset":"voice","source":{"name":"take.wav","path":"/tmp/take.wav","sha256":""}}"#,
    ])
    func `a request of an earlier build is carried out`(text: String) async throws {
        let request = try JSONDecoder().decode(ClipRequest.self, from: Data(text.utf8))
        #expect(request.verifies && request.settings == Preset.voice.settings)
        let world = try World()
        let plan = FaultPlan(.begun)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        let id = try #require(try await world.rows().first?.id)
        _ = try await world.journal.update(id, now: world.now) { $0.order = text }
        _ = try await Outbox(world.ports()).resume(id).result.get()
        #expect(try await world.violations() == [])
    }

    @Test func `the same request is the same text in every build`() throws {
        let request = try JSONDecoder().decode(ClipRequest.self, from: Data(Self.oldRequest.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(request), as: UTF8.self) == Self.oldRequest)
        var quick = request
        quick.verifies = false
        #expect(try JSONDecoder().decode(ClipRequest.self, from: encoder.encode(quick)) == quick)
    }

    @Test func `one that fails does not stop the next`() async throws {
        let world = try World()
        for words in ["one", "two"] {
            let plan = FaultPlan(.idReserved)
            var request = try world.request()
            request.words = words
            _ = await world.failure(request, world.ports { plan.isDue(at: $0) })
        }
        let store = ScriptedStore(world.store, [.beforeSave: [.unreachable("reset")]])
        let outcomes = try await Outbox(world.ports(store: store)).resumeAll()
        #expect(outcomes.map { (try? $0.result.get()) != nil } == [false, true])
        #expect(try await Outbox(world.ports()).list().count == 1)
    }

    // MARK: two deaths and it is out

    /// As if the process died there.
    private func die(_ world: World, at point: FaultPoint) async throws {
        let plan = FaultPlan(point)
        _ = try await Outbox(world.ports { plan.isDue(at: $0) }).resumeDue()
    }

    @Test func `a publication that processes have died of twice waits for a person`() async throws {
        let world = try World()
        let first = FaultPlan(.prepared)
        _ = await world.failure(try world.request(), world.ports { first.isDue(at: $0) })
        try await die(world, at: .saved)
        // Counted when somebody looks, or goes on.
        let row = try #require(try await Outbox(world.ports()).list().first)
        #expect(row.isSetAside && row.deaths == 2 && !row.isInHand)
        #expect(row.lastError?.contains("twice") == true)
        #expect(try await Outbox(world.ports()).resumeDue().isEmpty)
        let outcome = try await Outbox(world.ports()).resume(row.id)
        #expect(throws: Never.self) { try outcome.result.get() }
        #expect(try await world.violations() == [])
        #expect(try await world.rows().first?.deaths == 0)
    }

    @Test func `a background that finds the second death itself leaves it, and says so once`() async throws {
        let world = try World()
        let first = FaultPlan(.prepared)
        _ = await world.failure(try world.request(), world.ports { first.isDue(at: $0) })
        try await die(world, at: .idReserved)
        let outcomes = try await Outbox(world.ports()).resumeDue()
        let id = try #require(try await world.rows().first?.id)
        #expect(outcomes.count == 1)
        #expect(throws: PublishFailure.setAside(id: id)) { try outcomes.first?.result.get() }
        #expect(try await Outbox(world.ports()).resumeDue().isEmpty)
        // Publishing it again is a person's wish too.
        _ = try await world.publish(world.request())
        #expect(try await world.violations() == [])
    }

    @Test func `a failure and an interruption are no deaths`() async throws {
        let world = try World()
        let failures = (1...4).map { StoreError.unreachable("reset \($0)") } + [.cancelled, .cancelled]
        let store = ScriptedStore(world.store, [.share: failures])
        _ = await world.failure(try world.request(), world.ports(store: store))
        for _ in 0..<5 {
            world.wait(7200)
            _ = try await Outbox(world.ports(store: store)).resumeDue()
            let row = try #require(try await world.rows().first)
            #expect(row.deaths == 0 && !row.isInHand)
        }
        world.wait(7200)
        _ = try await Outbox(world.ports(store: store)).resumeDue()
        #expect(try await world.violations() == [])
    }

    @Test func `going on with everything comes to what is set aside last`() async throws {
        let world = try World()
        for words in ["one", "two"] {
            let plan = FaultPlan(.idReserved)
            var request = try world.request()
            request.words = words
            _ = await world.failure(request, world.ports { plan.isDue(at: $0) })
            world.wait(1)
        }
        let ids = try await Outbox(world.ports()).list().map(\.id)
        _ = try await world.journal.update(ids[0], now: world.now) { $0.deaths = 2 }
        let outcomes = try await Outbox(world.ports()).resumeAll()
        #expect(outcomes.map(\.id) == [ids[1], ids[0]])
        #expect(try await world.rows().map(\.state) == [.done, .done])
    }

    @Test func `dropping when a post may have been sent says so`() async throws {
        let world = try World()
        let network = ScriptedNetwork(world.network, after: [.unreachable("reset")])
        _ = await world.failure(try world.request(), world.ports(network: network))
        let id = try #require(try await world.rows().first?.id)
        #expect(try await Outbox(world.ports()).drop(id).state == .dropped)
        #expect(world.store.objects.isEmpty)
        let notes = world.events.compactMap { event -> String? in
            guard case .note(let note) = event else { return nil }
            return note.code
        }
        #expect(notes == ["post-unknown"])
    }

    @Test func `what has expired is removed here, in the store and on the network, once`() async throws {
        let world = try World()
        var request = try world.request()
        request.lifetime = .seconds(60)
        _ = try await world.publish(request)
        request.words = "stays"
        request.lifetime = nil
        _ = try await world.publish(request)
        let sweep = Sweep(world.ports()) { (_) async throws(StoreError) in ["only-there"] }
        #expect(try await sweep.run().expired.isEmpty)
        world.wait(60)
        let report = try await sweep.run()
        #expect(report.expired.count == 1 && report.failed.isEmpty)
        #expect(report.storeOnly == ["only-there"])
        #expect(world.store.objects.count == 1 && world.network.posts.count == 1)
        #expect(world.network.posts.first?.text.hasPrefix("stays") == true)
        #expect(Set(try await world.rows().map(\.state)) == [.expired, .done])
        #expect(try await sweep.run().expired.isEmpty)
    }

    @Test func `a sweep that fails for now goes on later`() async throws {
        let world = try World()
        var request = try world.request()
        request.lifetime = .seconds(60)
        _ = try await world.publish(request)
        world.wait(60)
        let store = ScriptedStore(world.store, [.remove: [.busy(retryAfter: .seconds(90))]])
        let report = try await Sweep(world.ports(store: store)).run()
        #expect(report.failed.map(\.failure) == [.store(.busy(retryAfter: .seconds(90)))])
        #expect(try await world.rows().first?.nextAttempt == world.now.addingTimeInterval(90))
        #expect(try await Outbox(world.ports()).resumeDue().isEmpty)
        world.wait(90)
        _ = try await Outbox(world.ports()).resumeDue()
        #expect(world.store.objects.isEmpty)
        #expect(try await world.rows().map(\.state) == [.expired])
    }

    @Test func `files that nobody knows are swept when they are old, the others stay`() async throws {
        let world = try World()
        let plan = FaultPlan(.prepared)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        let mine = try world.waiting()
        for name in ["lost.mp3", "chirp-input-abc", ".chirp-tmp-x"] {
            try Data("x".utf8).write(to: URL(filePath: "\(world.outbox.path)/\(name)"))
        }
        // The files are written now, the flow's clock decides how old they are.
        world.wait(Date().timeIntervalSince(world.now))
        #expect(try await Sweep(world.ports()).run().strays == 0)
        world.wait(2 * 86_400)
        #expect(try await Sweep(world.ports()).run().strays == 3)
        #expect(try world.waiting() == mine)
    }

    @Test func `the runner resumes what is due, with back-off, until it is cancelled`() async throws {
        let world = try World()
        let failures = (1...3).map { StoreError.unreachable("reset \($0)") }
        let store = ScriptedStore(world.store, [.share: failures])
        _ = await world.failure(try world.request(), world.ports(store: store))
        let waits = Mutex(0)
        let runner = OutboxRunner(world.ports(store: store), interval: .seconds(15)) { duration in
            world.wait(duration / .seconds(1))
            if waits.withLock({
                $0 += 1; return $0
            }) == 20 {
                throw CancellationError()
            }
        }
        await runner.run()
        #expect(try await world.violations() == [])
        #expect(try await world.rows().first?.attempts == 3)
        let skipped = world.events.filter { if case .skipped = $0 { true } else { false } }
        #expect(skipped.count == 2)  // the first failure was the publisher's own
    }

    /// Everything a person can stop: before the row is there, and between any two steps.
    @Test(arguments: [nil, .begun, .prepared, .uploading, .shared, .posting] as [FaultPoint?])
    func `what a person has stopped waits for a person`(point: FaultPoint?) async throws {
        let world = try World()
        let stop = PublicationStop()
        var ports = world.ports { passed in
            if passed == point { stop.wish(now: world.now) }
            return false
        }
        ports.stop = stop
        if point == nil { stop.wish(now: world.now) }
        #expect(await world.failure(try world.request(), ports) == .store(.cancelled))
        let row = try #require(try await world.rows().first)
        #expect(row.stopped == world.now && row.state.isOpen)
        #expect(stop.inHand == [row.id])

        world.wait(7 * 86_400)
        let outbox = Outbox(world.ports())
        #expect(try await outbox.resumeDue().isEmpty)
        #expect(world.network.posts.isEmpty)
        // One that looked before the signal came, and is next to have the lease.
        await #expect(throws: PublishFailure.stopped(id: row.id)) {
            _ = try await PublishFlow(world.ports()).resume(row.id, .background)
        }
        _ = try await outbox.resume(row.id).result.get()
        #expect(try await world.violations() == [])
        #expect(try await world.rows().first?.stopped == nil)
    }

    @Test func `publishing the recording again goes on with what was stopped`() async throws {
        let world = try World()
        let stop = PublicationStop()
        var ports = world.ports { passed in
            if passed == .stored { stop.wish(now: world.now) }
            return false
        }
        ports.stop = stop
        _ = await world.failure(try world.request(), ports)
        _ = try await world.publish(try world.request())
        #expect(try await world.violations() == [])
    }

    @Test func `what was stopped can be dropped, and the runner finishes that`() async throws {
        let world = try World()
        let stop = PublicationStop()
        var ports = world.ports { passed in
            if passed == .stored { stop.wish(now: world.now) }
            return false
        }
        ports.stop = stop
        _ = await world.failure(try world.request(), ports)
        let id = try #require(try await world.rows().first?.id)
        let store = ScriptedStore(world.store, [.remove: [.unreachable("reset")]])
        await #expect(throws: PublishFailure.store(.unreachable("reset"))) {
            _ = try await Outbox(world.ports(store: store)).drop(id)
        }
        world.wait(86_400)
        _ = try await Outbox(world.ports()).resumeDue()
        #expect(try await world.rows().map(\.state) == [.dropped])
        #expect(world.store.objects.isEmpty)
    }
}
