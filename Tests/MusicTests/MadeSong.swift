import ChirpTestKit
import Foundation

/// Music of a sort: a new chord of three notes with overtones each quarter of a second, and a hiss on every beat. Another seed is another song.
enum MadeSong {
    static func samples(seed: UInt64, seconds: Double, rate: Int = 11_025) -> [Float] {
        var random = SeededGenerator(seed: seed)
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        let step = rate / 4
        for start in stride(from: 0, to: samples.count, by: step) {
            let notes = (0..<3).map { _ in 220 * pow(2, Double(Int.random(in: 0...24, using: &random)) / 12) }
            for index in start..<min(samples.count, start + 2 * step) {
                let time = Double(index - start) / Double(rate)
                var sum = 0.0
                for note in notes {
                    for overtone in 1...5 where note * Double(overtone) < 4500 {
                        sum += sin(2 * .pi * note * Double(overtone) * time) / Double(overtone)
                    }
                }
                samples[index] += Float(0.08 * sum * exp(-4 * time))
            }
            if start / step % 2 == 0 {
                for index in start..<min(samples.count, start + rate / 20) {
                    samples[index] += .random(in: -0.1...0.1, using: &random)
                }
            }
        }
        return samples
    }
}
