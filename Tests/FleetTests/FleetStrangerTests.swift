import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpFleet
import ChirpFlows
import ChirpJournal
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

// W-8: what a stranger on the queue can do to a batch. All against a real server.
@Suite struct FleetStrangerTests {
    private let servers: NatsServers
    private let home: FleetHome

    init() throws {
        servers = try NatsServers()
        home = try FleetHome()
    }

    private var target: String { home.folder.url.resolvingSymlinksInPath().appending(path: "out").path }

    /// - Parameter hasRoot: clips travel as drafts; otherwise in messages.
    private func start(hasRoot: Bool = false) throws -> Task<BatchSummary, any Error> {
        let journal = try Journal(path: home.folder.path("state/journal.sqlite"))
        let roots = hasRoot ? [try FleetRoot("audio=\(home.folder.url.path)")] : []
        let flow = BatchFlow(FleetBatch(try servers.settings(), roots: roots).ports(BatchPorts(journal: journal)))
        let order = BatchRequest(
            source: home.folder.path("in"), target: home.folder.path("out"),
            clip: ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice))
        return Task { try await flow.run(order) }
    }

    private func digest(_ bytes: Data) throws -> String {
        let path = home.folder.path("tmp/\(UUID().uuidString)")
        try bytes.write(to: URL(filePath: path))
        return try hashFile(path).sha256
    }

    /// A result with nothing wrong in it.
    private func made(_ job: FleetJob, clip: Data, sha256: String? = nil, draft: String? = nil) throws -> FleetResult {
        var receipt = Receipt(
            input: Receipt.Input(
                name: job.name, sha256: job.sha256, seconds: 0.3, sampleRate: 16000, channels: 1, format: "WAV PCM 16"),
            trim: Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: false),
            level: Receipt.Level(method: .none, gainDB: 0, limitedDB: 0))
        receipt.clip = Receipt.Clip(
            bytes: Int64(clip.count), predictedBytes: Int64(clip.count), sha256: try sha256 ?? digest(clip),
            seconds: 0.3, frames: 12, sampleRate: 16000, channels: 1, bitrateKbps: 64, preset: "voice")
        return FleetResult(
            id: job.id, batch: job.batch, worker: "stranger000", delivery: 1,
            outcome: .made(
                FleetResult.Made(
                    receipt: receipt, unlimitedBytes: nil, hasTags: false, draft: draft, clip: draft == nil ? clip : nil
                )))
    }

    /// Answers so many jobs in the place of a worker.
    private func answer(
        _ count: Int, _ result: @escaping @Sendable (FleetJob, Int) throws -> FleetResult
    ) async throws {
        let servers = servers
        try await offPool {
            let queue = try servers.queue()
            var inbox = try JobInbox(queue)
            for number in 0..<count {
                let arrival = try #require(try inbox.next(within: .seconds(300)))
                try queue.finish(arrival.ticket, result(try #require(arrival.job), number))
            }
        }
    }

    @Test func `numbers that cannot be do not end the batch`() async throws {
        try home.record(9)
        let running = try start()
        try await answer(9) { job, number in
            var result = try made(job, clip: Data("clip".utf8))
            guard case .made(var made) = result.outcome else { return result }
            switch number {
            case 0: result.delivery = .min
            case 1, 2: result.delivery = .max
            case 3: made.receipt.clip?.bytes = .min
            case 4: made.unlimitedBytes = -1
            case 5: made.receipt.input.seconds = 1e300
            case 6: made.receipt.clip?.frames = .max
            case 7: made.receipt.timings.total = -1
            default: made.receipt.input.channels = .min
            }
            result.outcome = .made(made)
            return result
        }
        let summary = try await running.value
        #expect(summary.made == 0)
        #expect(summary.failures.count == 9)
        #expect(summary.failures.allSatisfy { $0.reason.contains("its worker's result is none") })
        #expect(summary.fleet?.redelivered == 0)
    }

    @Test func `a clip in a message is checked before it is written, and goes through no link`() async throws {
        try home.record(2)
        let victim = home.folder.path("victim")
        try Data("precious".utf8).write(to: URL(filePath: victim))
        let running = try start()
        try await answer(2) { job, number in
            // Whoever may write beside the clips lays links where the batch might write.
            for folder in [".chirp-fleet", ".chirp-batch"] {
                for name in ["\(job.id).inline.mp3", "0.received.mp3"] {
                    symlink(victim, "\(target)/\(folder)/\(name)")
                }
            }
            let sha256 = number == 0 ? String(repeating: "a", count: 64) : nil
            return try made(job, clip: Data("clip \(number)".utf8), sha256: sha256)
        }
        let summary = try await running.value
        #expect((summary.made, summary.failures.count) == (1, 1))
        #expect(FileManager.default.contents(atPath: victim) == Data("precious".utf8))
        #expect(home.clips("out").values.filter { $0 == Data("clip 1".utf8) }.count == 1)
        #expect(!home.clips("out").values.contains(Data("clip 0".utf8)))
    }

    @Test func `a draft that is a link is none: it is asked for again`() async throws {
        try home.record(1)
        let secret = Data("secret".utf8)
        try secret.write(to: URL(filePath: home.folder.path("secret")))
        let running = try start(hasRoot: true)
        try await answer(1) { job, _ in
            let draft = "\(job.id).stranger000.1.mp3"
            symlink(home.folder.path("secret"), "\(target)/.chirp-fleet/\(draft)")
            return try made(job, clip: secret, draft: draft)
        }
        let clip = Data("a clip".utf8)
        try await answer(1) { job, _ in
            let draft = "\(job.id).worker0000.1.mp3"
            try clip.write(to: URL(filePath: "\(target)/.chirp-fleet/\(draft)"))
            return try made(job, clip: clip, draft: draft)
        }
        let summary = try await running.value
        #expect(summary.made == 1)
        #expect(summary.fleet?.republished == 1)
        #expect(home.clips("out") == ["take-0.mp3": clip])
    }

    @Test func `forged confirmations are for no message`() {
        for first in [0, 1, 3000] {
            for forged in ["\(Int.min)", "-1", "x", "", "\(Int.max)0"] {
                #expect(PublishWindow.index("_INBOX.abc.\(forged)", from: first) == nil)
            }
            #expect(PublishWindow.index("_INBOX.abc.\(first + 7)", from: first) == 7)
            #expect(PublishWindow.index("_INBOX.abc.\(Int.max)", from: first) == .max - first)
        }
    }

    @Test func `a password goes to other machines only encrypted, unless it is said otherwise`() throws {
        let path = home.folder.path("credentials")
        try Data("ann:s3cret\n".utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        for (text, elsewhere) in [
            ("nats://queue.invalid", "nats://queue.invalid"),
            ("nats://127.0.0.1:1,nats://192.0.2.1:1", "nats://192.0.2.1:1"),
            ("nats://127.example:1", "nats://127.example:1"), ("nats://[::2]:1", "nats://[::2]:1"),
        ] {
            let settings = FleetSettings(servers: try FleetServers(text), credentials: path)
            let error = #expect(throws: FleetError.self) { try JobQueue(settings) }
            #expect(error == .clearPassword(server: elsewhere))
            #expect(error?.cure == .set(.fleetEncryption))
            #expect(error?.exitCode == .badConfiguration)
        }
        for text in ["nats://127.0.0.1:1", "nats://localhost:1", "nats://[::1]:1", "tls://queue.invalid:1"] {
            let settings = FleetSettings(servers: try FleetServers(text), credentials: path)
            let error = #expect(throws: FleetError.self) { try JobQueue(settings) }
            #expect(error?.exitCode == .temporary, "\(text): \(error?.description ?? "")")
        }
        var settings = FleetSettings(servers: try FleetServers("nats://queue.invalid"), credentials: path)
        settings.allowsClearPassword = true
        #expect(throws: FleetError.self) { try JobQueue(settings) }
        do throws(FleetError) { _ = try JobQueue(settings) } catch { #expect(error.exitCode == .temporary) }
    }
}
