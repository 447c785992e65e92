import ChirpAudio
import ChirpCodecs

/// A recording to measure with: a tone that wanders like a voice, in syllables and pauses, over faint noise. The same
/// samples every time; encoding it costs about what speech costs.
enum BenchSignal {
    static let format = AudioFormat(sampleRate: 44100, channels: 1)

    /// Writes a WAV of so many seconds, which must not exist.
    static func write(seconds: Int, to path: String) throws(AudioError) {
        var writer = try TakeWriter(path: path, format: format)
        var block = AudioBlock(format: format)
        var (phase, noise) = (Float(0), UInt32(1))
        var position = 0
        let total = seconds * format.sampleRate
        while position < total {
            block.resize(toFrames: min(block.capacity, total - position))
            block.withMutablePlane(0) { plane in
                for index in plane.indices {
                    let time = Double(position + index) / Double(format.sampleRate)
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let hiss = (Float(noise >> 8) / 8_388_608 - 1) * 0.002
                    let syllable = Float((time * 3.1).truncatingRemainder(dividingBy: 1))
                    let pitch = 110 + 40 * Float((time * 0.7).truncatingRemainder(dividingBy: 1))
                    phase += pitch / Float(format.sampleRate)
                    phase -= phase.rounded(.down)
                    let speaks = Int(time / 0.9) % 4 != 3
                    // A parabola: overtones that fall by 12 dB an octave, as a voice's do.
                    let voice = (4 * phase * (1 - phase) - 2.0 / 3) * 4 * syllable * (1 - syllable)
                    plane[index] = (speaks ? 0.4 * voice : 0) + hiss
                }
            }
            position += block.frames
            try writer.write(block)
        }
        try writer.finish()
    }
}
