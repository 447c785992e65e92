package import ChirpMusic
internal import ChirpTestKit
internal import Glibc

/// A recording of an attempt that was made, and the truth about it.
package struct MadeAttempt: Sendable {
    /// How it was made.
    package struct Conditions: Sendable {
        package var number: Int
        package var rate: Int
        /// Seconds until 60 dB are gone, and how much stronger the direct way is, in decibels.
        package var fading: Double
        package var direct: Double
        package var noise: Noise
        /// Of the tones as they are heard to the noise, both within 1 to 3.4 kHz, in decibels.
        package var ratio: Double
        /// Of voices to the tones; they speak over everything.
        package var voice: Double
        /// Of the recording's clock, in millionths.
        package var drift: Double
        package var codec: Codec
        /// In seconds.
        package var duration: Double
        package var hasStopTone: Bool
    }

    package let conditions: Conditions
    package let samples: [Float]
    package let code: AttemptCode
    /// In seconds of the recording.
    package let start: Double
    package let stop: Double

    package var rate: Int { conditions.rate }

    /// Conditions of a numbered attempt of a series: 162 of them have every ratio in every room with every codec and every noise.
    package static func conditions(_ number: Int, seed: UInt64) -> Conditions {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        let room = number / 6 % 3
        return Conditions(
            number: number, rate: [48000, 44100, 48000, 16000][number / 5 % 4], fading: [0.25, 0.6, 1.2][room],
            direct: [6, 2, -2][room] + Double.random(in: -2...2, using: &random),
            noise: Noise.allCases[number / 54 % 3], ratio: [30, 25, 20, 15, 10, 5][number % 6],
            voice: Double.random(in: -12...0, using: &random),
            drift: number % 5 == 0 ? (number % 2 == 0 ? 200 : -200) : Double.random(in: -200...200, using: &random),
            codec: [Codec.none, .opus24, .aac128][number / 18 % 3],
            duration: exp(Double.random(in: log(2.5)...log(75), using: &random)), hasStopTone: true)
    }

    package init(_ conditions: Conditions, voices: VoiceLibrary, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &* 7_000_003 &+ UInt64(conditions.number) &* 31)
        let rate = conditions.rate
        guard let code = AttemptCode(Int.random(in: 0...9999, using: &random)) else { preconditionFailure() }
        func index(_ seconds: Double) -> Int { Int((seconds * Double(rate)).rounded()) }
        let head = index(.random(in: 0.2...3, using: &random))
        let begin = head + index(StartSignal.longOffset)
        let end = begin + index(conditions.duration)
        let tail = index(.random(in: 0.6...2, using: &random))

        // What the device plays.
        var played = [Float](repeating: 0, count: end + index(0.5) + tail)
        func add(_ sound: [Float], at place: Int, to target: inout [Float], gain: Float = 1) {
            for (offset, sample) in sound.enumerated() where place + offset < target.count {
                target[place + offset] += gain * sample
            }
        }
        add(StartSignal.samples(code: code, rate: rate), at: head, to: &played)
        if conditions.hasStopTone { add(StartSignal.stopSamples(rate: rate), at: end, to: &played) }
        let room = Room(fading: conditions.fading, direct: conditions.direct, rate: rate, using: &random)
        var heard = room.heard(played)
        let long = begin..<(begin + index(StartSignal.long.length))
        let strength = level(of: heard[long])
        let tones = level(of: toneBand(heard[long], rate: rate))

        // What somebody says meanwhile, elsewhere in the room.
        var said = [Float](repeating: 0, count: heard.count)
        var place = index(.random(in: 0...2, using: &random))
        while place < said.count {
            let voice = voices.utterance(rate: rate, using: &random)
            add(voice, at: place, to: &said, gain: 10 * strength * factor(conditions.voice))
            place += voice.count + index(.random(in: 0.1...4, using: &random))
        }
        let corner = Room(fading: conditions.fading, direct: conditions.direct - 3, rate: rate, using: &random)
        said = corner.heard(said)
        var noise = conditions.noise.samples(heard.count, rate: rate, voices: voices, using: &random)
        let inBand = level(of: toneBand(noise[long], rate: rate))
        let gain = inBand > 0 ? tones / inBand * factor(-conditions.ratio) : 0
        for index in heard.indices {
            noise[index] *= gain
            heard[index] += said[index] + noise[index]
        }

        // What the recording makes of it.
        let clock = 1 + conditions.drift * 1e-6
        if conditions.drift != 0 { heard = resampled(heard, ratio: clock) }
        let loudest = heard.reduce(Float(0)) { max($0, abs($1)) }
        let scale = Float.random(in: 0.1...0.95, using: &random) / max(loudest, 1e-9)
        heard = heard.map { ($0 * scale * 32767).rounded() / 32767 }
        samples = try conditions.codec.heard(heard, rate: rate)
        self.conditions = conditions
        self.code = code
        start = Double(begin) / Double(rate) * clock
        stop = Double(end) / Double(rate) * clock
    }
}

/// What of a sound lies within 1 and 3.4 kHz.
private func toneBand(_ samples: ArraySlice<Float>, rate: Int) -> ArraySlice<Float> {
    var size = 2
    while size < samples.count { size *= 2 }
    var transform = RealTransform(size: size)
    var spectrum = [Complex](repeating: Complex(), count: transform.bins)
    var piece = Array(samples) + Array(repeating: 0, count: size - samples.count)
    transform.transform(piece, into: &spectrum)
    for bin in spectrum.indices where !(1000...3400).contains(Double(bin) * Double(rate) / Double(size)) {
        spectrum[bin] = Complex()
    }
    transform.invert(spectrum, into: &piece)
    return piece[..<samples.count]
}
