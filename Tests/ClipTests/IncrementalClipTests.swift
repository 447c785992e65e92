import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpCore
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-2, W-3: clips that are encoded while they are recorded.
struct IncrementalClipTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)
    private static let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    struct Case: Sendable, CustomTestStringConvertible {
        var format: AudioFormat
        var preset: Preset
        var settings: MP3Settings?
        var testDescription: String { "\(preset) \(format) \(settings.map { "\($0.rate)" } ?? "")" }
    }

    private static let cases = [
        Case(format: mono, preset: .voice), Case(format: stereo, preset: .music), Case(format: stereo, preset: .voice),
        Case(format: AudioFormat(sampleRate: 22050, channels: 1), preset: .tiny),
        Case(format: AudioFormat(sampleRate: 48000, channels: 1), preset: .tiny),
        Case(format: mono, preset: .voice, settings: MP3Settings(rate: .variable(quality: 4))),
        Case(format: AudioFormat(sampleRate: 44100, channels: 2), preset: .music),
    ]

    /// A chord that swells and never needs limiting.
    private static func music(_ format: AudioFormat, seconds: Double) -> Signal {
        let tones = [(220.0, 0.0), (277.2, 40), (329.6, 80), (880, 10)]
        var music = tones.reduce(Signal.silence(format, seconds: seconds)) {
            $0 + .sine(format, frequency: $1.0, level: -22, seconds: seconds, phase: $1.1)
        }
        for channel in music.planes.indices {
            for index in 0..<music.frames {
                let time = Float(index) / Float(format.sampleRate)
                music.planes[channel][index] *= 0.65 - 0.35 * cosf(2 * .pi * 0.8 * time)
            }
        }
        return music + .noise(format, level: -60, seconds: seconds)
    }

    private func live(
        _ signal: Signal, _ one: Case, policy: EditPolicy = EditPolicy(), blocks: Int = 1000, to path: String,
        tag: ID3Tag = ID3Tag(title: "t"), mostStagedBytes: Int = 1 << 30
    ) throws -> IncrementalOutcome {
        var clip = try IncrementalClip(
            recordingFormat: signal.format, preset: one.preset, settings: one.settings, policy: policy,
            target: IncrementalTarget(path: path, tag: tag, mostStagedBytes: mostStagedBytes))
        try signal.forEachBlock(of: blocks) { (block) throws(AudioError) in try clip.write(block) }
        return try clip.finish(name: "take")
    }

    private func made(_ outcome: IncrementalOutcome) throws -> IncrementalOutcome.Made {
        guard case .made(let made) = outcome else { throw Failure(words: "\(outcome)") }
        return made
    }

    struct Failure: Error {
        let words: String
    }

    /// What ffmpeg's meter says: integrated loudness (mono as on two channels) and true peak.
    private func ebur128(_ path: String) throws -> (loudness: Double, peak: Double) {
        let result = try ExternalProgram("ffmpeg").run(
            ["-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true:dualmono=true", "-f", "null", "-"])
        let summary = result.errors.components(separatedBy: "Summary:").last ?? ""
        func value(_ label: String) -> Double {
            let line = summary.split(separator: "\n").first { $0.contains(label) } ?? ""
            return Double(line.split(separator: " ").dropLast().last ?? "") ?? .nan
        }
        return (value(" I: "), value(" Peak: "))
    }

    /// Frames that three decoders give, and no complaint.
    private func checkLengths(_ path: String, frames: Int, channels: Int) throws {
        let ffmpeg = try ExternalProgram("ffmpeg").run(["-v", "error", "-i", path, "-f", "s16le", "-"])
        #expect(ffmpeg.errors == "" && ffmpeg.output.count == frames * 2 * channels, "ffmpeg \(ffmpeg.errors)")
        let mpg123 = try ExternalProgram("mpg123").run(["-q", "-s", path])
        #expect(mpg123.errors == "" && mpg123.output.count == frames * 2 * channels, "mpg123 \(mpg123.errors)")
        let raw = path + ".raw"
        let libsndfile = try ExternalProgram("sndfile-convert").run(["-pcm16", path, raw])
        #expect(libsndfile.status == 0)
        #expect(try Data(contentsOf: URL(filePath: raw)).count == frames * 2 * channels, "\(libsndfile.text)")
        // It wants some frames to be sure.
        guard frames > 10_000 else { return }
        let checker = try ExternalProgram("mp3val").run([path])
        #expect(!checker.text.contains("WARNING") && !checker.text.contains("ERROR"), "\(checker.text)")
    }

    @Test(arguments: cases, [-29.0, -15, 0])
    func `loudness, true peak and length are right and three decoders agree`(one: Case, level: Double) throws {
        let folder = try TemporaryFolder()
        for (name, signal) in [
            ("speech", Signal.speech(one.format, seconds: 8, head: 1.3, tail: 0.9).amplified(by: level - 5)),
            ("music", Self.music(one.format, seconds: 7.5).amplified(by: level)),
        ] {
            let path = folder.path("\(name).mp3")
            let outcome = try live(signal, one, to: path)
            if case .needsRendering(.limiting) = outcome { continue }
            let made = try made(outcome)
            let measured = try ebur128(path)
            #expect(abs(measured.loudness + 16) <= 0.3, "\(name): \(measured)")
            #expect(measured.peak <= -1, "\(name): \(measured)")
            #expect(abs(try #require(made.level.afterLUFS) - measured.loudness) <= 0.1)
            let error = try #require(made.level.truePeakDBTP) - measured.peak
            #expect(abs(error) <= 0.3, "\(name): \(made.level) \(measured)")
            try checkLengths(path, frames: made.clip.frames, channels: made.clip.channels)
            #expect(made.clip.bytes == made.clip.predictedBytes || one.settings != nil || made.trim.headSeconds > 0)
        }
    }

    @Test func `trimming is that of a clip that is made afterwards`() throws {
        let workplace = try Workplace()
        for (head, tail) in [(0.0, 0.0), (0.7, 1.1), (4.2, 3), (31, 12)] {
            for noise in [-90.0, -60] {
                let seconds = 6 + head + tail
                let signal =
                    Signal.speech(Self.mono, seconds: 6, head: head, tail: tail).amplified(by: -12)
                    + .noise(Self.mono, level: noise, seconds: seconds)
                let path = "\(workplace.path)/live.mp3"
                let made = try made(live(signal, Self.cases[0], to: path))
                let prepared = try prepare(
                    ClipRequest(source: try workplace.source(signal, bits: 32), preset: .voice)
                ) { _ in }
                // Up to 25 ms more at the start, where the bit reservoir asks for it.
                let more = made.clip.frames - prepared.frames
                #expect((0...1100).contains(more))
                let rate = Double(Self.mono.sampleRate)
                #expect(abs(made.trim.headSeconds - Double(prepared.plan.headFrames - more) / rate) < 1e-9)
                #expect(made.trim.tailSeconds == Double(prepared.plan.tailFrames) / rate)
                try checkLengths(path, frames: made.clip.frames, channels: 1)
            }
        }
    }

    /// What the hub draws without decoding the clip.
    @Test func `the outline is that of the decoded clip`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let signal = Signal.speech(Self.mono, seconds: 9, head: 1.2, tail: 0.7).amplified(by: -10)
        let outline = try made(live(signal, Self.cases[0], to: path)).outline
        var file = try AudioFile(opening: path, name: "clip")
        var block = AudioBlock(format: file.format)
        var decoded: [Float] = []
        while try file.read(into: &block) {
            block.withPlane(0) { plane in for index in plane.indices { decoded.append(abs(plane[index])) } }
        }
        #expect(abs(outline.count - decoded.count / 441) <= 4)
        // Tenths of a second: a window begins up to 25 ms later than the file.
        for column in 1..<outline.count / 10 {
            let loudest = outline[column * 10..<column * 10 + 10].max() ?? 0
            let (from, to) = (max(0, column * 4410 - 1200), min(decoded.count, column * 4410 + 5600))
            let around = decoded[from..<to].max() ?? 0
            let inside = decoded[min(to, column * 4410 + 1200)..<min(to, column * 4410 + 3200)].max() ?? 0
            #expect(loudest <= around * 1.04 + 0.001 && loudest >= inside * 0.96 - 0.001, "column \(column)")
        }
    }

    /// The head is cut inside the stream: what is heard must be the signal, from its first sample on.
    @Test(arguments: cases) func `the sound begins where the cut says`(one: Case) throws {
        let folder = try TemporaryFolder()
        var policy = EditPolicy()
        policy.preRoll = .zero
        for head in [0.0, 0.31, 0.97, 2.5] {
            let tone = Self.music(one.format, seconds: 5)
            let signal = Signal.silence(one.format, seconds: head).followed(by: tone)
            let path = folder.path("a.mp3")
            guard case .made(let made) = try live(signal, one, policy: policy, to: path) else {
                Issue.record("not made")
                continue
            }
            // The same through the usual encoder, at the same gain.
            var reader = try AudioFile(opening: path, name: "a")
            let heard = try Self.samples(&reader)
            let format = reader.format
            let gain = made.level.gainDB
            let whole = folder.path("b.mp3")
            let workplace = try Workplace()
            var request = ClipRequest(
                source: try workplace.source(signal, bits: 32), preset: one.preset, policy: policy)
            request.policy.normalises = false
            request.settings = one.settings ?? one.preset.settings
            _ = try make(try prepare(request) { _ in }, to: .file(whole)) { _ in }
            var other = try AudioFile(opening: whole, name: "b")
            let expected = try Self.samples(&other)
            let more = heard.count - expected.count
            #expect((0...1100).contains(more))
            // The first 50 ms, where a wrong cut would leave a hole or a crack.
            let factor = Float(pow(10, gain / 20))
            var (error, energy) = (0.0, 0.0)
            for index in 0..<min(format.sampleRate / 20, expected.count) {
                let wanted = expected[index] * factor
                error += Double((heard[index + more] - wanted) * (heard[index + more] - wanted))
                energy += Double(wanted * wanted)
            }
            #expect(error < energy * 0.05, "head \(head): \(10 * log10(error / energy)) dB")
        }
    }

    private static func samples(_ reader: inout AudioFile) throws -> [Float] {
        var block = AudioBlock(format: reader.format)
        var samples: [Float] = []
        while try reader.read(into: &block) {
            block.withPlane(0) { for index in $0.indices { samples.append($0[index]) } }
        }
        return samples
    }

    @Test func `the info tag is intact and its checksum that of the frames`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let signal = Signal.speech(Self.mono, seconds: 5, head: 2, tail: 1).amplified(by: -12)
        let made = try made(live(signal, Self.cases[0], to: path, tag: ID3Tag(title: "Hello")))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        #expect(bytes.count == Int(made.clip.bytes))
        var stream = MP3FrameStream()
        stream.push(bytes.span)
        stream.finish()
        let tag = try #require(stream.infoTag)
        #expect(tag.isIntact == true && tag.frames == stream.frames && stream.strayBytes == 0)
        #expect(tag.bytes == stream.infoFrameBytes + stream.audioBytes)
        var checksum: UInt16 = 0
        for byte in bytes.suffix(stream.audioBytes) {
            checksum ^= UInt16(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xA001 : checksum >> 1 }
        }
        #expect(tag.musicChecksum == checksum)
        #expect(try folder.names() == ["a.mp3"])
    }

    @Test(arguments: [0.0, 0.5, 20]) func `silence is refused and nothing is left`(seconds: Double) throws {
        let folder = try TemporaryFolder()
        let reason = seconds == 0 ? "it has no samples" : "it is silent"
        #expect(throws: AudioError.nothingToHear(name: "take", reason: reason)) {
            try live(.silence(Self.mono, seconds: seconds), Self.cases[0], to: folder.path("a.mp3"))
        }
        #expect(try folder.names().isEmpty)
    }

    @Test func `what a patch cannot do is left to rendering`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        // A click far above quiet speech.
        var peaky = Signal.speech(Self.mono, seconds: 6).amplified(by: -25)
        for index in 100_000..<100_400 { peaky.planes[0][index] = index % 40 < 20 ? 0.9 : -0.9 }
        #expect(try live(peaky, Self.cases[0], to: path) == .needsRendering(.limiting))
        // The cap falls into the middle of a tone.
        var policy = EditPolicy()
        policy.maximumLength = .seconds(5)
        #expect(
            try live(Self.music(Self.mono, seconds: 8), Self.cases[0], policy: policy, to: path)
                == .needsRendering(.fading))
        // A whisper, then a shout.
        let shout = Signal.speech(Self.mono, seconds: 6).amplified(by: -45).followed(
            by: Self.music(Self.mono, seconds: 20))
        guard case .needsRendering = try live(shout, Self.cases[0], to: path) else {
            Issue.record("made")
            return
        }
        #expect(try folder.names().isEmpty)
    }

    /// Whatever changes towards the end: loudness, where the sound begins, where it ends.
    @Test(arguments: [cases[0], cases[2]]) func `staged change no byte of a clip`(one: Case) throws {
        let folder = try TemporaryFolder()
        let speech = Signal.speech(one.format, seconds: 6, head: 0.8, tail: 0.4).amplified(by: -20)
        let swelling = (0..<6).reduce(speech) {
            $0.followed(by: .speech(one.format, seconds: 1.7).amplified(by: Double($1) * 1.5 - 22))
        }
        let fading = speech.followed(by: .speech(one.format, seconds: 4).amplified(by: -29))
        let pausing = speech.followed(by: .silence(one.format, seconds: 5)).followed(by: speech)
        var made = 0
        for (number, signal) in [
            speech, swelling, fading, pausing, pausing + .noise(one.format, level: -58, seconds: 19.4),
            fading.followed(by: .noise(one.format, level: -70, seconds: 4)), Self.music(one.format, seconds: 4),
        ].enumerated() {
            let (plain, drafted) = (folder.path("a.mp3"), folder.path("b.mp3"))
            let outcomes = try (live(signal, one, to: plain, mostStagedBytes: 0), live(signal, one, to: drafted))
            guard case (.made(let first), .made(let second)) = outcomes else {
                #expect(outcomes.0 == outcomes.1, "\(number)")
                continue
            }
            made += 1
            #expect(first.clip.sha256 == second.clip.sha256 && first.level == second.level, "\(number)")
            #expect(first.outline == second.outline && first.trim == second.trim, "\(number)")
            #expect(FileManager.default.contentsEqual(atPath: plain, andPath: drafted), "\(number)")
        }
        #expect(made >= 5)
    }

    @Test(arguments: [0.05, 0.3, 0.41, 1, 2.9]) func `short takes are clips too`(seconds: Double) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let signal = Self.music(Self.mono, seconds: seconds)
        let made = try made(live(signal, Self.cases[0], to: path))
        try checkLengths(path, frames: made.clip.frames, channels: 1)
        #expect(made.level.method == (seconds < 0.4 ? .short : .integrated))
        if seconds >= 0.4 { #expect(abs(try #require(made.level.afterLUFS) + 16) <= 0.3) }
    }

    @Test func `without cuts the clip is the recording at its own level`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        var policy = EditPolicy()
        policy.trims = false
        policy.normalises = false
        let signal = Self.music(Self.mono, seconds: 5)
        let made = try made(live(signal, Self.cases[0], policy: policy, to: path))
        #expect(made.level.gainDB == 0 && made.clip.frames == signal.frames)
        #expect(made.trim == Receipt.Trim(headSeconds: 0, tailSeconds: 0, capped: false))
        #expect(made.clip.bytes == made.clip.predictedBytes)
    }

    @Test func `any block size gives a clip of the same length and loudness`() throws {
        let folder = try TemporaryFolder()
        let signal = Signal.speech(Self.stereo, seconds: 7, head: 1, tail: 1).amplified(by: -15)
        var lengths: Set<Int> = []
        for blocks in [480, 4096, 20000] {
            let made = try made(live(signal, Self.cases[2], blocks: blocks, to: folder.path("a.mp3")))
            lengths.insert(made.clip.frames)
            #expect(abs(try #require(made.level.afterLUFS) + 16) <= 0.3)
        }
        #expect(lengths.count == 1)
    }
}
