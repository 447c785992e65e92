import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

/// Beginnings of sounds.
struct OnsetTests {
    /// Bursts of 60 ms at the instants, over noise.
    private func bursts(_ instants: [Double], rate: Int, seconds: Double, noise: Float = 0.0005) -> [Float] {
        var random = SeededGenerator(seed: 3)
        var samples = (0..<Int(seconds * Double(rate))).map { _ in Float.random(in: -noise...noise, using: &random) }
        for instant in instants {
            let start = Int((instant * Double(rate)).rounded())
            for index in 0..<Int(0.06 * Double(rate)) where start + index < samples.count {
                let fade = exp(-Double(index) / Double(rate) / 0.015)
                samples[start + index] += .random(in: -0.5...0.5, using: &random) * Float(fade)
            }
        }
        return samples
    }

    @Test(arguments: [8000, 16000, 48000])
    func `the beginnings of sounds are found to 3 ms`(rate: Int) {
        let instants = [0.3, 0.55, 1.2, 1.31, 2.0, 2.9]
        let found = Onsets(in: bursts(instants, rate: rate, seconds: 3.5), rate: rate).strong(gap: 0.05)
        #expect(found.count == instants.count, "\(found)")
        for (onset, instant) in zip(found, instants) { #expect(abs(onset.seconds - instant) < 0.003, "\(onset)") }
    }

    /// At this rate 5 ms are no whole number of samples.
    @Test func `a minute does not shift what is found`() throws {
        let samples = bursts([58], rate: 11025, seconds: 60)
        let found = Onsets(in: samples, rate: 11025).strong(gap: 0.05)
        #expect(found.count == 1)
        #expect(abs(try #require(found.last).seconds - 58) < 0.003)
    }

    @Test func `silence, noise and what is no number have no beginnings`() {
        #expect(Onsets(in: [Float](), rate: 16000).all.isEmpty)
        #expect(Onsets(in: [Float](repeating: 0, count: 32000), rate: 16000).all.isEmpty)
        #expect(Onsets(in: [Float](repeating: 0.3, count: 32000), rate: 16000).all.isEmpty)
        let nothing: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude]
        #expect(Onsets(in: (0..<32000).map { nothing[$0 % 4] }, rate: 16000).all.isEmpty)
        #expect(Onsets(in: bursts([], rate: 16000, seconds: 10), rate: 16000).all.isEmpty)
    }

    @Test func `a tone that glides begins once`() {
        var phase = 0.0
        let samples = (0..<48000).map { index -> Float in
            guard index >= 8000 else { return 0 }
            phase += 2 * .pi * (400 + 60 * sin(Double(index) / 1500)) / 16000
            return Float(0.3 * (sin(phase) + 0.5 * sin(2 * phase) + 0.3 * sin(3 * phase)))
        }
        let found = Onsets(in: samples, rate: 16000).strong(gap: 0.05)
        #expect(found.count == 1 && abs((found.first?.seconds ?? 0) - 0.5) < 0.005)
    }

    @Test func `of sounds that are close the strongest counts`() {
        let onsets = Onsets(
            [(1.0, 2.0), (1.04, 3), (1.08, 2.5), (2, 3), (3, 0.4)].map { Onset(seconds: $0.0, strength: $0.1) })
        #expect(onsets.strong(gap: 0.05).map(\.seconds) == [1.04, 2])
        #expect(onsets.strong(gap: 0.03).map(\.seconds) == [1, 1.04, 1.08, 2])
        #expect(Onsets([Onset]()).strong(gap: 0.05).isEmpty)
    }
}
