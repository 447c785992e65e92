internal import ChirpAudio
internal import Glibc

/// Two short soft tones that announce a clip: a fifth, 659 and 988 Hz, at -20 dBFS.
enum Chime {
    static let length: Duration = .milliseconds(240)
    /// Between the chime and the clip.
    static let rest: Duration = .milliseconds(160)

    /// The samples, the same for every channel.
    static func samples(sampleRate: Int) -> [Float] {
        let format = AudioFormat(sampleRate: sampleRate, channels: 1)
        let (count, silence) = (format.frames(in: length), format.frames(in: rest))
        let ramp = max(1, format.frames(in: .milliseconds(12)))
        let sound = (0..<count).map { index -> Float in
            let half = count / 2
            let (place, frequency) = index < half ? (index, 659.26) : (index - half, 987.77)
            // Each tone begins and ends softly, so that nothing clicks.
            let edge = min(1, Double(min(place, half - place)) / Double(ramp))
            return Float(0.1 * edge * sin(2 * .pi * frequency * Double(place) / Double(sampleRate)))
        }
        return sound + [Float](repeating: 0, count: silence)
    }
}
