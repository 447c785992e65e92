import ArgumentParser
import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpMP3
import ChirpNetworks
import ChirpOwnHub
import ChirpStores
import Foundation
import Synchronization

/// Times what lies between a post and its first sample, and between the end of a recording and its link, on a hub, a journal
/// and a cache of its own.
struct LatencyBench: Sendable {
    /// Its settings name folders that are empty and its own.
    let session: Session
    let clips: Int
    /// Seconds of the recordings for stop-to-clip and stop-to-link.
    let lengths: [Int]
    let rounds: Int

    /// When the stages of the clip under way were reached, by one clock.
    private struct Times {
        var appears = Duration.zero
        var detected = Duration.zero
        var fetched = Duration.zero
        var playing = Duration.zero
    }

    /// - Parameter progress: how much is done, 0...1.
    func run(progress: @escaping @Sendable (Double) -> Void) async throws -> [LatencyRow] {
        let total = Double(clips + lengths.reduce(0, +) / 5 * rounds)
        let listening = try await listening { progress(Double($0) / total) }
        return try await listening + stopping { progress((Double(clips) + Double($0) / 5) / total) }
    }

    // MARK: Listening

    /// Posts clips of half a second, one after the other, each when the one before has been heard.
    private func listening(progress: @escaping @Sendable (Int) -> Void) async throws -> [LatencyRow] {
        let wiring = Wiring(session: session)
        let stem = "\(session.paths.temporary)/clip"
        try BenchSignal.write(seconds: 1, to: "\(stem).wav")
        var request = ClipRequest(source: ClipSource(path: "\(stem).wav", name: "bench", sha256: ""), preset: .voice)
        request.policy.maximumLength = .milliseconds(500)
        let clip = try await offPool { [request] () throws(AudioError) in
            try make(try prepare(request) { _ in }, to: .file("\(stem).mp3")) { _ in }
        }
        guard let made = clip.clip else { return [] }

        var ports = try wiring.livePorts()
        let times = Mutex(Times())
        let (heard, hears) = AsyncStream.makeStream(of: Bool.self)
        let uptime = ports.uptime
        ports.report = { time, event in
            switch event {
            case .started: hears.yield(true)
            case .detected: times.withLock { $0.detected = time }
            case .fetched: times.withLock { $0.fetched = time }
            case .playing: times.withLock { $0.playing = time }
            case .played: hears.yield(true)
            case .skipped: hears.yield(false)
            default: break
            }
        }
        var rules = wiring.liveRules
        rules.pause = .zero
        let me = try await wiring.ownHubNetwork().followed().map { LiveAccount(network: "hub", account: $0) }
        let live = LiveSession(
            ports, window: try LiveWindow(.open, now: Date(), zone: .current), accounts: me, rules: rules)
        async let listening: Void = live.run()
        defer { live.send(.stop) }
        var all: [Times] = []
        let (store, network) = (try wiring.ownHubStore(), try wiring.ownHubNetwork())
        var signals = heard.makeAsyncIterator()
        _ = await signals.next()
        // The first one opens everything.
        for number in 0...clips {
            let payload = Payload(path: "\(stem).mp3", bytes: made.bytes, sha256: made.sha256, name: "bench.mp3")
            let id = try await store.reserve()
            _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
            let link = try await store.share(id)
            let begin = uptime()
            times.withLock { $0 = Times(appears: begin) }
            let draft = Draft(key: Draft.Key("bench \(number)"), text: "bench #Chirp \(link)", link: link)
            _ = try await network.publish(draft)
            guard await signals.next() == true else { break }
            if number > 0 { all.append(times.withLock { $0 }) }
            progress(number)
        }
        live.send(.stop)
        try await listening
        return [
            LatencyRow("post appears to detected", all.map { $0.detected - $0.appears }),
            LatencyRow("detected to fetched and measured", all.map { $0.fetched - $0.detected }),
            LatencyRow("fetched to first sample written", all.map { $0.playing - $0.fetched }),
            LatencyRow("post appears to first sample written", all.map { $0.playing - $0.appears }),
        ]
    }

    // MARK: Recording

    private func stopping(progress: @escaping @Sendable (Int) -> Void) async throws -> [LatencyRow] {
        var rows: [LatencyRow] = []
        var done = 0
        for seconds in lengths {
            var (toClip, hashing, storing, toLink): ([Duration], [Duration], [Duration], [Duration]) = ([], [], [], [])
            for round in 0..<rounds {
                let take = "\(session.paths.temporary)/take-\(seconds)-\(round).wav"
                try BenchSignal.write(seconds: seconds, to: take)
                let clock = ContinuousClock()
                let recorded = try await offPool { () throws(AudioError) in try stopped(take, round, clock) }
                toClip.append(.seconds(recorded.seconds))
                // As a run of its own, which opens its library and its journal.
                let job = Publishing(
                    input: take, clip: .none, words: "round \(round)", again: true,
                    recorded: recorded.clip, wiring: Wiring(session: session),
                    report: FlowReport(console: session.console, view: ProgressView(steps: [], style: .none)))
                let begin = clock.now
                let receipt = try await job.receipt()
                toLink.append(.seconds(recorded.seconds) + (clock.now - begin))
                hashing.append(.seconds(receipt.timings.read ?? 0))
                storing.append(.seconds(receipt.timings.upload ?? 0))
                done += seconds
                progress(done)
            }
            rows.append(LatencyRow("stop to clip, \(seconds) s", toClip))
            rows.append(LatencyRow("hashing the take, \(seconds) s", hashing))
            rows.append(LatencyRow("clip into the hub, \(seconds) s", storing))
            rows.append(LatencyRow("stop to link, \(seconds) s", toLink))
        }
        return rows
    }

    /// Encodes a recording as `record` does, and times what comes after its last sample.
    private func stopped(
        _ take: String, _ round: Int, _ clock: ContinuousClock
    ) throws(AudioError) -> (clip: RecordedClip?, seconds: Double) {
        var file = try AudioFile(opening: take, name: "bench")
        var live = try IncrementalClip(
            recordingFormat: file.format, preset: .voice, target: IncrementalTarget(path: "\(take).mp3"),
            spoolFolder: session.paths.temporary)
        var block = AudioBlock(format: file.format, capacity: 882)
        while try file.read(into: &block) { try live.write(block) }
        // A recording takes its time; this one came at once.
        live.waitForStaging()
        let begin = clock.now
        let outcome = try live.finish(name: "bench")
        if case .made(let made) = outcome {
            let seconds = (clock.now - begin) / .seconds(1)
            return (RecordedClip(made: made, path: "\(take).mp3", seconds: seconds), seconds)
        }
        // The long way, as `record` goes it then.
        let request = ClipRequest(source: ClipSource(path: take, name: "bench", sha256: ""), preset: .voice)
        _ = try make(try prepare(request) { _ in }, to: .file("\(take).mp3")) { _ in }
        return (nil, (clock.now - begin) / .seconds(1))
    }
}
