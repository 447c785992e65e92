import ChirpAudio
import ChirpClips
import ChirpCore
import ChirpFiles
import ChirpFleet
import ChirpFlows
import ChirpMP3
import ChirpTestKit
import Foundation
import Glibc
import Testing

/// What members send to a hub, made by workers: a real server, and the built program as worker.
@Suite struct FleetIntakeTests {
    private let home: FleetHome

    init() throws {
        home = try FleetHome()
        try home.record(2)
    }

    private func intake(
        _ servers: NatsServers, hasRoot: Bool = false, patience: Duration = .seconds(120),
        report: @escaping @Sendable (FleetError) -> Void = { _ in }
    ) throws -> FleetIntake {
        try FleetIntake(
            try servers.settings(), roots: hasRoot ? [try FleetRoot("audio=\(home.folder.url.path)")] : [],
            folder: home.folder.path("fleet"), patience: patience, report: report)
    }

    private func order(_ name: String = "take-0.wav", goal: String = "clip.mp3") throws -> FleetIntake.Order {
        let input = home.folder.path("in/\(name)")
        let sha256 = try FileDigest.reading(input).sha256
        return FleetIntake.Order(
            id: "upload-\(name)", input: input, sha256: sha256,
            request: ClipRequest(source: ClipSource(path: input, name: name, sha256: sha256), preset: .voice),
            goal: home.folder.path(goal))
    }

    /// The name by which the queue knows the hub.
    private func batch() throws -> String {
        try String(contentsOfFile: home.folder.path("fleet/queue"), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test(arguments: [true, false])
    func `a worker makes the clip of this machine, through a root or through messages`(hasRoot: Bool) async throws {
        let servers = try NatsServers()
        let queue = try servers.queue()
        var request = try order().request
        request.jobs = 1
        _ = try FleetWorker.inProcess(Transcoding(request: request, keepsTags: false), home.folder.path("local.mp3"))
        let worker = try await home.worker(
            servers, "--root", "audio=\(home.folder.url.path)")
        let intake = try intake(servers, hasRoot: hasRoot)
        let receipt = try #require(try await intake.make(order()))
        let clip = try FileDigest.reading(home.folder.path("clip.mp3"))
        #expect(clip.sha256 == receipt.clip?.sha256 && clip.bytes == receipt.clip?.bytes)
        #expect(clip.sha256 == (try FileDigest.reading(home.folder.path("local.mp3")).sha256))
        // Nothing is left of it.
        await until { (try? queue.waiting(in: batch()).isEmpty) == true }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path("fleet/.chirp-fleet")).isEmpty)
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
    }

    @Test func `what was asked for before a death is taken by the next process, and made once`() async throws {
        let servers = try NatsServers()
        let queue = try servers.queue()
        let order = try order()
        let first = try intake(servers)
        let asking = Task { try await first.make(order) }
        await until { (try? queue.waiting(in: batch()).count) == 1 }
        asking.cancel()
        await #expect(throws: AudioError.cancelled) { try await asking.value }
        #expect(try queue.waiting(in: batch()).count == 1)

        let worker = try await home.worker(servers)
        await until { (try? queue.waiting(in: batch()).isEmpty) == true }
        let next = try intake(servers)
        let receipt = try #require(try await next.make(order))
        #expect(try FileDigest.reading(order.goal).sha256 == receipt.clip?.sha256)
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
        #expect(try #require(worker.lines.last)["made"] as? Int == 1)
    }

    @Test func `several at once get each its own`() async throws {
        let servers = try NatsServers()
        _ = try servers.queue()
        let worker = try await home.worker(servers)
        let intake = try intake(servers)
        let orders = [try order("take-0.wav", goal: "0.mp3"), try order("take-1.wav", goal: "1.mp3")]
        let receipts = try await withThrowingTaskGroup(of: (Int, Receipt?).self) { group in
            for (number, order) in orders.enumerated() { group.addTask { (number, try await intake.make(order)) } }
            return try await group.reduce(into: [Int: Receipt]()) { $0[$1.0] = $1.1 }
        }
        for (number, order) in orders.enumerated() {
            let digest = try FileDigest.reading(order.goal).sha256
            #expect(
                receipts[number]?.input.name == order.request.source.name && receipts[number]?.clip?.sha256 == digest)
        }
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
    }

    @Test func `what is no sound is refused for its own reason`() async throws {
        let servers = try NatsServers()
        _ = try servers.queue()
        try Data("no sound at all".utf8).write(to: URL(filePath: home.folder.path("in/broken.wav")))
        let worker = try await home.worker(servers)
        let intake = try intake(servers)
        let order = try order("broken.wav")
        await #expect(throws: AudioError.self) { try await intake.make(order) }
        #expect(!FileManager.default.fileExists(atPath: order.goal))
        worker.send(SIGTERM)
        #expect(await worker.end() == 0)
    }

    @Test func `without a worker, or without a server, the fleet says that it cannot`() async throws {
        let servers = try NatsServers()
        let queue = try servers.queue()
        let patient = try intake(servers, patience: .milliseconds(500))
        #expect(try await patient.make(order()) == nil)
        #expect(try queue.waiting(in: batch()).isEmpty)

        let reasons = Mutexed<[FleetError]>([])
        var nowhere = FleetSettings(servers: try FleetServers("nats://127.0.0.1:1"))
        nowhere.patience = .seconds(1)
        let lost = try FleetIntake(
            nowhere, roots: [], folder: home.folder.path("lost"),
            report: { error in
                reasons.change { $0.append(error) }
            })
        #expect(try await lost.make(order()) == nil)
        // The servers are left alone for a while.
        #expect(try await lost.make(order()) == nil)
        #expect(reasons.value.count == 1)
    }
}
