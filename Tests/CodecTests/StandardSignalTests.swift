import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Foundation
import Testing

/// Signals of EBU Tech 3341 (v4, 2023, table 1) and Tech 3342 (table 1), made from their description. Cases 1 to 5, 9, 10, 12
/// and 13 are in `LoudnessMeterTests`, 15 to 19 in `AudioTests/TruePeakTests`.
struct StandardSignalTests {
    private static let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    private func measure(_ signal: Signal) -> Loudness {
        var meter = LoudnessMeter(format: signal.format)
        signal.forEachBlock { meter.add($0) }
        return meter.result()
    }

    /// Case 6, five channels and five with low-frequency effects, which do not count: -28 dBFS left and right, -24 centre, -30
    /// surrounds are -23 LUFS, and -24 dBTP.
    @Test(arguments: [0x37, 0x3F, 0x60F] as [UInt32])
    func `case 6: five channels count by their places`(mask: UInt32) throws {
        let hasEffects = mask & 8 != 0
        let levels = [-28, -28, -24] + (hasEffects ? [-200] : []) + [-30.0, -30]
        let result = try surround(levels: levels, mask: mask)
        #expect(abs(try #require(result.integrated).value + 23) <= 0.1)
        #expect(abs(try #require(result.truePeak).value + 24) <= 0.1 && abs(result.samplePeak.value + 24) <= 0.1)
        guard hasEffects else { return }
        // Loud effects change peaks only.
        let loud = try surround(levels: [-28, -28, -24, -6, -30, -30], mask: mask)
        #expect(loud.integrated == result.integrated && abs(loud.samplePeak.value + 6) <= 0.1)
    }

    /// 1 kHz of 20 s in each channel, as `inspect` measures it.
    private func surround(levels: [Double], mask: UInt32) throws -> Loudness {
        let folder = try TemporaryFolder()
        let amplitudes = levels.map { pow(10, $0 / 20) }
        let samples = (0..<20 * 48000).flatMap { index in
            let sine = sin(2 * .pi * 1000 * Double(index) / 48000)
            return amplitudes.map { Float($0 * sine) }
        }
        let wav = ReaderTestWav(channels: UInt16(levels.count), mask: mask, data: ReaderTestWav.samples16(samples))
        let path = folder.path("a.wav")
        try Data(wav.bytes).write(to: URL(filePath: path))
        var file = try AudioFile(opening: path, name: "a.wav", keepsChannels: true)
        var meter = LoudnessMeter(format: file.format, weights: file.loudnessWeights)
        var block = AudioBlock(format: file.format)
        while try file.read(into: &block) { meter.add(block) }
        return meter.result()
    }

    /// Cases 7 and 8 of Tech 3341, 5 and 6 of Tech 3342: recorded programmes of -23 LUFS with a range of 5 and of 15 LU, which
    /// no description replaces. In their place speech over an ambience, in scenes of different level, with the figures of
    /// libebur128, which is within tolerance for the originals.
    @Test(arguments: [(3.0, 5.0), (9, 15)])
    func `programmes of a narrow and a wide range agree with the reference`(spread: Double, range: Double) throws {
        var programme = Signal.silence(Self.stereo, seconds: 0)
        for (number, step) in [0.0, 1, -0.7, 0.4, -1, 0.8, -0.2, 0.9].enumerated() {
            let scene =
                Signal.speech(Self.stereo, seconds: 9, seed: UInt64(number))
                + .noise(Self.stereo, level: -42, seconds: 9)
            programme = programme.followed(by: scene.amplified(by: step * spread - 4))
        }
        func reference(_ signal: Signal) throws -> (loudness: Double, range: Double) {
            var meter = try ReferenceLoudnessMeter(format: Self.stereo, dualMono: false)
            try signal.forEachBlock { (block) throws(AudioError) in try meter.add(block) }
            let result = try meter.result()
            return (try #require(result.integrated).value, result.range)
        }
        programme = programme.amplified(by: -23 - (try reference(programme).loudness))
        let expected = try reference(programme)
        #expect(abs(expected.range - range) < 2, "the signal is not of the kind that was meant")
        let result = measure(programme)
        #expect(abs(try #require(result.integrated).value + 23) <= 0.1)
        #expect(abs(try #require(result.range) - expected.range) <= 1)
    }

    /// Tones at -38 to -19 dBFS, each later in its segment than the one before.
    private func rising(segment: Double, tone: Double, shift: Double) -> [(
        start: Double, signal: Signal, level: Double
    )] {
        (0..<20).map { index in
            let level = Double(index - 38)
            let head = shift * Double(index)
            let signal = Signal.silence(Self.stereo, seconds: head)
                .followed(by: .sine(Self.stereo, frequency: 1000, level: level, seconds: tone))
                .followed(by: .silence(Self.stereo, seconds: segment - tone - head))
            return (segment * Double(index), signal, level)
        }
    }

    /// Case 11: the maximum of short-term loudness is that of the latest of 20 tones of 3 s, in segments of 6 s.
    @Test func `case 11: the short-term maximum follows rising tones`() throws {
        var meter = LoudnessMeter(format: Self.stereo)
        for part in rising(segment: 6, tone: 3, shift: 0.15) {
            part.signal.forEachBlock { meter.add($0) }
            #expect(abs(try #require(meter.result().shortTermMaximum).value - part.level) <= 0.1)
        }
    }

    /// Case 14: the maximum of momentary loudness is that of the latest of 20 tones of 0.4 s, in segments of 0.8 s.
    @Test func `case 14: the momentary maximum follows rising tones`() throws {
        var meter = LoudnessMeter(format: Self.stereo)
        for part in rising(segment: 0.8, tone: 0.4, shift: 0.02) {
            part.signal.forEachBlock { meter.add($0) }
            #expect(abs(try #require(meter.result().momentaryMaximum).value - part.level) <= 0.1)
        }
    }

    /// Cases 20 to 23: a sine of a sixth of the sample rate at half amplitude with one period of full amplitude, made at
    /// four times the rate and taken down with each of the four offsets. 0 dBTP, within +0.2 and -0.4 dB.
    @Test(arguments: 0..<4) func `cases 20 to 23: one louder period is caught wherever it is sampled`(offset: Int) {
        let period = 24
        let count = 48000
        let loud = count / 2 / period * period
        let wave = (0..<count).map { index in
            sin(2 * .pi * Double(index) / Double(period)) * ((loud..<loud + period).contains(index) ? 1 : 0.5)
        }
        // Limited to half of the lower rate: a windowed sinc.
        let reach = 256
        let taps = (-reach...reach).map { tap in
            let x = Double(tap) / 4
            let window = 0.5 + 0.5 * cos(.pi * Double(tap) / Double(reach + 1))
            return (tap == 0 ? 1 : sin(.pi * x) / (.pi * x)) / 4 * window
        }
        let plane = stride(from: offset, to: count, by: 4).map { index -> Float in
            var sum = 0.0
            for tap in max(-reach, index - count + 1)...min(reach, index) {
                sum += taps[tap + reach] * wave[index - tap]
            }
            return Float(sum)
        }
        let peak = measure(Signal(format: Self.stereo, planes: [plane, plane])).truePeak?.value ?? .nan
        #expect(peak <= 0.2 && peak >= -0.4, "\(peak)")
    }
}
