import ChirpAudio
import ChirpCodecs
import ChirpCore
import ChirpMP3
import ChirpTestKit
import Foundation
import Testing

/// W-4: the size is known before the upload, so before encoding.
@Suite struct MP3SizeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let format: AudioFormat
        let kbps: Int
        var testDescription: String { "\(format) \(kbps) kbps" }
    }

    static let cases = MP3Settings.sampleRates.flatMap { rate in
        MP3Settings.constantRates(at: rate).map { kbps in
            Case(format: AudioFormat(sampleRate: rate, channels: kbps % 3 == 0 ? 1 : 2), kbps: kbps)
        }
    }

    @Test(arguments: cases) func `a constant rate has exactly the size that was predicted`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let settings = MP3Settings(rate: .constant(kbps: one.kbps), quality: 9)
        let tag = ID3Tag(title: "Größe")
        let second = one.format.sampleRate
        for frames in [0, 1, 575, 576, 577, second / 20, second / 2 + 11] {
            let planes = MP3TestSignal.music.planes(frames: frames, format: one.format)
            let path = folder.path("a.mp3")
            let report = try encode(planes, format: one.format, settings: settings, tag: tag, to: path)
            let predicted = try MP3Size(
                frames: frames, format: one.format, settings: settings, id3Bytes: tag.encodedBytes)
            let size = try Data(contentsOf: URL(filePath: path)).count
            #expect(predicted.isExact)
            #expect(predicted.bytes == ByteCount(size) && report.bytes == ByteCount(size), "\(frames) frames")
        }
    }

    @Test(arguments: [64, 192, 32]) func `thirty minutes have exactly the size that was predicted`(kbps: Int) throws {
        let folder = try TemporaryFolder()
        let format = AudioFormat(sampleRate: kbps == 32 ? 22050 : 44100, channels: 1)
        let settings = MP3Settings(rate: .constant(kbps: kbps), quality: 9)
        let path = folder.path("a.mp3")
        var writer = try MP3FileWriter(path: path, format: format, settings: settings)
        var block = AudioBlock(format: format, capacity: 44100)
        block.resize(toFrames: 44100)
        let seconds = 1800 * format.sampleRate / 44100
        for _ in 0..<seconds { try writer.write(block) }
        let report = try writer.close()
        let predicted = try MP3Size(frames: seconds * 44100, format: format, settings: settings)
        #expect(predicted.bytes == report.bytes)
        #expect(try Data(contentsOf: URL(filePath: path)).count == Int(report.bytes.bytes))
    }

    @Test(arguments: [MP3Settings.Rate.average(kbps: 96), .variable(quality: 0), .variable(quality: 7)])
    func `another rate is never larger than its bound`(rate: MP3Settings.Rate) throws {
        let folder = try TemporaryFolder()
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let settings = MP3Settings(rate: rate)
        let planes = MP3TestSignal.bursts.planes(frames: 88200, format: format)
        let report = try encode(planes, format: format, settings: settings, to: folder.path("a.mp3"))
        let bound = try MP3Size(frames: 88200, format: format, settings: settings)
        #expect(!bound.isExact && report.bytes <= bound.bytes)
    }

    @Test func `settings that no MP3 has are refused`() {
        func refused(_ rate: MP3Settings.Rate, _ hertz: Int, _ channels: Int = 1, quality: Int = 4) -> Bool {
            let settings = MP3Settings(rate: rate, quality: quality)
            do { try settings.validate(for: AudioFormat(sampleRate: hertz, channels: channels)) } catch { return true }
            return false
        }
        #expect(refused(.constant(kbps: 320), 22050))
        #expect(refused(.constant(kbps: 100), 44100))
        #expect(refused(.constant(kbps: 80), 8000))
        #expect(refused(.constant(kbps: 64), 96000))
        #expect(refused(.constant(kbps: 64), 44100, 3))
        #expect(refused(.average(kbps: 321), 44100))
        #expect(refused(.variable(quality: 10), 44100))
        #expect(refused(.constant(kbps: 64), 44100, quality: 10))
        #expect(!refused(.constant(kbps: 160), 22050))
    }

    @Test(arguments: [
        (8000, 8000), (7000, 8000), (9000, 11025), (44100, 44100), (48000, 48000), (96000, 48000), (88200, 44100),
        (384_000, 48000), (37800, 44100), (50000, 48000), (64000, 32000),
    ])
    func `a recording gets a sample rate that MP3 has`(recording: Int, expected: Int) {
        #expect(MP3Settings.sampleRate(for: recording) == expected)
    }
}
