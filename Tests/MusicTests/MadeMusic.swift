import ChirpMusic
import ChirpTestKit
import Foundation

/// Music that is made, with the truth about it.
enum MadeMusic {
    /// Short noises at even distances, the first after a tenth of a second.
    static func clicks(tempo: Double, seconds: Double, rate: Int = 22050) -> [Float] {
        var random = SeededGenerator(seed: 5)
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        for beat in 0..<Int((seconds - 0.1) * tempo / 60) {
            add(to: &samples, at: 0.1 + Double(beat) * 60 / tempo, lasting: 0.05, rate: rate) { time in
                Float.random(in: -0.5...0.5, using: &random) * Float(exp(-time / 0.01))
            }
        }
        return samples
    }

    /// Four beats in a bar as most music has them: a bass drum on the first and third, a snare on the others, a hat on every half beat.
    static func drums(tempo: Double, seconds: Double, rate: Int = 22050) -> [Float] {
        var random = SeededGenerator(seed: 7)
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        var half = 0
        while 0.1 + Double(half) * 30 / tempo < seconds {
            let start = 0.1 + Double(half) * 30 / tempo
            add(to: &samples, at: start, lasting: 0.05, rate: rate) { time in
                Float.random(in: -0.1...0.1, using: &random) * Float(exp(-time / 0.015))
            }
            if half % 4 == 0 {
                add(to: &samples, at: start, lasting: 0.2, rate: rate) { time in
                    0.6 * Float(sin(2 * .pi * 55 * time) * exp(-time / 0.06))
                }
            } else if half % 4 == 2 {
                add(to: &samples, at: start, lasting: 0.15, rate: rate) { time in
                    Float.random(in: -0.4...0.4, using: &random) * Float(exp(-time / 0.04))
                }
            }
            half += 1
        }
        return samples
    }

    /// The chords of the first, fourth, fifth and first degree, a second each, over and over.
    ///
    /// - Parameter cents: by which all of it is above the tuning of A at 440 Hz.
    static func cadence(in key: MusicalKey, seconds: Double, cents: Double = 0, rate: Int = 22050) -> [Float] {
        // The fifth degree has its leading note in minor too.
        let degrees = [(0, key.mode), (5, key.mode), (7, .major), (0, key.mode)]
        let chords = (0..<Int(seconds)).map { second in
            let (degree, mode) = degrees[second % 4]
            return MusicalKey(tonic: key.tonic + degree, mode: mode)
        }
        return self.chords(chords, cents: cents, rate: rate)
    }

    /// Chords of three notes and a bass, a second each.
    ///
    /// - Parameters:
    ///   - chords: each told by the key of which it is the first.
    ///   - cents: by which all of it is above the tuning of A at 440 Hz.
    static func chords(_ chords: [MusicalKey], cents: Double = 0, rate: Int = 22050) -> [Float] {
        var samples = [Float](repeating: 0, count: chords.count * rate)
        for (second, chord) in chords.enumerated() {
            let third = chord.mode == .major ? 4 : 3
            for note in [chord.tonic - 12, chord.tonic, chord.tonic + third, chord.tonic + 7] {
                let frequency = 261.6256 * exp2((Double(note) + cents / 100) / 12)
                add(to: &samples, at: Double(second), lasting: 1, rate: rate) { time in
                    let partials = (1...4).reduce(0.0) {
                        $0 + sin(2 * .pi * frequency * Double($1) * time) / Double($1 * $1)
                    }
                    return Float(0.1 * partials * exp(-time))
                }
            }
        }
        return samples
    }

    static func noise(seconds: Double, level: Float = 0.1, rate: Int = 22050) -> [Float] {
        var random = SeededGenerator(seed: 11)
        return (0..<Int(seconds * Double(rate))).map { _ in .random(in: -level...level, using: &random) }
    }

    private static func add(
        to samples: inout [Float], at start: Double, lasting seconds: Double, rate: Int, _ sound: (Double) -> Float
    ) {
        let first = Int((start * Double(rate)).rounded())
        for index in 0..<Int(seconds * Double(rate)) where first + index < samples.count {
            samples[first + index] += sound(Double(index) / Double(rate))
        }
    }
}

/// What a whole sound is analysed to.
func profile(of samples: [Float], rate: Int = 22050) throws(MusicAnalysisError) -> SoundProfile {
    var analysis = try MusicAnalysis(rate: rate)
    analysis.append(samples)
    return try analysis.finish()
}
