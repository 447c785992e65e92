import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-3: encoded sound made louder or softer by its `global_gain`.
@Suite struct GlobalGainPatchTests {
    static let formats = [
        AudioFormat(sampleRate: 44100, channels: 1), AudioFormat(sampleRate: 48000, channels: 2),
        AudioFormat(sampleRate: 22050, channels: 1), AudioFormat(sampleRate: 24000, channels: 2),
    ]

    private func frames(of bytes: [UInt8]) -> [[UInt8]] {
        var stream = MP3FrameStream()
        var frames: [[UInt8]] = []
        stream.push(bytes.span) { (_, frame) in frames.append((0..<frame.count).map { frame[$0] }) }
        stream.finish { (_, frame) in frames.append((0..<frame.count).map { frame[$0] }) }
        return frames
    }

    private func stream(_ signal: MP3TestSignal, _ format: AudioFormat, level: Float = 0.1) throws -> [UInt8] {
        let planes = signal.planes(frames: format.sampleRate, format: format).map { $0.map { $0 * level } }
        let settings = MP3Settings(rate: .constant(kbps: 64))
        var sink = StreamSink(encoder: try MP3Encoder(format: format, settings: settings))
        try feed(planes, format: format, to: &sink)
        return try sink.close()
    }

    private func patched(_ bytes: [UInt8], steps: Int) -> (bytes: [UInt8], isPossible: Bool) {
        var isPossible = true
        let all = frames(of: bytes).flatMap { frame in
            var frame = frame
            var span = frame.mutableSpan
            if !GlobalGainPatch(steps: steps).apply(to: &span) { isPossible = false }
            return frame
        }
        return (all, isPossible)
    }

    /// Decoded to Float by a program of its own.
    private func decoded(_ bytes: [UInt8]) throws -> [Float] {
        let result = try ExternalProgram("ffmpeg").run(
            ["-v", "error", "-f", "mp3", "-i", "-", "-f", "f32le", "-"], input: bytes)
        #expect(result.errors == "")
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test(arguments: formats, [-8, -1, 1, 5])
    func `every step scales the decoded samples by exactly 1.505 dB`(format: AudioFormat, steps: Int) throws {
        for signal in [MP3TestSignal.speech, .music, .bursts] {
            let original = try stream(signal, format)
            let (bytes, isPossible) = patched(original, steps: steps)
            #expect(isPossible && bytes.count == original.count)
            let factor = Float(pow(2, Double(steps) / 4))
            let pairs = zip(try decoded(original), try decoded(bytes))
            let farthest = pairs.reduce(Float(0)) { max($0, abs($1.0 * factor - $1.1)) }
            #expect(farthest < 1e-5, "\(signal)")
        }
    }

    @Test func `there and back again is the same stream`() throws {
        for format in Self.formats {
            let original = try stream(.music, format)
            let there = patched(original, steps: 7)
            #expect(there.isPossible && there.bytes != original)
            #expect(patched(there.bytes, steps: -7).bytes == original)
        }
    }

    @Test func `silence stays as it is and a gain that does not exist is refused`() throws {
        let format = Self.formats[0]
        let silence = try stream(.silence, format)
        #expect(patched(silence, steps: 200).bytes == silence)
        let music = try stream(.music, format)
        for steps in [-250, 250] {
            let (bytes, isPossible) = patched(music, steps: steps)
            #expect(!isPossible)
            // What could not be patched is unchanged; the frames without sound count as patched.
            #expect(bytes == music)
        }
    }

    @Test func `what is no frame is refused`() {
        var noise = MP3TestNoise(seed: 3)
        for count in 0..<200 {
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: Int(noise.next() * 1_000_000)) }
            if count > 2 { bytes.replaceSubrange(0..<2, with: [0xFF, noise.next() > 0 ? 0xFB : 0xE3]) }
            var span = bytes.mutableSpan
            _ = GlobalGainPatch(steps: 3).apply(to: &span)
        }
        var nothing: [UInt8] = []
        var span = nothing.mutableSpan
        let isPossible = GlobalGainPatch(steps: 1).apply(to: &span)
        #expect(!isPossible)
    }

    /// `lame -p` protects its frames; a patch of nothing computes every checksum anew.
    @Test func `the checksum of protected frames is right`() throws {
        let folder = try TemporaryFolder()
        for (format, kbps) in zip(Self.formats, ["64", "128", "40", "80"]) {
            let wav = folder.path("a.wav")
            let path = folder.path("a.mp3")
            try Signal.speech(format, seconds: 1).writeWav(to: wav)
            let result = try ExternalProgram("lame").run(["--quiet", "-p", "-t", "-b", kbps, wav, path])
            #expect(result.status == 0)
            let original = frames(of: [UInt8](try Data(contentsOf: URL(filePath: path)))).flatMap(\.self)
            #expect(MP3FrameHeader(original.span)?.isProtected == true)
            #expect(patched(original, steps: 0).bytes == original)
            let louder = patched(original, steps: 2).bytes
            let check = try ExternalProgram("ffmpeg").run(
                ["-v", "error", "-err_detect", "crccheck", "-f", "mp3", "-i", "-", "-f", "null", "-"], input: louder)
            #expect(check.errors == "")
        }
    }
}
