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

    /// What is skipped could not have been higher: every sample is looked at here.
    @Test(arguments: [0.0, -6.0, -12.0, -40.0])
    func `what is skipped changes nothing`(level: Double) {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let speech = Signal.speech(format, seconds: 1.3)
        let noise = Signal.noise(format, level: level, seconds: 1.3)
        let sine = Signal.sine(format, frequency: 9876, level: level, seconds: 1.3)
        for signal in [
            speech, noise, speech + noise, sine, speech + sine,
            Signal.sine(format, frequency: 50, level: 0, seconds: 1),
        ] {
            var highest = Decibels.silence
            // A piece of 16 samples at a time, each with its neighbours, has nothing to skip.
            let reach = TruePeakMeter.reach
            for start in stride(from: reach, to: signal.frames - reach - 16, by: 16) {
                var piece = AudioBlock(format: format, capacity: 16 + 2 * reach)
                piece.resize(toFrames: piece.capacity)
                piece.withMutablePlane(0) { plane in
                    for index in plane.indices { plane[index] = signal.planes[0][start - reach + index] }
                }
                let found = TruePeakMeter.highest(in: piece, reach..<reach + 16, above: 0)
                highest = max(highest, Decibels(amplitude: Double(found)))
            }
            var meter = TruePeakMeter(channels: 1)
            signal.forEachBlock { meter.add($0) }
            #expect(meter.peakSoFar.value >= highest.value - 1e-5)
            #expect(meter.peak().value >= highest.value - 1e-5)
        }
    }
}
