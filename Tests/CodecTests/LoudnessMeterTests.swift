import ChirpAudio
import ChirpCodecs
import ChirpTestKit
import Testing

struct LoudnessMeterTests {
    private static let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    private func measure(_ signal: Signal, dualMono: Bool = true) -> Loudness {
        var meter = LoudnessMeter(format: signal.format, dualMono: dualMono)
        signal.forEachBlock { meter.add($0) }
        return meter.result()
    }

    private func tones(_ parts: [(level: Double, seconds: Double)]) -> Signal {
        parts.reduce(Signal.silence(Self.stereo, seconds: 0)) {
            $0.followed(by: .sine(Self.stereo, frequency: 1000, level: $1.level, seconds: $1.seconds))
        }
    }

    /// EBU Tech 3341 (2016), table 1, cases 1 to 5: integrated loudness within 0.1 LU.
    private static let integratedTable: [([(Double, Double)], Double)] = [
        ([(-23.0, 20.0)], -23.0),
        ([(-33, 20)], -33),
        ([(-36, 10), (-23, 60), (-36, 10)], -23),
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ]

    @Test(arguments: integratedTable)
    func `integrated loudness meets the table of the standard`(parts: [(Double, Double)], expected: Double) throws {
        let result = measure(tones(parts.map { (level: $0.0, seconds: $0.1) }))
        let integrated = try #require(result.integrated)
        #expect(abs(integrated.value - expected) <= 0.1)
    }

    /// Cases 9 and 12: the sliding windows see one level all the time.
    @Test func `short term and momentary loudness are steady where the standard says so`() throws {
        let slow = measure(
            tones((0..<5).flatMap { _ in [(level: -20.0, seconds: 1.34), (level: -30.0, seconds: 1.66)] }))
        #expect(abs(try #require(slow.shortTermMaximum).value + 23) <= 0.1)
        let fast = measure(
            tones((0..<25).flatMap { _ in [(level: -20.0, seconds: 0.18), (level: -30.0, seconds: 0.22)] }))
        #expect(abs(try #require(fast.momentaryMaximum).value + 23) <= 0.1)
    }

    /// Cases 10 and 13: one tone as long as the window, at any offset, is caught whole.
    @Test(arguments: [0, 1, 5, 10, 19])
    func `the loudest window is found wherever it lies`(index: Int) throws {
        let long = Signal.silence(Self.stereo, seconds: Double(index) * 0.15)
            .followed(by: tones([(level: -23, seconds: 3)])).followed(by: .silence(Self.stereo, seconds: 1))
        #expect(abs(try #require(measure(long).shortTermMaximum).value + 23) <= 0.1)
        let short = Signal.silence(Self.stereo, seconds: Double(index) * 0.02)
            .followed(by: tones([(level: -23, seconds: 0.4)])).followed(by: .silence(Self.stereo, seconds: 1))
        #expect(abs(try #require(measure(short).momentaryMaximum).value + 23) <= 0.1)
    }

    /// EBU Tech 3342 (2011), table 1, cases 1 to 4: loudness range within 1 LU.
    private static let rangeTable: [([Double], Double)] = [
        ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ]

    @Test(arguments: rangeTable)
    func `loudness range meets the table of the standard`(levels: [Double], expected: Double) throws {
        let range = try #require(measure(tones(levels.map { (level: $0, seconds: 20) })).range)
        #expect(abs(range - expected) <= 1)
    }

    @Test(arguments: [8000, 22050, 44100, 48000, 96000], [1, 2])
    func `libebur128 agrees`(rate: Int, channels: Int) throws {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let signal = Signal.speech(format, seconds: 6) + .noise(format, level: -50, seconds: 6)
        var reference = try ReferenceLoudnessMeter(format: format, dualMono: true)
        try signal.forEachBlock { (block) throws(AudioError) in try reference.add(block) }
        let expected = try reference.result()
        let result = measure(signal)
        #expect(abs(try #require(result.integrated).value - (try #require(expected.integrated).value)) < 0.02)
        #expect(abs(try #require(result.range) - expected.range) < 1)
        #expect(abs(try #require(result.truePeak).value - expected.truePeak.value) < 0.3)
    }

    @Test func `mono counts as heard on two channels unless told otherwise`() throws {
        let signal = Signal.sine(AudioFormat(sampleRate: 44100, channels: 1), frequency: 997, level: -20, seconds: 1)
        #expect(abs(try #require(measure(signal).integrated).value + 20) < 0.05)
        #expect(abs(try #require(measure(signal, dualMono: false).integrated).value + 23.01) < 0.05)
    }

    @Test func `silence has no loudness and a short sound has that of all there is`() throws {
        let silent = measure(.silence(Self.stereo, seconds: 1))
        #expect(silent.best == nil && silent.range == nil && silent.momentaryMaximum == nil)
        #expect(silent.truePeak == .silence && silent.samplePeak == .silence)
        let short = measure(tones([(level: -23, seconds: 0.3)]))
        #expect(short.integrated == nil)
        #expect(abs(try #require(short.best).value + 23) < 0.2)
        #expect(measure(.silence(Self.stereo, seconds: 0)).best == nil)
    }
}
