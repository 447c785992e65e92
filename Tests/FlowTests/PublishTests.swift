import ChirpClips
import ChirpCore
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Foundation
import Testing

// W-4, W-5, CH-5, CH-7.
@Suite struct PublishTests {
    @Test func `a recording becomes one public clip and one post`() async throws {
        let world = try World()
        let receipt = try await world.publish(world.request())
        #expect(try await world.violations() == [])
        let object = try #require(world.store.objects.first)
        #expect(receipt.store?.id == object.key.text)
        #expect(receipt.store?.link == "https://clips.example/\(object.key)")
        #expect(receipt.shareText == "Good morning #Chirp\nhttps://clips.example/\(object.key)")
        #expect(receipt.network?.postID == world.network.posts.first?.id.text)
        #expect(receipt.clip?.bytes == receipt.clip?.predictedBytes)
        #expect(receipt.clip?.path == nil)
        #expect(receipt.notes.isEmpty)
        #expect(world.network.posts.first?.text == receipt.shareText)
        #expect(object.value.payload.title == "A take")
    }

    @Test func `the room is asked for before anything is made or sent`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        guard let id = world.store.objects.keys.first else { return }
        #expect(world.store.operations == [.quota, .reserve, .save(id), .share(id)])
        let steps = world.events.compactMap { event -> FlowEvent.Step? in
            guard case .started(let step) = event else { return nil }
            return step
        }
        #expect(steps == [.analyse, .admit, .render, .upload, .share, .post])
    }

    @Test func `one byte too little is refused with both numbers, and nothing is encoded or sent`() async throws {
        let world = try World(limit: World.clipBytes - 1)
        let failure = await world.failure(try world.request(), world.ports())
        #expect(failure == .store(.full(needed: ByteCount(1000), free: ByteCount(999))))
        #expect(failure?.exitCode == .noRoom)
        #expect(failure?.whatHappened.contains("1000 bytes") == true && failure?.whatHappened.contains("999") == true)
        #expect(world.store.operations == [.quota])
        #expect(world.renders == 0)
        #expect(try world.waiting() == [])
        #expect(try await world.rows().map(\.state) == [.failedForGood])
    }

    @Test func `exactly enough room is enough`() async throws {
        let world = try World(limit: World.clipBytes)
        _ = try await world.publish(world.request())
        #expect(try await world.violations() == [])
    }

    @Test func `the same recording with the same settings is answered with the first link`() async throws {
        let world = try World()
        let first = try await world.publish(world.request())
        let second = try await world.publish(world.request())
        #expect(second.store == first.store)
        #expect(second.shareText == first.shareText)
        #expect(second.notes.map(\.code) == ["already-published"])
        #expect(world.renders == 1)
        #expect(try await world.violations() == [])
    }

    @Test func `published anew it has another link`() async throws {
        let world = try World()
        var request = try world.request()
        let first = try await world.publish(request)
        request.again = true
        let second = try await world.publish(request)
        #expect(first.store?.link != second.store?.link)
        #expect(try await world.violations(posts: 2) == [])
    }

    @Test func `other words, titles, lifetimes or presets are another publication`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        var changed: [PublishRequest] = []
        for change in [
            { (request: inout PublishRequest) in request.words = "Good night" }, { $0.title = "Another" },
            { $0.lifetime = .seconds(60) }, { $0.clip.preset = .tiny }, { $0.clip.policy.trims = false },
            { $0.clip.policy.normalises = false }, { $0.clip.maximumBytes = ByteCount(5000) },
        ] {
            var request = try world.request()
            change(&request)
            changed.append(request)
        }
        for request in changed { _ = try await world.publish(request) }
        #expect(try await world.violations(posts: 1 + changed.count) == [])
    }

    @Test func `threads, and where the recording lies, do not matter`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        var request = try world.request()
        request.clip.jobs = 8
        request.clip.source.path = world.folder.path("moved.wav")
        let receipt = try await world.publish(request)
        #expect(receipt.notes.map(\.code) == ["already-published"])
    }

    @Test func `an expired publication is made anew`() async throws {
        let world = try World()
        var request = try world.request()
        request.lifetime = .seconds(60)
        _ = try await world.publish(request)
        #expect(world.store.objects.values.first?.payload.expires == world.now.addingTimeInterval(60))
        world.wait(60)
        let receipt = try await world.publish(request)
        #expect(receipt.notes.isEmpty)
        #expect(world.store.objects.count == 2)
    }

    @Test func `a dry run tells what would be and does nothing`() async throws {
        let world = try World(limit: 5000)
        let receipt = try await PublishFlow(world.ports()).preview(
            world.request(), store: world.store, network: world.network)
        #expect(receipt.shareText?.hasPrefix("Good morning #Chirp\nhttps://") == true)
        #expect(receipt.store?.freeBytesBefore == 5000)
        #expect(receipt.notes.map(\.code) == ["dry-run"])
        #expect(world.store.operations == [.quota])
        #expect(world.network.attempts == 0)
        #expect(world.renders == 0)
        #expect(try await world.rows().isEmpty)
    }

    @Test func `a dry run refuses what would be refused`() async throws {
        let world = try World(limit: 999)
        await #expect(throws: PublishFailure.store(.full(needed: ByteCount(1000), free: ByteCount(999)))) {
            _ = try await PublishFlow(world.ports()).preview(
                world.request(), store: world.store, network: world.network)
        }
    }

    @Test func `without a network the text is written and nothing is posted`() async throws {
        let world = try World()
        let receipt = try await world.publish(world.request(), world.ports(network: NoNetwork()))
        #expect(receipt.shareText?.split(separator: "\n").last.map(String.init) == receipt.store?.link)
        #expect(receipt.network?.name == "none" && receipt.network?.postID == nil)
        #expect(try await world.rows().map(\.state) == [.done])
    }

    @Test func `what came through a pipe is gone when it is published`() async throws {
        let world = try World()
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("piped".utf8))
        try pipe.fileHandleForWriting.close()
        let taken = try world.outbox.take(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(taken.isSpooled)
        var request = try world.request()
        request.clip.source = taken.source
        request.inputIsSpooled = taken.isSpooled
        #expect(try world.waiting().count == 1)
        _ = try await world.publish(request)
        #expect(try await world.violations() == [])
        // And again: the second copy goes at once, since the first publication answers.
        try FileManager.default.copyItem(atPath: world.recording, toPath: world.outbox.path + "/second.input")
        request.clip.source.path = world.outbox.path + "/second.input"
        #expect(try await world.publish(request).notes.map(\.code) == ["already-published"])
        #expect(try world.waiting() == [])
    }

    @Test func `a finished row keeps no path of the user's`() async throws {
        let world = try World()
        _ = try await world.publish(world.request())
        let row = try #require(try await world.rows().first)
        #expect(row.inputPath.isEmpty && row.order.isEmpty && row.session == nil && row.clipPath == nil)
        #expect(FileManager.default.fileExists(atPath: world.recording))
    }
}
