import ChirpMusic
import ChirpTestKit
import Foundation
import MadeSounds

/// A track, what is said in its previews, and previews of it, all made, at the rate of what is compared.
struct MadeLeak {
    static let rate = TaggedLeak.rate
    static let seconds = 60
    let track: [Float]
    let voice: [Float]
    /// A thousand listeners.
    let plans: [TagPlan]

    /// - Parameter loop: after how many seconds the track repeats itself to the sample; nil: never.
    init(loop: Int? = nil, seed: UInt64 = 3) {
        var random = SeededGenerator(seed: seed)
        var notes: [Float] = []
        for _ in 0..<(loop ?? Self.seconds) * 2 {
            let tones = (0..<3).map { _ in 110 * exp2(Double.random(in: 0..<48, using: &random).rounded() / 12) }
            for index in 0..<Self.rate / 2 {
                let time = Double(index) / Double(Self.rate)
                let sum = tones.reduce(0.0) { $0 + sin(2 * .pi * $1 * time) + 0.3 * sin(6 * .pi * $1 * time) }
                let hiss = Float.random(in: -0.2...0.2, using: &random) * Float(exp(-time / 0.03))
                notes.append(Float(0.1 * sum * exp(-time / 0.3)) + hiss)
            }
        }
        track = (0..<Self.seconds * Self.rate).map { notes[$0 % notes.count] }
        // Syllables: tones that glide, between breaths.
        var phase = 0.0
        voice = (0..<Self.rate * 9 / 10).map { index in
            let time = Double(index) / Double(Self.rate)
            phase += 2 * .pi * (120 + 30 * sin(9 * time)) / Double(Self.rate)
            let buzz = (1...12).reduce(0.0) {
                $0 + sin(Double($1) * phase) / Double($1) * (1 + sin(Double($1) + 8 * time))
            }
            return Float(0.15 * buzz * abs(sin(2 * .pi * 2.3 * time)))
        }
        let slots = TagSlots(
            beats: (0..<120).map { 0.5 * Double($0) }, loudestSecond: nil, length: Double(Self.seconds), voice: 0.9)
        plans = (0..<1000).map { TagPlan(slots, seed: UInt64($0) &* 0x5851_F42D_4C95_7F2D) }
    }

    func preview(_ plan: TagPlan) -> [Float] {
        var samples = track
        for place in plan.places {
            let first = Int((place * Double(Self.rate)).rounded())
            for index in voice.indices where first + index < samples.count {
                samples[first + index] = 0.5 * samples[first + index] + voice[index]
            }
        }
        return samples
    }

    /// 25 seconds of something, noisy, at another speed, half as loud.
    func leak(of samples: [Float], from second: Double, speed: Double = 1, noise: Float = 0.02) -> [Float] {
        var random = SeededGenerator(seed: 11)
        let first = Int(second * Double(Self.rate))
        let part = Array(samples[first..<first + 25 * Self.rate])
        return (speed == 1 ? part : resampled(part, ratio: speed)).map {
            0.5 * $0 + Float.random(in: -noise...noise, using: &random)
        }
    }
}
