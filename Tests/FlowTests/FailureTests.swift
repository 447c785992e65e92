import ChirpAudio
import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Foundation
import Testing

@Suite struct FailureTests {
    @Test(arguments: [
        ScriptedStore.Point.quota, .reserve, .beforeSave, .afterSave, .share,
    ])
    func `a store that is away for now is tried again from the outbox`(point: ScriptedStore.Point) async throws {
        let world = try World()
        let store = ScriptedStore(world.store, [point: [.unreachable("reset")]])
        let failure = await world.failure(try world.request(), world.ports(store: store))
        #expect(failure == .store(.unreachable("reset")))
        #expect(failure?.exitCode == .temporary)
        let row = try #require(try await world.rows().first)
        #expect(row.state.isOpen && row.attempts == 1 && row.lastError?.contains("reset") == true)
        #expect(row.nextAttempt == world.now.addingTimeInterval(15))  // half of 30 s, by the jitter
        _ = try await Outbox(world.ports(store: store)).resumeAll()
        #expect(try await world.violations() == [])
    }

    @Test func `a post whose answer was lost is one post`() async throws {
        let world = try World()
        let network = ScriptedNetwork(world.network, after: [.unreachable("reset")])
        let failure = await world.failure(try world.request(), world.ports(network: network))
        #expect(failure?.exitCode == .temporary)
        _ = try await Outbox(world.ports(network: network)).resumeAll()
        #expect(try await world.violations() == [])
        #expect(world.network.attempts == 2)
    }

    @Test(arguments: [
        NetworkError.refused(status: 422, detail: "no"), .forbidden("no"), .overBudget("no"), .unsupported("post"),
    ])
    func `a network that refuses for good leaves nothing public`(error: NetworkError) async throws {
        let world = try World()
        let network = ScriptedNetwork(world.network, before: [error])
        #expect(await world.failure(try world.request(), world.ports(network: network)) == .network(error))
        #expect(world.store.objects.isEmpty)
        #expect(try world.waiting() == [])
        let row = try #require(try await world.rows().first)
        #expect(row.state == .failedForGood && row.lastError != nil)
        #expect(try await Outbox(world.ports()).list().isEmpty)
    }

    @Test(arguments: [
        ScriptedStore.Point.beforeSave, .afterSave, .share,
    ])
    func `a store that fills up meanwhile is told and cleaned`(point: ScriptedStore.Point) async throws {
        let world = try World()
        let full = StoreError.full(needed: ByteCount(1000), free: ByteCount(1))
        let store = ScriptedStore(world.store, [point: [full]])
        #expect(await world.failure(try world.request(), world.ports(store: store)) == .store(full))
        #expect(world.store.objects.isEmpty)
        #expect(try await world.rows().map(\.state) == [.failedForGood])
    }

    @Test func `a sign-in that is missing keeps the publication`() async throws {
        let world = try World()
        let network = ScriptedNetwork(world.network, before: [.signedOut(network: "x")])
        let failure = await world.failure(try world.request(), world.ports(network: network))
        #expect(failure?.exitCode == .signInNeeded)
        _ = try await Outbox(world.ports()).resumeAll()
        #expect(try await world.violations() == [])
    }

    @Test func `a clean-up that fails for now is finished later`() async throws {
        let world = try World()
        let store = ScriptedStore(world.store, [.remove: [.unreachable("reset")]])
        let network = ScriptedNetwork(world.network, before: [.forbidden("no")])
        #expect(
            await world.failure(try world.request(), world.ports(store: store, network: network))
                == .network(.forbidden("no")))
        #expect(try await world.rows().map(\.state) == [.withdrawing])
        #expect(world.store.objects.count == 1)
        let outcomes = try await Outbox(world.ports(store: store)).resumeAll()
        #expect(outcomes.count == 1)
        #expect(world.store.objects.isEmpty)
        #expect(try await world.rows().map(\.state) == [.failedForGood])
    }

    @Test func `a recording that is gone before its clip was made ends with the reason`() async throws {
        let world = try World()
        let plan = FaultPlan(.admitted)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        try FileManager.default.removeItem(atPath: world.recording)
        let outcome = try #require(try await Outbox(world.ports()).resumeAll().first)
        let failure = #expect(throws: PublishFailure.self) { _ = try outcome.result.get() }
        #expect(failure == .recordingGone(name: "take.wav", reason: "it is not there any more"))
        #expect(failure?.exitCode == .missingInput)
        #expect(try await world.rows().map(\.state) == [.failedForGood])
    }

    @Test func `a recording that has changed since is not published by a resumption`() async throws {
        let world = try World()
        let plan = FaultPlan(.begun)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        try Data("something else".utf8).write(to: URL(filePath: world.recording))
        let outcome = try #require(try await Outbox(world.ports()).resumeAll().first)
        #expect(throws: PublishFailure.recordingGone(name: "take.wav", reason: "it has changed since")) {
            _ = try outcome.result.get()
        }
    }

    @Test func `a recording that moved is taken from where it is now`() async throws {
        let world = try World()
        let plan = FaultPlan(.admitted)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        try FileManager.default.moveItem(atPath: world.recording, toPath: world.folder.path("moved.wav"))
        let taken = try world.outbox.take(path: world.folder.path("moved.wav"), name: "moved.wav")
        var request = PublishRequest(
            clip: .init(source: taken.source, preset: .voice), title: "A take", words: "Good morning")
        request.clip.jobs = 2
        _ = try await world.publish(request)
        #expect(try await world.violations() == [])
    }

    @Test func `once the clip is made the recording is not needed`() async throws {
        let world = try World()
        let plan = FaultPlan(.prepared)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        try FileManager.default.removeItem(atPath: world.recording)
        _ = try await Outbox(world.ports()).resumeAll()
        #expect(try await world.violations() == [])
        #expect(world.renders == 1)
    }

    @Test func `a damaged clip in the outbox is made again`() async throws {
        let world = try World()
        let plan = FaultPlan(.idReserved)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        let clip = try #require(try await world.rows().first?.clipPath)
        try Data("damaged".utf8).write(to: URL(filePath: clip))
        _ = try await Outbox(world.ports()).resumeAll()
        #expect(try await world.violations() == [])
        #expect(world.renders == 2)
    }

    @Test func `an interruption keeps what was begun`() async throws {
        let world = try World()
        let request = try world.request()
        let task = Task {
            await untilCancelled()
            return await world.failure(request, world.ports())
        }
        task.cancel()
        let failure = await task.value
        #expect(failure?.exitCode == .interrupted)
        #expect(try await world.rows().map(\.state) == [.begun])
        _ = try await Outbox(world.ports()).resumeAll()
        #expect(try await world.violations() == [])
    }

    @Test func `input that is no audio fails for good and leaves nothing`() async throws {
        let world = try World()
        let request = try world.request()
        try FileManager.default.removeItem(atPath: world.recording)
        let failure = await world.failure(request, world.ports())
        #expect(failure == .audio(.missing(path: world.recording, reason: "not there")))
        #expect(try await world.rows().map(\.state) == [.failedForGood])
        #expect(try world.waiting() == [])
    }

    @Test func `two flows with one wish make one clip`() async throws {
        for _ in 0..<10 {
            let world = try World()
            let request = try world.request()
            let failures = await withTaskGroup(of: PublishFailure?.self) { group in
                for _ in 0..<6 { group.addTask { await world.failure(request, world.ports()) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for failure in failures.compactMap({ $0 }) {
                guard case .inProgress = failure else {
                    Issue.record("\(failure)")
                    continue
                }
            }
            #expect(try await world.violations() == [])
        }
    }

    @Test func `two resumptions of one row do the work once`() async throws {
        let world = try World()
        let plan = FaultPlan(.begun)
        _ = await world.failure(try world.request(), world.ports { plan.isDue(at: $0) })
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try? await Outbox(world.ports()).resumeAll() } }
        }
        #expect(try await world.violations() == [])
        #expect(world.renders == 1)
    }
}
