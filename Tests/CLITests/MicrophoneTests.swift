import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpTestKit
import Foundation
import Glibc
import Testing

/// `record`, `takes` and `devices` against a real sound server, whose monitor is the microphone.
// A daemon that is kept from the processor drops sound: one at a time.
@Suite(.serialized, .timeLimit(.minutes(3)), .tags(.hearing)) struct MicrophoneTests {
    private let home: Household
    private let server: SoundServer

    init() throws {
        home = try Household()
        server = try SoundServer()
    }

    private var environment: [String: String] { ["PULSE_SERVER": server.address] }

    /// Plays into the sink; returns when the last sample was heard.
    private func play(_ path: String) async throws {
        var settings = DeviceSettings(server: server.address)
        settings.latency = .milliseconds(500)
        let usual = settings
        try await offPool { _ = try playClip(try AudioFile(opening: path, name: "source"), settings: usual) }
    }

    private func hasBegun(_ running: Running) -> Bool {
        running.errorsSoFar.contains("Recording from") || running.outputSoFar.contains("Recording from")
    }

    private func takes() async throws -> [[String: Any]] {
        try await home.run("takes", "--json").json()["takes"] as? [[String: Any]] ?? []
    }

    /// What must be shown: played into the monitor, recorded, published; the clip is the one of the file itself.
    @Test func `what is played into the monitor and published is the clip of the file`() async throws {
        // With silence around it, of which the same is kept in both.
        let source = Signal.speech(
            AudioFormat(sampleRate: 48_000, channels: 1), seconds: 5, head: 0.5, tail: 0.5, seed: 11)
        try source.writeWav(to: home.path("source.wav"), bits: 32)
        let running = try home.start(
            ["record", "--publish", "-v", "--device", "out.monitor", "--stop-on-silence", "1500ms"],
            environment: environment)
        await eventually { hasBegun(running) }
        try await play(home.path("source.wav"))
        let outcome = try await running.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("The clip was made beside the recording"))
        #expect(outcome.lines.last?.hasPrefix("http://127.0.0.1:4747/c/") == true)
        let media = home.files(in: "data/chirp/hub/media")
        #expect(media.count == 1)
        let encoded = try await home.run("encode", "source.wav", "-o", "direct.mp3")
        #expect(encoded.status == 0, "\(encoded.errors)")

        let heard = try Self.samples(home.work + "/../data/chirp/hub/media/\(media[0])")
        let direct = try Self.samples(home.path("direct.mp3"))
        let match = Alignment(direct, heard, within: 4800)
        #expect(abs(heard.count - direct.count) <= 960, "\(heard.count - direct.count) frames")
        // Each half second alone, at the one lag of the whole: a dropout would shift what follows.
        #expect(match.segments(of: 24_000).allSatisfy { $0 > 0.98 }, "\(match.segments(of: 24_000))")
        #expect(try await takes().isEmpty)
    }

    /// Peaks that a change of gain would lift above the ceiling: the other way, through the take.
    @Test func `a recording that needs limiting becomes its clip afterwards`() async throws {
        var source = Signal.speech(AudioFormat(sampleRate: 48_000, channels: 1), seconds: 4, head: 0.3, tail: 0.3)
            .amplified(by: -12)
        for index in 90_000..<90_080 { source.planes[0][index] = index % 40 < 20 ? 0.9 : -0.9 }
        try source.writeWav(to: home.path("source.wav"), bits: 32)
        let running = try home.start(
            ["record", "--publish", "-v", "--json", "--device", "out.monitor", "--stop-on-silence", "1500ms"],
            environment: environment)
        await eventually { hasBegun(running) }
        try await play(home.path("source.wav"))
        let outcome = try await running.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("The clip is made from the take"), "\(outcome.errors)")
        let level = try #require(try outcome.json()["level"] as? [String: Any])
        #expect((level["limitedDB"] as? Double ?? 0) > 1)
        #expect((level["truePeakDBTP"] as? Double ?? 0) <= -1)
        #expect(try await takes().isEmpty)
    }

    @Test func `Enter stops a recording, and the take can be published and deleted`() async throws {
        let pipe = home.path("keys")
        #expect(mkfifo(pipe, 0o600) == 0)
        let keys = open(pipe, O_RDWR)
        defer { close(keys) }
        let running = try home.startOnTerminal("record --device out.monitor", input: pipe, environment: environment)
        await eventually { running.outputSoFar.contains("dBFS") }
        #expect(running.outputSoFar.contains("Enter or space stops it."))
        #expect(write(keys, "\n", 1) == 1)
        let outcome = try await running.outcome()
        #expect(outcome.status == 0, "\(outcome.text)")
        let take = try #require(try await takes().first)
        #expect((take["seconds"] as? Double ?? 0) > 0)

        // Declining keeps it.
        let asked = try home.startOnTerminal("takes delete last", input: pipe)
        await eventually { asked.outputSoFar.contains("[y/N]") }
        #expect(write(keys, "n\n", 2) == 2)
        #expect(try await asked.outcome().text.contains("Kept"))
        #expect(try await takes().count == 1)
        let unasked = try await home.run("takes", "delete", "last")
        #expect(unasked.status == 64)
        let deleted = try await home.run("takes", "delete", "last", "--yes", "--json")
        #expect(try deleted.json()["deleted"] as? [String] == [take["id"] as? String ?? ""])
        #expect(try await takes().isEmpty)
        #expect(try await home.run("takes", "delete", "last", "--yes").status == 64)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the recording, keeps what was taken, publishes nothing and exits with 130`(
        signal: Int32
    ) async throws {
        let running = try home.start(["record", "--publish", "--device", "out.monitor"], environment: environment)
        await eventually { hasBegun(running) && !home.files(in: "data").isEmpty }
        try await play(BuiltProgram.sample(Self.shortSample))
        running.send(signal)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.output.isEmpty && outcome.errors.contains("chirp takes publish"))
        #expect(try await takes().count == 1)
        #expect(home.files(in: "data/chirp/hub").isEmpty)
    }

    @Test func `a signal finishes the clip of -o`() async throws {
        let running = try home.start(
            ["record", "-o", "clip.mp3", "--device", "out.monitor"], environment: environment)
        await eventually { hasBegun(running) }
        try await play(BuiltProgram.sample(Self.shortSample))
        running.send(SIGINT)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(try Self.samples(home.path("clip.mp3")).count > 10_000)
        #expect(try await takes().isEmpty)
    }

    @Test func `a take is whole after kill -9`() async throws {
        let running = try home.start(["record", "--device", "out.monitor"], environment: environment)
        await eventually { hasBegun(running) }
        try await play(BuiltProgram.sample(Self.shortSample))
        running.send(SIGKILL)
        #expect(try await running.outcome().signal == SIGKILL)
        let take = try #require(try await takes().first)
        #expect((take["seconds"] as? Double ?? 0) > 1)
        let published = try await home.run("takes", "publish", "last", "--json")
        #expect(published.status == 0, "\(published.errors)")
        #expect(try await takes().isEmpty)
        let all = try await home.run("takes", "list", "--all", "--json").json()["takes"] as? [[String: Any]]
        #expect((all?.first?["link"] as? String)?.contains("/c/") == true)
    }

    @Test func `a take can be heard`() async throws {
        let running = try home.start(
            ["record", "--device", "out.monitor", "--max-length", "1s", "--json"], environment: environment)
        let recorded = try await running.outcome().json()
        #expect(recorded["ended"] as? String == "length")
        #expect((recorded["take"] as? [String: Any])?["seconds"] as? Double == 1)
        let played = try await home.run("takes", "play", "last", "--json", environment: environment)
        #expect(played.status == 0, "\(played.errors)")
        #expect(try played.json()["heard"] as? Double == 1)
    }

    @Test func `devices are listed, and what is missing is explained`() async throws {
        let devices = try await home.run("devices", "--json", environment: environment).json()
        let names = (devices["devices"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(Set(names ?? []) == ["out", "out.monitor"])
        let nobody = try await home.run(
            "record", environment: ["PULSE_SERVER": "unix:/nonexistent", "PULSE_RUNTIME_PATH": home.work])
        #expect(nobody.status == 69 && nobody.errors.contains("pulseaudio --start"), "\(nobody.errors)")
        let unknown = try await home.run("record", "--device", "tin can", environment: environment)
        #expect(unknown.status == 66 && unknown.errors.contains("out.monitor"), "\(unknown.errors)")
        #expect(try await takes().isEmpty)
    }

    @Test func `the doctor says which microphone and loudspeaker there are, and the cure when there is none`()
        async throws
    {
        func findings(_ more: [String: String]) async throws -> [String: [String: Any]] {
            let outcome = try await home.run("doctor", "--json", environment: environment.merging(more) { $1 })
            let checks = try outcome.json()["checks"] as? [[String: Any]] ?? []
            return Dictionary(
                checks.map { ($0["check"] as? String ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        }
        var found = try await findings([:])
        #expect((found["sound"]?["text"] as? String)?.contains("pulseaudio") == true)
        #expect(found["loudspeaker"]?["level"] as? String == "ok")
        #expect((found["loudspeaker"]?["text"] as? String)?.contains("(out), 48000 Hz, 2 channels") == true)
        // A monitor hears what is played here: no real microphone, unless it was asked for.
        #expect(found["microphone"]?["level"] as? String == "note")
        found = try await findings(["CHIRP_RECORD_DEVICE": "out.monitor"])
        #expect(found["microphone"]?["level"] as? String == "ok")
        try server.control("suspend-sink", "out", "1")
        found = try await findings(["CHIRP_LIVE_DEVICE": "tin can"])
        #expect(found["loudspeaker"]?["level"] as? String == "problem")
        #expect((found["loudspeaker"]?["cure"] as? String)?.contains("out") == true)
        found = try await findings([:])
        #expect((found["loudspeaker"]?["cure"] as? String)?.contains("suspend-sink out 0") == true)
        found = try await findings(["PULSE_SERVER": "unix:/nonexistent"])
        #expect(found["sound"]?["level"] as? String == "note" && found["microphone"] == nil)
        #expect((found["sound"]?["cure"] as? String)?.contains("pulseaudio --start") == true)
    }

    private static let shortSample = "clean.wav"

    /// A file as mono samples.
    private static func samples(_ path: String) throws -> [Float] {
        var file = try AudioFile(opening: path, name: "clip")
        var block = AudioBlock(format: file.format)
        var samples: [Float] = []
        while try file.read(into: &block) {
            block.withPlane(0) { plane in for index in plane.indices { samples.append(plane[index]) } }
        }
        return samples
    }
}

/// Where one recording lies in another, by normalised cross-correlation.
private struct Alignment {
    private let a: [Float]
    private let b: [Float]
    /// `a[n]` is heard at `b[n + lag]`.
    let lag: Int

    init(_ a: [Float], _ b: [Float], within limit: Int) {
        self.a = a
        self.b = b
        let coarse = Self.best(stride(from: -limit, through: limit, by: 2)) { Self.correlation(a, b, $0, step: 5) }
        lag = Self.best(stride(from: coarse - 3, through: coarse + 3, by: 1)) { Self.correlation(a, b, $0, step: 1) }
    }

    /// The correlation of each whole segment that is not silent.
    func segments(of length: Int) -> [Double] {
        stride(from: 0, to: a.count - length, by: length).compactMap { begin in
            let energy = a[begin..<begin + length].reduce(0) { $0 + Double($1 * $1) } / Double(length)
            guard energy > 1e-6 else { return nil }
            return Self.correlation(a, b, lag, step: 1, in: begin..<begin + length)
        }
    }

    private static func best(_ lags: some Sequence<Int>, _ value: (Int) -> Double) -> Int {
        lags.map { ($0, value($0)) }.max { $0.1 < $1.1 }?.0 ?? 0
    }

    private static func correlation(
        _ a: [Float], _ b: [Float], _ lag: Int, step: Int, in range: Range<Int>? = nil
    ) -> Double {
        let range = range ?? 0..<a.count
        var (product, left, right) = (0.0, 1e-12, 1e-12)
        var index = max(range.lowerBound, -lag)
        let end = min(range.upperBound, b.count - lag)
        while index < end {
            let (x, y) = (Double(a[index]), Double(b[index + lag]))
            product += x * y
            left += x * x
            right += y * y
            index += step
        }
        return product / (left * right).squareRoot()
    }
}
