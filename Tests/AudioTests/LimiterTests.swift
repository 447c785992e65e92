import ChirpAudio
import ChirpTestKit
import Testing

struct LimiterTests {
    private static let mono = AudioFormat(sampleRate: 44100, channels: 1)

    private func limited(
        _ signal: Signal, gain: Double, ceiling: Double = -1, block: Int = 4096
    ) -> (Signal, Decibels) {
        var limiter = Limiter(format: signal.format, gain: Decibels(gain), ceiling: Decibels(ceiling))
        var output = AudioBlock(format: signal.format, capacity: 1000)
        var result = Signal.silence(signal.format, seconds: 0)
        func collect() {
            while limiter.take(into: &output) {
                for channel in result.planes.indices {
                    output.withPlane(channel) { plane in
                        for index in plane.indices { result.planes[channel].append(plane[index]) }
                    }
                }
            }
        }
        signal.forEachBlock(of: block) { input in
            limiter.add(input)
            collect()
        }
        limiter.flush()
        collect()
        return (result, limiter.deepest)
    }

    private func truePeak(_ signal: Signal) -> Double {
        var meter = TruePeakMeter(channels: signal.format.channels)
        signal.forEachBlock { meter.add($0) }
        return meter.peak().value
    }

    @Test(arguments: [0.0, 6.0, 20.0, 40.0])
    func `no true peak exceeds the ceiling and no frame is lost`(gain: Double) {
        let noise = Signal.noise(AudioFormat(sampleRate: 44100, channels: 2), level: -12, seconds: 0.7)
        let speech = Signal.speech(AudioFormat(sampleRate: 44100, channels: 2), seconds: 0.73)
        for signal in [noise, speech, noise + speech] {
            let (result, _) = limited(signal, gain: gain)
            #expect(result.frames == signal.frames)
            #expect(truePeak(result) < -1 + 0.05)
        }
    }

    @Test func `what stays below the ceiling is only amplified`() {
        let signal = Signal.speech(Self.mono, seconds: 0.5).amplified(by: -20)
        let (result, deepest) = limited(signal, gain: 6)
        let expected = signal.amplified(by: 6)
        #expect(deepest == .zero)
        #expect(zip(result.planes[0], expected.planes[0]).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test(arguments: [1, 63, 64, 65, 1000, 20000])
    func `the cutting into blocks does not change a sample`(block: Int) {
        let signal = Signal.speech(Self.mono, seconds: 0.6)
        #expect(limited(signal, gain: 15, block: block).0 == limited(signal, gain: 15).0)
    }

    @Test func `memory ends after a fifth of a second`() {
        // A loud burst in front changes nothing later: segments can be made alone.
        let burst = Signal.noise(Self.mono, level: 0, seconds: 64.0 * 100 / 44100)
        let quiet = Signal.silence(Self.mono, seconds: 64.0 * 160 / 44100)
        let speech = Signal.speech(Self.mono, seconds: 0.5)
        let together = limited(burst.followed(by: quiet).followed(by: speech), gain: 12).0
        let alone = limited(speech, gain: 12).0
        #expect(Array(together.planes[0].suffix(alone.frames)) == alone.planes[0])
    }

    @Test func `the gain moves slowly enough not to pump`() {
        let tone = Signal.sine(Self.mono, frequency: 441, level: -14, seconds: 1)
        var signal = tone
        signal.planes[0][22050] = 0.9
        let (result, deepest) = limited(signal, gain: 12)
        #expect(deepest.value > 8)
        // The envelope of the tone per 10 ms: one period of 441 Hz is 100 samples.
        var levels: [Double] = []
        for start in stride(from: 0, to: 44100 - 441, by: 441) where !(start..<(start + 441)).contains(22050) {
            let sum = result.planes[0][start..<(start + 400)].reduce(0) { $0 + Double($1) * Double($1) }
            levels.append(Decibels(amplitude: (sum / 400).squareRoot()).value)
        }
        let steps = zip(levels, levels.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > -8 && $0 < 1.5 })
        // Back after 200 ms.
        #expect(abs(levels[75] - levels[10]) < 0.01)
    }

    @Test func `both channels are lowered together`() {
        var signal = Signal.sine(AudioFormat(sampleRate: 44100, channels: 2), frequency: 441, level: -14, seconds: 0.5)
        signal.planes[0][11025] = 0.9
        signal.planes[1][11025] = signal.planes[1][11024]
        let (result, _) = limited(signal, gain: 12)
        for index in 10000..<11000 { #expect(abs(result.planes[0][index] - result.planes[1][index]) < 1e-6) }
    }
}
