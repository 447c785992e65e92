import ChirpAudio
import ChirpCore
import ChirpDevices
import ChirpFiles
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpTestKit
import Foundation
import Glibc
import Synchronization
import Testing

/// Live listening into a real sound server, whose monitor is recorded: what people would hear.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveSoundTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 1)
    /// 100 clips take a minute of real time; the usual run has a fifth of them.
    private static let count = ProcessInfo.processInfo.environment["CHIRP_LONG_TESTS"] == "1" ? 100 : 20

    /// A clip says its number by two tones of 80 ms: tens and units.
    private static func tone(_ digit: Int) -> Signal {
        .sine(format, frequency: 600 + 150 * Double(digit), level: -10, seconds: 0.08)
    }

    private static func clip(_ number: Int) -> Signal { tone(number / 10).followed(by: tone(number % 10)) }

    /// The numbers that were heard, with where each began and ended, in samples.
    private static func decode(_ samples: [Float]) -> [(number: Int, range: Range<Int>)] {
        var found: [(Int, Range<Int>)] = []
        var begin: Int?
        var last = 0
        for index in 0...samples.count {
            if index < samples.count, abs(samples[index]) > 0.01 {
                if begin == nil { begin = index }
                last = index
            } else if let start = begin, index - last > 960 || index == samples.count {
                let middle = (start + last) / 2
                found.append((10 * digit(samples[start..<middle]) + digit(samples[middle..<last]), start..<last + 1))
                begin = nil
            }
        }
        return found
    }

    /// The digit whose tone is strongest (Goertzel).
    private static func digit(_ samples: ArraySlice<Float>) -> Int {
        func power(_ digit: Int) -> Double {
            let step = 2 * cos(2 * .pi * (600 + 150 * Double(digit)) / 48_000)
            var (one, two) = (0.0, 0.0)
            for sample in samples { (one, two) = (Double(sample) + step * one - two, one) }
            return one * one + two * two - step * one * two
        }
        return (0..<10).max { power($0) < power($1) } ?? -1
    }

    private func settings(_ server: SoundServer) -> DeviceSettings {
        var settings = DeviceSettings(server: server.address)
        settings.latency = .milliseconds(500)
        settings.captureBuffer = .seconds(60)
        return settings
    }

    /// The world's ports with clips that are tones and a loudspeaker that is real.
    private func ports(_ world: LiveWorld, _ server: SoundServer, _ seed: TestSeed) -> LivePorts {
        var ports = world.ports()
        let player = LivePlayer(settings: settings(server), chimes: false, patience: .seconds(60))
        ports.uptime = { ContinuousClock.now - Self.start }
        ports.sleep = { try? await Task.sleep(for: $0) }
        ports.fetch = { (clip, path, _) async throws(NetworkError) in
            guard case .hub(let address) = clip,
                let number = Int(address.dropLast(4).split(separator: "/").last?.filter(\.isNumber) ?? "")
            else { throw .unsupported("fetch that") }
            var random = seed.generator(for: address)
            for _ in 0..<Int.random(in: 0..<20_000, using: &random) { await Task.yield() }
            do { try Self.clip(number).writeWav(to: path) } catch {
                throw .inputOutput(path: path, reason: "\(error)")
            }
            return ClipDownloader.Download(bytes: 1000, sha256: nil)
        }
        ports.play = { (clip, path, started, report) async throws(AudioError) in
            try await player.play(clip, at: path, started: started, report: { report(.device($0)) })
        }
        return ports
    }

    private static let start = ContinuousClock.now

    private func session(_ ports: LivePorts, _ world: LiveWorld, pause: Duration) throws -> LiveSession {
        var rules = LiveRules()
        rules.pause = pause
        rules.queue.patience = .seconds(60)
        return LiveSession(
            ports, window: try LiveWindow(.open, now: ports.now(), zone: .gmt),
            accounts: world.networks.map { LiveAccount(network: $0.properties.name, account: LiveWorld.alice) },
            rules: rules)
    }

    /// CH-10 and the pause of UF-5, as it sounds: in order of arrival, none twice, no gap shorter than set.
    @Test func `clips of two networks sound in order of arrival with the pause between them`() async throws {
        let (server, world, seed) = (try SoundServer(), try LiveWorld(), TestSeed())
        let recorder = MonitorRecorder(settings: settings(server), format: Self.format)
        async let recording = recorder.run()
        await world.until { recorder.isRunning }
        let session = try session(ports(world, server, seed), world, pause: .milliseconds(150))
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            for number in 0..<Self.count {
                world.post(number, on: number % 2)
                await world.until { world.detected > number }
            }
            await world.until { world.played == Self.count }
        }
        recorder.stop()
        let heard = Self.decode(try await recording)
        #expect(heard.map(\.number) == Array(0..<Self.count), "\(seed)")
        let gaps = zip(heard, heard.dropFirst()).map { $1.range.lowerBound - $0.range.upperBound }
        #expect(gaps.allSatisfy { $0 >= 7200 - 48 }, "shortest \(gaps.min() ?? 0) frames; \(seed)")
        #expect(heard.allSatisfy { abs($0.range.count - 7680) < 96 }, "\(heard.map(\.range.count))")
    }

    @Test func `a sound server that dies between clips and in one costs nothing`() async throws {
        let (server, world, seed) = (try SoundServer(), try LiveWorld(), TestSeed())
        let restarts = Mutex(0)
        var ports = ports(world, server, seed)
        let report = ports.report
        ports.report = { time, event in
            report(time, event)
            if case .device(.lost) = event {
                restarts.withLock { $0 += 1 }
                try? server.start()
            }
        }
        let session = try session(ports, world, pause: .milliseconds(10))
        try await world.run(session) {
            await world.until { !world.events.isEmpty }
            world.post(1)
            await world.until { world.played == 1 }
            server.kill()
            world.post(2)
            await world.until { world.played == 2 }
            world.post(3)
            await world.until { world.events.count { if case .playing = $0 { true } else { false } } == 3 }
            server.kill()
            world.post(4)
            await world.until { world.played == 4 }
        }
        #expect(restarts.withLock { $0 } >= 1, "\(seed)")
        #expect(world.reasons.isEmpty, "\(seed)")
    }

    @Test func `a chime comes first, and the volume is evened`() async throws {
        let (server, world) = (try SoundServer(), try LiveWorld())
        let recorder = MonitorRecorder(settings: settings(server), format: Self.format)
        async let recording = recorder.run()
        await world.until { recorder.isRunning }
        let path = world.folder.path("soft.wav")
        try Signal.sine(Self.format, frequency: 1000, level: -40, seconds: 1).writeWav(to: path)
        let facts = try ClipFacts(measuring: path, name: "soft", longest: .seconds(10))
        #expect(facts.gain == ClipFacts.mostGain && facts.seconds == 1)
        let ids = try await world.journal.detect(
            [
                .init(
                    postID: "1", part: 0, address: "{}", authorID: "a", handle: "alice", authorName: "Alice", words: "",
                    posted: LiveWorld.start)
            ], on: "one", cursor: nil, now: LiveWorld.start)
        let clip = try await world.journal.update(play: ids[0]) { $0.gainDB = facts.gain.value }
        try await LivePlayer(settings: settings(server)).play(clip, at: path, started: { _ in }, report: { _ in })
        recorder.stop()
        let samples = try await recording
        let first = try #require(samples.firstIndex { abs($0) > 0.005 })
        // The chime, its rest, then the clip, 12 dB louder than it was.
        #expect(samples[first..<first + 9600].contains { abs($0) > 0.09 })
        let clipPart = samples[(first + 21_600)..<(first + 21_600 + 40_000)]
        let peak = Double(clipPart.map(abs).max() ?? 0)
        #expect(abs(20 * log10(peak) + 28) < 0.2, "\(20 * log10(peak)) dBFS")
    }

    @Test(arguments: ["empty", "text", "cut", "long"]) func `what is no clip is refused`(kind: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip")
        switch kind {
        case "empty": _ = FileManager.default.createFile(atPath: path, contents: Data())
        case "text": _ = FileManager.default.createFile(atPath: path, contents: Data("<html>hello</html>".utf8))
        case "long": try Signal.silence(Self.format, seconds: 12).writeWav(to: path)
        default:
            let source = folder.path("source.wav")
            try Signal.speech(Self.format, seconds: 5).writeWav(to: source)
            _ = try ExternalProgram("lame").run(["--quiet", "-b", "64", source, path])
            let whole = try Data(contentsOf: URL(filePath: path))
            _ = try ClipFacts(measuring: path, name: "clip", longest: .seconds(10))
            try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        }
        #expect(throws: AudioError.self) { try ClipFacts(measuring: path, name: "clip", longest: .seconds(10)) }
    }
}

/// Keeps what a monitor hears until it is stopped.
private final class MonitorRecorder: Sendable {
    private let settings: DeviceSettings
    private let format: AudioFormat
    private let control = Mutex<CaptureControl?>(nil)

    init(settings: DeviceSettings, format: AudioFormat) {
        self.settings = settings
        self.format = format
    }

    var isRunning: Bool { control.withLock { $0 != nil } }
    func stop() { control.withLock { $0 }?.stop() }

    func run() async throws -> [Float] {
        try await offPool {
            var reader = try MicrophoneReader(
                device: .named("out.monitor"), format: self.format, settings: self.settings)
            self.control.withLock { $0 = reader.control }
            var block = AudioBlock(format: reader.format, capacity: 4800)
            var samples: [Float] = []
            while try reader.read(into: &block) {
                block.withPlane(0) { plane in for index in plane.indices { samples.append(plane[index]) } }
            }
            return samples
        }
    }
}
