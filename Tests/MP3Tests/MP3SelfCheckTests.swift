import ChirpAudio
import ChirpCodecs
import ChirpMP3
import ChirpTestKit
import Testing

/// W-2: what is measured piece by piece while encoding is what the finished file gives.
@Suite struct MP3SelfCheckTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let signal: MP3TestSignal
        let format: AudioFormat
        let rate: MP3Settings.Rate
        let seconds: Double
        var testDescription: String { "\(signal) \(rate) \(format) \(seconds) s" }
    }

    static let cases: [Case] = [
        Case(
            signal: .speech, format: AudioFormat(sampleRate: 44100, channels: 1), rate: .constant(kbps: 64),
            seconds: 7.3),
        Case(
            signal: .music, format: AudioFormat(sampleRate: 44100, channels: 2), rate: .constant(kbps: 192), seconds: 20
        ),
        Case(
            signal: .music, format: AudioFormat(sampleRate: 48000, channels: 2), rate: .variable(quality: 2), seconds: 9
        ),
        Case(
            signal: .bursts, format: AudioFormat(sampleRate: 22050, channels: 1), rate: .constant(kbps: 32), seconds: 8),
        Case(
            signal: .speech, format: AudioFormat(sampleRate: 11025, channels: 1), rate: .constant(kbps: 8), seconds: 8),
        Case(
            signal: .squares, format: AudioFormat(sampleRate: 32000, channels: 2), rate: .average(kbps: 96), seconds: 3),
        Case(
            signal: .speech, format: AudioFormat(sampleRate: 8000, channels: 2), rate: .variable(quality: 9), seconds: 5
        ),
        Case(
            signal: .music, format: AudioFormat(sampleRate: 44100, channels: 1), rate: .constant(kbps: 128),
            seconds: 0.3),
        Case(
            signal: .speech, format: AudioFormat(sampleRate: 44100, channels: 1), rate: .constant(kbps: 64),
            seconds: 0.001),
        Case(
            signal: .silence, format: AudioFormat(sampleRate: 44100, channels: 1), rate: .constant(kbps: 64), seconds: 2
        ),
    ]

    @Test(arguments: cases) func `measuring beside encoding finds what the file gives`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.mp3")
        let frames = Int(one.seconds * Double(one.format.sampleRate))
        let planes = one.signal.planes(frames: frames, format: one.format).map { $0.map { $0 * 0.5 } }
        let report = try encode(
            planes, format: one.format, settings: MP3Settings(rate: one.rate), measures: true, to: path)
        let found = try #require(report.measured)
        #expect(found.frames == frames)

        var file = try AudioFile(opening: path, name: "clip.mp3")
        var meter = LoudnessMeter(format: one.format)
        var block = AudioBlock(format: one.format)
        while try file.read(into: &block) { meter.add(block) }
        let expected = meter.result()
        #expect(isNear(found.integrated?.value, expected.integrated?.value))
        #expect(isNear(found.ungated?.value, expected.ungated?.value))
        #expect(isNear(found.truePeak.value, expected.truePeak?.value) || !found.truePeak.value.isFinite)

        let parallel = try encode(
            planes, format: one.format, settings: MP3Settings(rate: one.rate), jobs: 3, measures: true, to: path)
        var other = try #require(parallel.measured)
        other.seconds = found.seconds
        #expect(other == found, "to the last bit, whichever thread measured it")
    }

    @Test(arguments: cases) func `the outline is that of the finished file`(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.mp3")
        let rate = one.format.sampleRate
        let frames = Int(one.seconds * Double(rate))
        let planes = one.signal.planes(frames: frames, format: one.format).map { $0.map { $0 * 0.5 } }
        var outlines: [[Float]] = []
        for jobs in [1, 3] {
            let report = try encode(
                planes, format: one.format, settings: MP3Settings(rate: one.rate), jobs: jobs, measures: true,
                outlines: true, to: path)
            outlines.append(try #require(report.measured).outline)
        }
        #expect(outlines[0] == outlines[1], "to the last bit, whichever thread measured it")

        var expected = [Float](repeating: 0, count: outlines[0].count)
        var file = try AudioFile(opening: path, name: "clip.mp3")
        var block = AudioBlock(format: one.format)
        var position = 0
        while try file.read(into: &block) {
            for channel in 0..<one.format.channels {
                block.withPlane(channel) { plane in
                    for index in 0..<block.frames {
                        let window = LevelWindows.window(atFrame: position + index, sampleRate: rate)
                        expected[window] = max(expected[window], abs(plane[index]))
                    }
                }
            }
            position += block.frames
        }
        #expect(outlines[0].count == LevelWindows.window(atFrame: frames - 1, sampleRate: rate) + 1)
        #expect(zip(outlines[0], expected).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    private func isNear(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == other }
        return abs(one - other) < 0.01
    }
}
