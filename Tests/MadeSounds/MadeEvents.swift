package import ChirpMusic
internal import ChirpTestKit
internal import Glibc

/// A recording of claps, bounces or skips that was made, and where they are.
package struct MadeEvents: Sendable {
    package let kind: EventCount.Kind
    package let rate: Int
    package let samples: [Float]
    /// In seconds.
    package let instants: [Double]
    package let noise: Noise
    /// Whether the sounds were recorded, until 60 dB are gone in seconds, and from one event to the next.
    package let isRecorded: Bool
    package let fading: Double
    package let interval: Double

    /// - Parameters:
    ///   - number: of a series: everything in turn.
    ///   - most: so many of them.
    ///   - rate: nil: in turn, too.
    ///   - ratio: of the mean power in the 50 ms behind each event to that of the noise, in decibels.
    package init(
        _ number: Int, most: Int = 200, rate: Int? = nil, ratio: Double, sounds: EventSounds, voices: VoiceLibrary,
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed &* 11_000_003 &+ UInt64(number) &* 17)
        let kind = EventCount.Kind.allCases[number % 3]
        let rate = rate ?? [44100, 48000, 16000][number / 3 % 3]
        let count = Int(exp(Double.random(in: log(5.0)...log(Double(most) + 0.99), using: &random)))
        let usual: ClosedRange<Double> =
            switch kind {
            case .claps: 0.13...0.8
            case .bounces: 0.2...0.9
            case .skips: 0.25...0.7
            }
        let interval = Double.random(in: usual, using: &random)
        let unsteady = Double.random(in: 0...0.15, using: &random)
        let (sound, isRecorded) = sounds.pick(kind, rate: rate, using: &random)
        var instants: [Double] = []
        var time = Double.random(in: 0.3...2, using: &random)
        for _ in 0..<count {
            instants.append(time)
            time += interval * (1 + .random(in: -unsteady...unsteady, using: &random))
        }
        var dry = [Float](repeating: 0, count: Int((time + .random(in: 0.5...2, using: &random)) * Double(rate)))
        for instant in instants {
            let gain = factor(.random(in: -4...4, using: &random))
            let place = Int(instant * Double(rate))
            for (offset, sample) in (sound.randomElement(using: &random) ?? []).enumerated()
            where place + offset < dry.count { dry[place + offset] += gain * sample }
        }
        fading = [0.25, 0.6, 1.2][number / 9 % 3]
        let room = Room(
            fading: fading, direct: .random(in: 0...8, using: &random), rate: rate, using: &random)
        var heard = room.heard(dry)
        let powers = instants.map { instant in
            let place = Int(instant * Double(rate))
            let strength = level(of: heard[place..<min(heard.count, place + rate / 20)])
            return strength * strength
        }
        let strength = (powers.reduce(0, +) / Float(powers.count)).squareRoot()
        noise = Noise.allCases[number % 7 % 3]
        let beside = noise.samples(heard.count, rate: rate, voices: voices, using: &random)
        let gain = strength / max(1e-9, level(of: beside[...])) * factor(-ratio)
        for index in heard.indices { heard[index] += gain * beside[index] }
        let loudest = heard.reduce(Float(0)) { max($0, abs($1)) }
        self.kind = kind
        self.rate = rate
        self.instants = instants
        self.isRecorded = isRecorded
        self.interval = interval
        samples = heard.map { $0 * 0.7 / max(loudest, 1e-9) }
    }
}
