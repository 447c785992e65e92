package import ChirpTestKit
internal import Glibc

/// What sounds in a room when nothing happens.
package enum Noise: String, CaseIterable, Sendable {
    /// As strong at every frequency; as strong in every octave, like air and traffic; many voices at once.
    case white, pink, babble

    /// So many samples of it; how strong is left to whoever adds it.
    package func samples(
        _ count: Int, rate: Int, voices: VoiceLibrary, using random: inout SeededGenerator
    ) -> [Float] {
        switch self {
        case .white: return whiteNoise(count, using: &random)
        case .pink: return pinkNoise(count, using: &random)
        case .babble:
            var sum = [Float](repeating: 0, count: count)
            for _ in 0..<7 {
                var place = -Int.random(in: 0..<rate, using: &random)
                while place < count {
                    let voice = voices.utterance(rate: rate, using: &random)
                    for index in voice.indices where place + index >= 0 && place + index < count {
                        sum[place + index] += voice[index]
                    }
                    place += voice.count
                }
            }
            return sum
        }
    }
}

/// The sum of four even ones is near enough to a bell.
func whiteNoise(_ count: Int, using random: inout SeededGenerator) -> [Float] {
    (0..<count).map { _ in
        let bits = random.next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
        return (Float(sum) / 32768 - 4) * 0.866
    }
}

/// White noise through filters whose sum falls by 3 dB an octave.
private func pinkNoise(_ count: Int, using random: inout SeededGenerator) -> [Float] {
    let poles: [(pole: Float, gain: Float)] = [
        (0.998, 0.1), (0.985, 0.27), (0.92, 0.6), (0.7, 0.9), (0.2, 1),
    ]
    var states = [Float](repeating: 0, count: poles.count)
    return whiteNoise(count, using: &random).map { sample in
        var sum: Float = 0
        for index in poles.indices {
            states[index] = poles[index].pole * states[index] + (1 - poles[index].pole) * sample * poles[index].gain * 8
            sum += states[index]
        }
        return sum
    }
}

/// Root of the mean square; 0 for nothing.
package func level(of samples: ArraySlice<Float>) -> Float {
    guard !samples.isEmpty else { return 0 }
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return Float((sum / Double(samples.count)).squareRoot())
}

/// Decibels as a factor.
package func factor(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
