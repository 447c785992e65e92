import ChirpAudio
import ChirpTestKit
import Testing

struct TruePeakTests {
    /// EBU Tech 3341, table 1, cases 15 to 19: sines whose samples miss the crest. Tolerance +0.2 / -0.4 dB.
    @Test(arguments: [(4.0, 0.0, -6.0), (4.0, 45.0, -6.0), (6.0, 60.0, -6.0), (8.0, 67.5, -6.0), (4.0, 45.0, 3.0)])
    func `sines reach their crest between the samples`(divisor: Double, phase: Double, level: Double) {
        let format = AudioFormat(sampleRate: 48000, channels: 2)
        let quarter = Double(format.sampleRate) / divisor
        var signal = Signal.sine(format, frequency: quarter, level: level, seconds: 1, phase: phase)
        // The standard's signals begin and end softly.
        for channel in signal.planes.indices {
            for index in 0..<480 {
                signal.planes[channel][index] *= Float(index) / 480
                signal.planes[channel][signal.frames - 1 - index] *= Float(index) / 480
            }
        }
        var meter = TruePeakMeter(channels: 2)
        signal.forEachBlock(of: 1000) { meter.add($0) }
        let error = meter.peak().value - level
        #expect(error < 0.2 && error > -0.4)
    }

    @Test(arguments: [1, 5, 31, 32, 33, 4096])
    func `the cutting into blocks does not matter`(block: Int) {
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let signal = Signal.noise(format, level: -9, seconds: 0.05)
        var whole = TruePeakMeter(channels: 2)
        signal.forEachBlock(of: signal.frames) { whole.add($0) }
        var pieces = TruePeakMeter(channels: 2)
        signal.forEachBlock(of: block) { pieces.add($0) }
        #expect(abs(whole.peak().value - pieces.peak().value) < 1e-5)
    }

    @Test func `silence and nothing have no peak and one sample has its own`() {
        #expect(TruePeakMeter(channels: 1).peak() == .silence)
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        var meter = TruePeakMeter(channels: 1)
        Signal(format: format, planes: [[0.5]]).forEachBlock { meter.add($0) }
        #expect(abs(meter.peak().value + 6.02) < 0.1)
    }
}
