import ChirpMusic
import ChirpTestKit
import Foundation
import MadeSounds
import Testing

/// Counted by ear. The whole measurement is Benchmarks/hearing; here is a share of it.
struct EventCountTests {
    private static let voices = VoiceLibrary(folder: "")

    @Test(arguments: 0..<3)
    func `claps, bounces and skips are counted at 20 dB`(number: Int) {
        let made = MadeEvents(
            number, most: 20, rate: 16000, ratio: 20, sounds: EventSounds(), voices: Self.voices, seed: 42)
        let count = EventCount(of: made.kind, in: made.samples, rate: made.rate)
        #expect(count.count == made.instants.count, "\(made.kind) \(made.noise) \(made.fading) s")
        for (event, instant) in zip(count.events, made.instants) where count.count == made.instants.count {
            // A rope and the feet behind it are one skip; either may be the clearer.
            #expect(abs(event.seconds - instant) < (made.kind == .skips ? 0.14 : 0.02))
        }
    }

    @Test(arguments: [70.0, 110, 160])
    func `dull sounds without a click are counted, in a rumble that rises towards them`(pitch: Double) {
        var random = SeededGenerator(seed: 15)
        let rate = 8000
        let instants = (0..<14).map { 0.6 + 0.37 * Double($0) }
        // Noise as strong in every octave as in the next, nearly.
        var slow: Float = 0
        var samples = (0..<(6 * rate)).map { _ in
            let white = Float.random(in: -1...1, using: &random)
            slow += 0.05 * (white - slow)
            return 0.01 * white + 0.04 * slow
        }
        for (number, instant) in instants.enumerated() {
            let gain = [0.1, 0.16, 0.12, 0.2][number % 4]
            for index in 0..<(rate / 2) where Int(instant * Double(rate)) + index < samples.count {
                let time = Double(index) / Double(rate)
                let body = min(1, time / 0.012) * exp(-time / 0.12) * sin(2 * .pi * pitch * time)
                samples[Int(instant * Double(rate)) + index] += Float(gain * body)
            }
        }
        let count = EventCount(of: .bounces, in: samples, rate: rate)
        #expect(count.count == instants.count, "\(count.events)")
    }

    /// Four ticks in 42 ms, each at another pitch: alone none of them is much more than the noise.
    @Test(arguments: UInt64(0)..<12)
    func `soft sounds are counted by what follows their beginnings`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rate = 16000
        let instants = (0..<20).map { 0.6 + 0.4 * Double($0) + .random(in: -0.03...0.03, using: &random) }
        var samples = (0..<(9 * rate)).map { _ in Float.random(in: -0.01...0.01, using: &random) }
        for instant in instants {
            let gain = 0.0125 * Double(factor(.random(in: -4...4, using: &random)))
            for (number, pitch) in [300.0, 900, 1800, 3200].enumerated() {
                let start = Int((instant + 0.014 * Double(number)) * Double(rate))
                for index in 0..<(rate / 32) {
                    let time = Double(index) / Double(rate)
                    samples[start + index] += Float(gain * exp(-time / 0.006) * sin(2 * .pi * pitch * time))
                }
            }
        }
        let count = EventCount(of: .skips, in: samples, rate: rate)
        #expect(count.count == instants.count)
        for (event, instant) in zip(count.events, instants) { #expect(abs(event.seconds - instant) < 0.06) }
    }

    @Test func `those between start and stop are counted`() {
        let count = EventCount(Onsets([1.0, 2, 3, 4].map { Onset(seconds: $0, strength: 2) }), minimumGap: 0.1)
        #expect(count.count == 4 && count.count(in: 1.5...3) == 2 && count.count(in: 5...6) == 0)
    }

    @Test(arguments: EventCount.Kind.allCases)
    func `the code's tones are not counted, and what begins beside them is`(kind: EventCount.Kind) throws {
        // Hits from 0.35 s behind the start to the end.
        var random = SeededGenerator(seed: 12)
        let rate = 8000
        let code = try #require(AttemptCode("5550"))
        let made = EventSounds().pick(kind, rate: rate, using: &random)
        var played = [Float](repeating: 0, count: 12 * rate)
        func add(_ sound: [Float], at seconds: Double, gain: Float) {
            for (offset, sample) in sound.enumerated() where Int(seconds * Double(rate)) + offset < played.count {
                played[Int(seconds * Double(rate)) + offset] += gain * sample
            }
        }
        add(StartSignal.samples(code: code, rate: rate), at: 1, gain: 0.3)
        add(StartSignal.stopSamples(rate: rate), at: 10.3, gain: 0.3)
        for hit in 0..<14 { add(made.hits[hit % made.hits.count], at: 4.35 + 0.41 * Double(hit), gain: 1) }
        var samples = Room(fading: 0.6, direct: 2, rate: rate, using: &random).heard(played)
        for index in samples.indices { samples[index] += .random(in: -0.001...0.001, using: &random) }
        let take = try TimedTake.find(in: samples, rate: rate, code: code)
        #expect(EventCount(of: kind, in: samples, rate: rate, during: take).count == 14)
    }

    @Test(arguments: EventCount.Kind.allCases) func `nothing is nothing`(kind: EventCount.Kind) {
        #expect(EventCount(of: kind, in: [Float](), rate: 8000).count == 0)
        #expect(EventCount(of: kind, in: [Float](repeating: 0, count: 9), rate: 8000).count == 0)
    }
}
