import ChirpAudio
import ChirpClips
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// Previews of tracks: one loudness, never what is sold, a voice that does not spoil (boards.md 3.1 ideas 1 and 2, 5.2 point 6).
struct PreviewTests {
    private static let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

    /// Hits of noise twice a second over a soft chord.
    private static func beat(_ format: AudioFormat, seconds: Double, level: Double) -> Signal {
        var signal = Signal.sine(format, frequency: 220, level: level - 12, seconds: seconds)
        let noise = Signal.noise(format, level: level, seconds: seconds)
        for channel in signal.planes.indices {
            for frame in signal.planes[channel].indices {
                let time = Double(frame % (format.sampleRate / 2)) / Double(format.sampleRate)
                signal.planes[channel][frame] += noise.planes[channel][frame] * Float(exp(-12 * time))
            }
        }
        return signal
    }

    private func preview(
        of master: ClipSource, _ wishes: PreviewWishes = PreviewWishes(), voice: ClipSource? = nil, in place: Workplace
    ) throws -> (facts: PreviewFacts, path: String) {
        let path = "\(place.path)/preview.mp3"
        return (try makePreview(of: master, wishes, voice: voice, to: .file(path)), path)
    }

    /// Integrated loudness and true peak by ffmpeg's ebur128, with mono as heard on two channels.
    private func measured(_ path: String) throws -> (loudness: Double, peak: Double) {
        let run = try ExternalProgram("ffmpeg").run(
            ["-hide_banner", "-nostats", "-i", path, "-af", "ebur128=peak=true:dualmono=true", "-f", "null", "-"])
        func last(_ name: String) throws -> Double {
            let lines = run.errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let line = try #require(lines.last { $0.hasPrefix(name) }, "\(run.errors)")
            return try #require(Double(line.dropFirst(name.count).split(separator: " ").first ?? ""))
        }
        return (try last("I:"), try last("Peak:"))
    }

    private func decoded(_ path: String) throws -> [Float] {
        var file = try AudioFile(opening: path, name: "preview")
        var block = AudioBlock(format: file.format)
        var samples: [Float] = []
        while try file.read(into: &block) {
            block.withPlane(0) { plane in for index in plane.indices { samples.append(plane[index]) } }
        }
        return samples
    }

    /// The amplitude of a frequency within a part of a second, in dB.
    private func level(_ samples: [Float], _ frequency: Double, from start: Double, seconds: Double) -> Double {
        let first = Int(start * 44_100)
        var (real, imaginary) = (0.0, 0.0)
        let count = Int(seconds * 44_100)
        for index in 0..<count {
            let angle = 2 * Double.pi * frequency * Double(index) / 44_100
            real += Double(samples[first + index]) * cos(angle)
            imaginary += Double(samples[first + index]) * sin(angle)
        }
        return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / Double(count))
    }

    @Test(
        arguments: [
            (AudioFormat(sampleRate: 44_100, channels: 2), -40.0), (AudioFormat(sampleRate: 96_000, channels: 1), -3.0),
            (AudioFormat(sampleRate: 48_000, channels: 2), -12.0),
        ] as [(AudioFormat, Double)])
    func `every preview is as loud as all others, by another meter too`(format: AudioFormat, level: Double) throws {
        let place = try Workplace()
        let master = try place.source(Self.beat(format, seconds: 12, level: level).clipped())
        let (facts, path) = try preview(of: master, in: place)
        let oracle = try measured(path)
        #expect(abs(oracle.loudness + 14) <= 0.3 && oracle.peak <= -1, "\(oracle)")
        #expect(abs(try #require(facts.loudness) + 14) <= 0.3 && facts.truePeak ?? 0 <= -1, "\(facts)")
        #expect(facts.isPossible(masterSeconds: 12) && facts.peaks.max() ?? 0 > 100)
    }

    @Test func `a preview is shorter, of a lower rate, and tells nothing of its master`() throws {
        let place = try Workplace()
        let wav = try place.source(Self.beat(Self.stereo, seconds: 10, level: -15))
        let mp3 = "\(place.path)/master.mp3"
        let made = try ExternalProgram("lame").run(
            ["--quiet", "-b", "96", "--tt", "Secret", "--ta", "Nobody", wav.path, mp3])
        #expect(made.status == 0)
        let (facts, path) = try preview(
            of: ClipSource(path: mp3, name: "m", sha256: ""), PreviewWishes(title: "Shown"), in: place)
        #expect(facts.kbps == 64 && facts.seconds < 9.6 && facts.seconds > 7.4, "\(facts)")
        let tags = try AudioFile(opening: path, name: "p").sourceTags
        #expect(tags.title == "Shown" && tags.artist == nil && tags.comment == "Preview")
        #expect(try !Data(contentsOf: URL(filePath: path)).contains("Secret".utf8))
        #expect(try preview(of: wav, in: place).facts.kbps == 128)
    }

    @Test func `a voice is heard where it was planned, and the music gives way by what is said`() throws {
        let place = try Workplace()
        // A tone that is loudest between 18 and 19 s; a voice that is another tone.
        var tone = Signal.sine(Self.stereo, frequency: 1000, level: -20, seconds: 24)
        for channel in 0..<2 { for frame in 18 * 44_100..<19 * 44_100 { tone.planes[channel][frame] *= 1.2 } }
        let master = try place.source(tone)
        let mono = AudioFormat(sampleRate: 16_000, channels: 1)
        let voice = try place.source(.sine(mono, frequency: 400, level: -30, seconds: 1))
        let wishes = PreviewWishes(places: [1, 1.5, 5, 11.3, 15.9, 17.5, 20.5, 22.4])
        let (facts, path) = try preview(of: master, wishes, voice: voice, in: place)
        // One within another, those within 2 s of the loudest second and those after the end are left out.
        #expect(facts.voice.map(\.seconds) == [1, 5, 11.3], "\(facts.voice)")
        let samples = try decoded(path)
        let plain = level(samples, 1000, from: 8, seconds: 0.8)
        for spot in facts.voice {
            #expect((3...15).contains(spot.duck))
            let under = level(samples, 1000, from: spot.seconds + 0.1, seconds: 0.8)
            #expect(abs(plain - under - spot.duck) < 0.3, "\(plain - under), \(spot)")
            let spoken = level(samples, 400, from: spot.seconds + 0.1, seconds: 0.8)
            #expect(spoken - under > 3, "\(spoken), \(under)")
        }
        #expect(level(samples, 400, from: 8, seconds: 0.8) < plain - 40)
    }

    @Test func `the same wishes make the same bytes, another pattern others`() throws {
        let place = try Workplace()
        let master = try place.source(Self.beat(Self.stereo, seconds: 8, level: -15))
        let voice = try place.source(.speech(Self.stereo, seconds: 1))
        func bytes(_ places: [Double]) throws -> Data {
            let (_, path) = try preview(of: master, PreviewWishes(places: places), voice: voice, in: place)
            return try Data(contentsOf: URL(filePath: path))
        }
        let one = try bytes([4.5])
        #expect(try bytes([4.5]) == one)
        #expect(try bytes([5]) != one)
    }

    @Test func `what is silent, too short or too long is refused, and nothing is left`() throws {
        let place = try Workplace()
        func refusal(_ master: ClipSource, voice: ClipSource? = nil) -> AudioError? {
            do {
                _ = try preview(of: master, PreviewWishes(places: [1]), voice: voice, in: place)
                return nil
            } catch { return error as? AudioError }
        }
        guard case .nothingToHear = refusal(try place.source(.silence(Self.stereo, seconds: 4))) else {
            Issue.record("silence was taken")
            return
        }
        guard case .unsupported = refusal(try place.source(Self.beat(Self.stereo, seconds: 0.9, level: -15))) else {
            Issue.record("less than a second was taken")
            return
        }
        let master = try place.source(Self.beat(Self.stereo, seconds: 4, level: -15))
        guard case .nothingToHear = refusal(master, voice: try place.source(.silence(Self.stereo, seconds: 1))) else {
            Issue.record("a silent voice was taken")
            return
        }
        // 20 minutes and a second at 8 kHz.
        let long = "\(place.path)/long.wav"
        let quiet = AudioFormat(sampleRate: 8000, channels: 1)
        try Signal.sine(quiet, frequency: 300, level: -20, seconds: 1).writeWav(to: long)
        var bytes = try Data(contentsOf: URL(filePath: long))
        let second = bytes.suffix(16_000)
        for _ in 0..<1200 { bytes += second }
        for (offset, size) in [(4, bytes.count - 8), (40, bytes.count - 44)] {
            for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
        }
        try bytes.write(to: URL(filePath: long))
        guard case .unsupported = refusal(ClipSource(path: long, name: "long", sha256: "")) else {
            Issue.record("more than twenty minutes were taken")
            return
        }
        #expect(place.contents.allSatisfy { $0.hasSuffix(".wav") })
    }
}
