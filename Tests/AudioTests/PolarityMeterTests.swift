import ChirpAudio
import ChirpTestKit
import Testing

/// W-2: channels that cancel each other are noticed before they are mixed to one.
struct PolarityMeterTests {
    private static let mono = AudioFormat(sampleRate: 16000, channels: 1)
    private static let speech = Signal.speech(mono, seconds: 4, head: 0.5, tail: 0.5).planes[0]
    private static let other = Signal.speech(mono, seconds: 4, head: 0.5, tail: 0.5, seed: 99).planes[0]
    private static let noise = Signal.noise(AudioFormat(sampleRate: 16000, channels: 2), level: -40, seconds: 5).planes

    private func downmix(_ left: [Float], _ right: [Float], block: Int = 4096) -> MonoDownmix {
        let signal = Signal(format: AudioFormat(sampleRate: 16000, channels: 2), planes: [left, right])
        var meter = PolarityMeter(sampleRate: 16000)
        signal.forEachBlock(of: block) { meter.add($0) }
        return meter.downmix
    }

    private func sum(_ a: [Float], _ b: [Float], _ factor: Float = 1) -> [Float] { zip(a, b).map { $0 + factor * $1 } }

    @Test(arguments: [1, 0.9, 0.3] as [Float], [1, 777, 4096])
    func `a swapped wire is noticed at any level`(factor: Float, block: Int) {
        let inverse = Self.speech.map { -factor * $0 }
        #expect(downmix(Self.speech, inverse, block: block) == .difference)
        #expect(downmix(inverse, Self.speech, block: block) == .difference)
        // With noise of its own in each channel, and offsets that agree or do not.
        let noisy = (sum(Self.speech, Self.noise[0], 0.3), sum(inverse, Self.noise[1], 0.3))
        #expect(downmix(noisy.0.map { $0 + 0.2 }, noisy.1.map { $0 + 0.2 }) == .difference)
        #expect(downmix(noisy.0.map { $0 + 0.2 }, noisy.1.map { $0 - 0.2 }) == .difference)
    }

    @Test func `ordinary recordings are mixed by their mean`() {
        let silence = [Float](repeating: 0, count: Self.speech.count)
        #expect(downmix(Self.speech, Self.speech) == .mean)
        #expect(downmix(Self.speech, Self.speech.map { 0.5 * $0 }) == .mean)
        // Two voices, one on each side; one side only; both silent; noise alone.
        #expect(downmix(Self.speech, Self.other) == .mean)
        #expect(downmix(Self.speech, silence) == .mean && downmix(silence, Self.speech) == .mean)
        #expect(downmix(silence, silence) == .mean && downmix([], []) == .mean)
        #expect(downmix(Self.noise[0], Self.noise[1]) == .mean)
        // A voice in the middle, with room that differs.
        #expect(downmix(sum(Self.speech, Self.other, 0.5), sum(Self.speech, Self.other, -0.5)) == .mean)
        // Opposite offsets are not sound.
        #expect(downmix(Self.speech.map { $0 + 0.4 }, Self.speech.map { $0 - 0.4 }) == .mean)
    }

    @Test func `a wide recording with a swapped wire is turned round`() {
        let (left, right) = (sum(Self.speech, Self.other, 0.3), sum(Self.speech, Self.other, -0.3))
        #expect(downmix(left, right) == .mean)
        #expect(downmix(left, right.map { -$0 }) == .difference)
    }

    @Test(arguments: [0.15, 0.5, 0.85])
    func `inverted for part of the time leaves the louder channel`(share: Double) {
        let inverted = Int(share * Double(Self.speech.count))
        let right = Self.speech.enumerated().map { $0.offset < inverted ? -0.8 * $0.element : 0.8 * $0.element }
        #expect(downmix(Self.speech, right) == .left)
        #expect(downmix(right, Self.speech) == .right)
    }

    @Test func `less than a window is judged too`() {
        let short = Array(Self.speech[9600..<10400])
        #expect(downmix(short, short.map { -$0 }) == .difference)
    }

    @Test(arguments: [MonoDownmix.mean, .difference, .left, .right])
    func `two channels become one as is said`(downmix: MonoDownmix) {
        var stereo = AudioBlock(format: AudioFormat(sampleRate: 8000, channels: 2), capacity: 4)
        var mono = AudioBlock(format: AudioFormat(sampleRate: 8000, channels: 1), capacity: 4)
        stereo.resize(toFrames: 1)
        stereo.withMutablePlane(0) { $0[0] = 0.5 }
        stereo.withMutablePlane(1) { $0[0] = -0.25 }
        mix(stereo, into: &mono, by: downmix)
        let expected: [MonoDownmix: Float] = [.mean: 0.125, .difference: 0.375, .left: 0.5, .right: -0.25]
        #expect(mono.frames == 1 && mono.withPlane(0) { $0[0] } == expected[downmix])
    }
}
