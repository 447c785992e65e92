import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// Every preset gives back exactly the frames that went in, in three decoders, from a file and from a pipe.
/// Below 48 frames (2 ms) ffmpeg keeps the padding of any MP3, also of LAME's own; nothing shorter is tried.
@Suite struct MP3GaplessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rate: MP3Settings.Rate
        let format: AudioFormat
        var testDescription: String { "\(rate) \(format)" }
    }

    static let cases = [
        Case(rate: .constant(kbps: 64), format: AudioFormat(sampleRate: 44100, channels: 1)),
        Case(rate: .constant(kbps: 192), format: AudioFormat(sampleRate: 48000, channels: 2)),
        Case(rate: .constant(kbps: 32), format: AudioFormat(sampleRate: 22050, channels: 1)),
        Case(rate: .constant(kbps: 32), format: AudioFormat(sampleRate: 24000, channels: 1)),
        Case(rate: .constant(kbps: 8), format: AudioFormat(sampleRate: 8000, channels: 1)),
        Case(rate: .variable(quality: 4), format: AudioFormat(sampleRate: 44100, channels: 2)),
        Case(rate: .average(kbps: 56), format: AudioFormat(sampleRate: 32000, channels: 1)),
    ]

    @Test(arguments: cases) func `three decoders give back the frames that went in`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let settings = MP3Settings(rate: one.rate)
        let second = one.format.sampleRate
        for frames in [48, 600, second / 20, second * 2 / 3 + 7] {
            let planes = MP3TestSignal.speech.planes(frames: frames, format: one.format)
            let path = folder.path("a.mp3")
            let tag = ID3Tag(title: "t")
            let report = try encode(planes, format: one.format, settings: settings, tag: tag, to: path)
            #expect(report.frames == frames)
            let channels = one.format.channels
            let ffmpeg = try ExternalProgram("ffmpeg").run(["-v", "error", "-i", path, "-f", "s16le", "-"])
            #expect(ffmpeg.errors == "" && ffmpeg.output.count == frames * 2 * channels, "ffmpeg, \(frames)")
            let mpg123 = try ExternalProgram("mpg123").run(["-q", "-s", path])
            #expect(mpg123.output.count == frames * 2 * channels, "mpg123, \(frames): \(mpg123.errors)")
            let raw = folder.path("a.raw")
            let libsndfile = try ExternalProgram("sndfile-convert").run(["-pcm16", path, raw])
            #expect(try Data(contentsOf: URL(filePath: raw)).count == frames * 2 * channels, "\(libsndfile.text)")
        }
    }

    @Test(arguments: cases) func `a checker finds nothing wrong`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp3")
        let planes = MP3TestSignal.music.planes(frames: one.format.sampleRate * 2, format: one.format)
        try encode(planes, format: one.format, settings: MP3Settings(rate: one.rate), tag: ID3Tag(title: "t"), to: path)
        let result = try ExternalProgram("mp3val").run([path])
        #expect(!result.text.contains("WARNING") && !result.text.contains("ERROR"), "\(result.text)")
    }
}
