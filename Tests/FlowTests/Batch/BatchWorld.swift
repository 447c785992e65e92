import ChirpAudio
import ChirpClips
import ChirpFiles
import ChirpFlows
import ChirpJournal
import ChirpTestKit
import Foundation
import Glibc
import Synchronization

/// A tree of recordings, a journal, and an audio path that copies instead of encoding.
final class BatchWorld: Sendable {
    let folder: TemporaryFolder
    let journal: Journal
    private let told = Mutex<[BatchEvent]>([])
    private let makings = Mutex<[String]>([])
    /// What happens when a clip of this name is made, before anything else.
    private let surprises = Mutex<[String: @Sendable () throws(AudioError) -> Void]>([:])

    init() throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.path("state/journal.sqlite"))
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    }

    var source: String { folder.path("in") }
    var target: String { folder.path("out") }

    /// Names of the recordings in the order in which clips of them were made.
    var made: [String] { makings.withLock { $0 } }

    /// What was told about files since it was last asked for.
    func results() -> [BatchResult] {
        told.withLock { told in
            defer { told = [] }
            return told.compactMap { if case .file(let result) = $0 { result } else { nil } }
        }
    }

    func surprise(_ name: String, _ body: @escaping @Sendable () throws(AudioError) -> Void) {
        surprises.withLock { $0[name] = body }
    }

    /// Writes a recording; those of different lengths differ in content.
    func record(_ name: String, seconds: Double = 0.05) throws {
        let path = "\(source)/\(name)"
        try makeFolder(of: path)
        try Signal.sine(AudioFormat(sampleRate: 8000, channels: 1), frequency: 440, level: -10, seconds: seconds)
            .writeWav(to: path)
    }

    func write(_ text: String, to name: String) throws {
        let path = folder.path(name)
        try makeFolder(of: path)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func makeFolder(of path: String) throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Everything below the folder of the clips, hidden names included.
    func clips() -> [String] {
        (FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String } ?? []).filter { name in
            var facts = stat()
            return lstat("\(target)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT != S_IFDIR
        }.sorted()
    }

    func run(
        keepsTags: Bool = false, failsFast: Bool = false, isDryRun: Bool = false, target: String? = nil, jobs: Int = 2,
        ports: BatchPorts? = nil, _ change: (inout ClipRequest) -> Void = { _ in }
    ) async throws -> BatchSummary {
        var clip = ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice)
        clip.jobs = jobs
        change(&clip)
        return try await BatchFlow(ports ?? self.ports).run(
            BatchRequest(
                source: source, target: target ?? self.target, clip: clip, keepsTags: keepsTags, failsFast: failsFast,
                isDryRun: isDryRun))
    }

    /// Runs until the task is cancelled.
    func watch(settling: Duration, now: (@Sendable () -> Int64)? = nil) async throws {
        var clip = ClipRequest(source: ClipSource(path: "", name: "", sha256: ""), preset: .voice)
        clip.jobs = 2
        var ports = self.ports
        if let now { ports.now = now }
        try await BatchFlow(ports).watch(BatchRequest(source: source, target: target, clip: clip), settling: settling)
    }

    /// How often all was made that was there, when watching.
    var passes: Int { told.withLock { $0.count { $0 == .watching } } }

    var ports: BatchPorts {
        var ports = BatchPorts(
            make: { [self] (request, path, progress) throws(AudioError) in try make(request, path, progress) },
            journal: journal)
        ports.report = { [self] event in
            told.withLock { $0.append(event) }
            return true
        }
        return ports
    }

    /// What the run fails with; nil when it succeeds.
    func failure(target: String? = nil) async -> BatchFailure? {
        do { _ = try await run(target: target) } catch { return error as? BatchFailure }
        return nil
    }

    private func make(
        _ request: ClipRequest, _ path: String, _ progress: @Sendable (ClipProgress) -> Void
    ) throws(AudioError) -> BatchClip {
        makings.withLock { $0.append(request.source.name) }
        if let surprise = surprises.withLock({ $0[request.source.name] }) { try surprise() }
        guard let content = FileManager.default.contents(atPath: request.source.path) else {
            throw .missing(path: request.source.path, reason: "not there")
        }
        progress(ClipProgress(step: .render, fraction: 0.5))
        let seconds = Double(content.count - 44) / 16000
        let cap = request.policy.maximumLength.map { $0 / .seconds(1) } ?? .infinity
        guard FileManager.default.createFile(atPath: path, contents: content) else {
            throw .uncreatable(path: path, reason: "not there")
        }
        var receipt = Receipt(
            input: Receipt.Input(
                name: request.source.name, sha256: request.source.sha256, seconds: seconds, sampleRate: 8000,
                channels: 1,
                format: "WAV PCM 16"),
            trim: Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: seconds > cap),
            level: Receipt.Level(method: .none, gainDB: 0, limitedDB: 0))
        receipt.clip = Receipt.Clip(
            path: path, bytes: Int64(content.count), predictedBytes: Int64(content.count),
            sha256: request.source.sha256,
            seconds: min(seconds, cap), frames: 1, sampleRate: 8000, channels: 1, bitrateKbps: 64, preset: "voice")
        return BatchClip(receipt: receipt, unlimitedBytes: Int64(content.count))
    }
}
