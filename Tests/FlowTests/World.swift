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
import Synchronization

/// Everything a publishing flow touches, on this machine and in memory, with a clock that stands until it is moved.
final class World: Sendable {
    /// The size of every clip that the fake audio path makes.
    static let clipBytes = 1000

    let folder: TemporaryFolder
    let journal: Journal
    let outbox: OutboxFolder
    let store: MemoryStore
    let network: MemoryNetwork
    private let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    private let counts = Mutex((plans: 0, renders: 0))
    private let told = Mutex<[FlowEvent]>([])

    init(limit: Int? = nil) throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.path("state/journal.sqlite"))
        outbox = OutboxFolder(path: folder.path("state/outbox"))
        store = MemoryStore(limit: limit.map { ByteCount($0) })
        network = MemoryNetwork()
        try Data("a recording".utf8).write(to: URL(filePath: recording))
    }

    var recording: String { folder.path("take.wav") }
    var plans: Int { counts.withLock { $0.plans } }
    var renders: Int { counts.withLock { $0.renders } }
    var events: [FlowEvent] { told.withLock { $0 } }
    var now: Date { clock.withLock { $0 } }
    func wait(_ seconds: Double) { clock.withLock { $0 += seconds } }

    /// What lies in the outbox folder.
    func waiting() throws -> [String] {
        guard FileManager.default.fileExists(atPath: outbox.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: outbox.path).sorted()
    }

    /// Ports over this world.
    /// - Parameters:
    ///   - store: in place of the world's own.
    ///   - network: in place of the world's own.
    func ports(
        store: (any Store)? = nil, network: (any Network)? = nil,
        fault: @escaping @Sendable (FaultPoint) -> Bool = { _ in false }
    ) -> FlowPorts {
        let chosenStore = store ?? self.store
        let chosenNetwork = network ?? self.network
        var ports = FlowPorts(
            plan: { [self] (request, progress) async throws(AudioError) in try plan(request, progress) },
            store: { (_, _) async throws(StoreError) in chosenStore },
            network: { (_, _) async throws(NetworkError) in chosenNetwork },
            journal: journal, outbox: outbox)
        ports.now = { [self] in now }
        ports.uptime = { .zero }
        ports.jitter = { 0.5 }
        ports.report = { [self] event in told.withLock { $0.append(event) } }
        ports.fault = fault
        return ports
    }

    /// A request for the recording.
    func request() throws -> PublishRequest {
        let taken = try outbox.take(path: recording, name: "take.wav")
        return PublishRequest(
            clip: ClipRequest(source: taken.source, preset: .voice), title: "A take", words: "Good morning")
    }

    /// Publishes with some ports.
    func publish(_ request: PublishRequest, _ ports: FlowPorts? = nil) async throws -> Receipt {
        let ports = ports ?? self.ports()
        return try await PublishFlow(ports).run(
            request, store: try await ports.store("", ""), network: try await ports.network("", ""))
    }

    /// What publishing fails with; nil when it succeeds.
    func failure(_ request: PublishRequest, _ ports: FlowPorts) async -> PublishFailure? {
        do { _ = try await publish(request, ports) } catch { return error as? PublishFailure }
        return nil
    }

    /// All rows, whatever their state.
    func rows() async throws -> [PublicationRecord] {
        try await journal.publications(in: PublicationState.allCases)
    }

    /// Kept promises only: one shared object, one post with its link, nothing waiting, a closed row.
    func violations(posts: Int = 1) async throws -> [String] {
        var wrong: [String] = []
        let objects = store.objects
        if objects.count != posts || !objects.values.allSatisfy(\.isShared) { wrong.append("objects: \(objects.keys)") }
        if network.posts.count != posts { wrong.append("\(network.posts.count) posts") }
        let links = Set(objects.keys.map { "https://clips.example/\($0)" })
        if Set(network.posts.flatMap(\.links)) != links { wrong.append("posts do not link the objects") }
        let waiting = try waiting()
        if waiting != [] { wrong.append("waiting: \(waiting)") }
        let states = try await rows().map(\.state)
        if states != Array(repeating: .done, count: posts) { wrong.append("states: \(states)") }
        return wrong
    }

    /// The fake audio path: the clip is the recording's bytes over and over, so that equal input makes equal clips.
    private func plan(
        _ request: ClipRequest, _ progress: @escaping ClipMaker.Progress
    ) throws(AudioError) -> ClipMaker {
        counts.withLock { $0.plans += 1 }
        guard let source = FileManager.default.contents(atPath: request.source.path), !source.isEmpty else {
            throw .missing(path: request.source.path, reason: "not there")
        }
        progress(ClipProgress(step: .analyse, fraction: 1))
        let content = Data((0..<Self.clipBytes).map { source[$0 % source.count] })
        let input = Receipt.Input(
            name: request.source.name, sha256: request.source.sha256, seconds: 1, sampleRate: 48000, channels: 1,
            format: "WAV PCM 16")
        let preview = Receipt(
            input: input, trim: Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: false),
            level: Receipt.Level(method: .none, gainDB: 0, limitedDB: 0))
        return ClipMaker(predictedBytes: ByteCount(Self.clipBytes), preview: preview) {
            [self] (path, progress) async throws(AudioError) in
            counts.withLock { $0.renders += 1 }
            progress(ClipProgress(step: .render, fraction: 1))
            let digest: String
            do {
                try content.write(to: URL(filePath: path), options: .atomic)
                digest = try FileDigest.reading(path).sha256
            } catch {
                throw .inputOutput(path: path, reason: "\(error)")
            }
            var receipt = preview
            receipt.clip = Receipt.Clip(
                path: path, bytes: Int64(Self.clipBytes), predictedBytes: Int64(Self.clipBytes), sha256: digest,
                seconds: 1,
                frames: 48000, sampleRate: 48000, channels: 1, bitrateKbps: 64, preset: "voice")
            return receipt
        }
    }
}
