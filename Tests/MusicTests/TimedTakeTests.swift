import ChirpMusic
import ChirpTestKit
import Foundation
import MadeSounds
import Testing

/// Timed by sound. The whole measurement is Benchmarks/hearing; here is a share of it, and what a table of attempts does not have.
struct TimedTakeTests {
    private static let voices = VoiceLibrary(folder: "")
    /// Of most recordings here, the lowest that holds the tones; so the tests are quick.
    private static let rate = StartSignal.leastRate
    private let code: AttemptCode

    init() throws { code = try #require(AttemptCode("3141")) }

    /// The start signal and the stop tone in faint noise.
    private func recording(
        code: AttemptCode, rate: Int = Self.rate, head: Double = 1, duration: Double = 5, hasStop: Bool = true
    ) -> [Float] {
        func index(_ seconds: Double) -> Int { Int((seconds * Double(rate)).rounded()) }
        var random = SeededGenerator(seed: 9)
        let end = index(head + StartSignal.longOffset) + index(duration)
        var samples = (0..<(max(end, index(head + StartSignal.length)) + rate)).map { _ in
            Float.random(in: -0.002...0.002, using: &random)
        }
        let sounds = [(index(head), StartSignal.samples(code: code, rate: rate))]
        for (place, sound) in sounds + (hasStop ? [(end, StartSignal.stopSamples(rate: rate))] : []) {
            for (offset, sample) in sound.enumerated() where place + offset < samples.count {
                samples[place + offset] += 0.6 * sample
            }
        }
        return samples
    }

    private func refusal(_ samples: [Float], rate: Int = Self.rate, code: AttemptCode? = nil) -> TimedTakeError? {
        do throws(TimedTakeError) {
            _ = try TimedTake.find(in: samples, rate: rate, code: code ?? self.code)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [8000, 11025, 48000])
    func `at any rate start and stop are found to a tenth of a millisecond`(rate: Int) throws {
        let take = try TimedTake.find(in: recording(code: code, rate: rate), rate: rate, code: code)
        #expect(abs(take.start - 4) < 0.0001 && abs(take.stop - 9) < 0.0001 && take.ending == .tone)
        #expect(take.code == code && take.confidence > 0.9)
        #expect(abs(try #require(take.drift)) < 3 && abs(take.duration - 5) < 0.0001)
    }

    @Test(arguments: [-200.0, 120])
    func `a clock that is wrong does not make an attempt longer`(drift: Double) throws {
        let heard = resampled(recording(code: code, duration: 20), ratio: 1 + drift * 1e-6)
        let take = try TimedTake.find(in: heard, rate: Self.rate, code: code)
        #expect(abs(try #require(take.drift) - drift) < 5)
        #expect(abs(take.duration - 20) < 0.0005 && abs(take.stop - 24 * (1 + drift * 1e-6)) < 0.0003)
    }

    @Test(arguments: [0.001, -0.001])
    func `a recording that was sped up or slowed down a little is refused`(speed: Double) throws {
        let heard = resampled(recording(code: code), ratio: 1 + speed)
        guard case .speed(let millionths) = refusal(heard) else {
            Issue.record("\(String(describing: refusal(heard)))")
            return
        }
        #expect(abs(Double(millionths) - speed * 1e6) < 10)
    }

    @Test(arguments: [0.95, 1.01])
    func `one that was sped up or slowed down by a hundredth or more has no start`(ratio: Double) {
        #expect(refusal(resampled(recording(code: code), ratio: ratio)) == .noStart)
    }

    @Test(arguments: [0.994, 1.0018])
    func `between these it is refused or somebody should listen`(ratio: Double) {
        let heard = resampled(recording(code: code), ratio: ratio)
        let take = try? TimedTake.find(in: heard, rate: Self.rate, code: code)
        #expect((take?.confidence ?? 0) < 0.3)
    }

    @Test(arguments: [0.001, 40])
    func `a telephone may be far too soft or clip`(gain: Float) throws {
        let rounded = recording(code: code).map { max(-1, min(1, ($0 * gain * 32767).rounded() / 32767)) }
        let take = try TimedTake.find(in: rounded, rate: Self.rate, code: code)
        #expect(abs(take.start - 4) < 0.0005 && abs(take.duration - 5) < 0.0005)
    }

    @Test func `a telephone may change its gain meanwhile`() throws {
        // Up 12 dB a second in silence, down 200 dB a second when it is loud: half of full scale is wanted.
        var gain: Float = 20
        let heard = recording(code: code).map { sample in
            let louder = sample * gain
            gain =
                abs(louder) > 0.5
                ? gain * pow(10, -10 / Float(Self.rate)) : min(50, gain * pow(10, 0.6 / Float(Self.rate)))
            return max(-1, min(1, louder))
        }
        let take = try TimedTake.find(in: heard, rate: Self.rate, code: code)
        #expect(abs(take.start - 4) < 0.001 && abs(take.duration - 5) < 0.001)
    }

    @Test(arguments: [0.1, 0.7, 1.6])
    func `an attempt may end while its code still sounds`(duration: Double) throws {
        let take = try TimedTake.find(in: recording(code: code, duration: duration), rate: Self.rate, code: code)
        #expect(abs(take.duration - duration) < 0.001 && take.ending == .tone)
    }

    @Test func `another attempt's recording is refused, and says whose it is`() throws {
        let other = try #require(AttemptCode("2718"))
        #expect(refusal(recording(code: other)) == .wrongCode(heard: other))
        // One digit besides the check digit differs.
        let near = try #require(AttemptCode("3142"))
        #expect(refusal(recording(code: near)) == .wrongCode(heard: near))
    }

    @Test func `of two attempts in one recording the one with the code counts`() throws {
        let other = try #require(AttemptCode("0007"))
        let samples = recording(code: other, duration: 4) + recording(code: code, duration: 6)
        let second = try TimedTake.find(in: samples, rate: Self.rate, code: code)
        #expect(abs(second.start - 13) < 0.001 && abs(second.duration - 6) < 0.001)
        let first = try TimedTake.find(in: samples, rate: Self.rate, code: other)
        #expect(abs(first.start - 4) < 0.001 && abs(first.duration - 4) < 0.001)
    }

    @Test func `who began to record late is timed, too`() throws {
        let late = Array(recording(code: code).dropFirst(Self.rate * 5 / 2))
        let take = try TimedTake.find(in: late, rate: Self.rate, code: code)
        #expect(abs(take.start - 1.5) < 0.001 && abs(take.duration - 5) < 0.001)
    }

    @Test func `without a stop tone the last strong sound ends it`() throws {
        var samples = recording(code: code, duration: 8, hasStop: false)
        #expect(refusal(samples) == .noStop)
        var random = SeededGenerator(seed: 4)
        for (instant, level) in [(7.9, 0.5), (10.25, 0.5), (11.0, 0.004)] {
            for index in 0..<(Self.rate / 20) {
                samples[Int(instant * Double(Self.rate)) + index] +=
                    Float(level * exp(-80 * Double(index) / Double(Self.rate))) * .random(in: -1...1, using: &random)
            }
        }
        let take = try TimedTake.find(in: samples, rate: Self.rate, code: code)
        #expect(take.ending == .sound && abs(take.stop - 10.25) < 0.004 && take.confidence <= 0.5)
    }

    /// Seconds as places in a recording.
    private func stretch(_ from: Double, _ to: Double) -> Range<Int> {
        Int(from * Double(Self.rate))..<Int(to * Double(Self.rate))
    }

    @Test func `a code that is not heard is no code`() {
        var samples = recording(code: code)
        for index in stretch(4.7, 6.2) { samples[index] = 0 }
        #expect(refusal(samples) == .noCode)
        // Two of its digits are not enough to tell it from others; the three that are left, and the check digit, are.
        var one = recording(code: code)
        for index in stretch(4.98, 5.22) { one[index] = 0 }
        #expect(refusal(one) == nil)
        var two = one
        for index in stretch(5.23, 5.47) { two[index] = 0 }
        #expect(refusal(two) == .noCode)
    }

    @Test func `what has no start has none`() {
        #expect(refusal([]) == .noStart)
        #expect(refusal([0.5]) == .noStart)
        #expect(refusal([Float](repeating: 0, count: 40_000)) == .noStart)
        let nothing: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e30, -1]
        #expect(refusal((0..<40_000).map { nothing[$0 % 6] }) == .noStart)
        // The stop tone, a steady tone, a click, voices.
        #expect(refusal(Array(recording(code: code).dropFirst(Self.rate * 7))) == .noStart)
        #expect(refusal((0..<40_000).map { Float(sin(Double($0) * 0.7)) }) == .noStart)
        #expect(refusal((0..<40_000).map { $0 == 20_000 ? 1 : 0 }) == .noStart)
        var random = SeededGenerator(seed: 6)
        let babble = Noise.babble.samples(50_000, rate: Self.rate, voices: Self.voices, using: &random)
        #expect(refusal(babble) == .noStart)
        #expect(refusal(recording(code: code), rate: 7999) == .rate(7999))
    }

    @Test func `samples that are no numbers are silence`() throws {
        var samples = recording(code: code)
        for index in stride(from: 0, to: samples.count, by: 997) {
            samples[index] = index.isMultiple(of: 2) ? .nan : .infinity
        }
        let take = try TimedTake.find(in: samples, rate: Self.rate, code: code)
        #expect(abs(take.start - 4) < 0.001 && abs(take.duration - 5) < 0.001)
    }

    @Test(arguments: [130])
    func `rooms, noise, voices and drift leave errors below 5 ms`(number: Int) throws {
        var conditions = MadeAttempt.conditions(number, seed: 42)
        conditions.codec = .none
        conditions.rate = 16000
        conditions.duration = 5
        let score = AttemptScore(try MadeAttempt(conditions, voices: Self.voices, seed: 42))
        #expect(score.codeIsRight && score.isExact, "\(conditions) \(String(describing: score.refusal))")
        #expect(abs(score.durationError ?? 1) < 0.005)
    }

    @Test(arguments: [Codec.opus24, .aac128, .mp3])
    func `lossy codecs leave errors below 5 ms`(codec: Codec) throws {
        var conditions = MadeAttempt.conditions(3, seed: 42)
        conditions.codec = codec
        conditions.rate = 16000
        conditions.duration = 5
        let score = AttemptScore(try MadeAttempt(conditions, voices: Self.voices, seed: 42))
        #expect(score.codeIsRight && score.isExact, "\(String(describing: score.refusal))")
    }
}
