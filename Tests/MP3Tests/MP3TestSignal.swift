import ChirpAudio
import ChirpCodecs
import ChirpMP3
import Glibc

/// Signals for encoders, the same on every machine, as planes of Float.
enum MP3TestSignal: String, CaseIterable, Sendable {
    /// Syllables of a buzzing voice over a noise floor, with pauses.
    case speech
    /// Chords with attacks and a wandering stereo picture.
    case music
    case silence
    /// Loud noise, interrupted by silence.
    case bursts
    /// Squares at full scale.
    case squares

    func planes(frames: Int, format: AudioFormat) -> [[Float]] {
        (0..<format.channels).map { channel in
            var noise = MP3TestNoise(seed: UInt64(channel + 1))
            var smooth: Float = 0
            let rate = Float(format.sampleRate)
            return (0..<frames).map { index in
                let time = Float(index) / rate
                let white = noise.next()
                switch self {
                case .silence: return 0
                case .squares: return (index / (23 + 7 * channel)) % 2 == 0 ? 1 : -1
                case .bursts:
                    let phase = time.truncatingRemainder(dividingBy: 0.7)
                    return phase < 0.06 ? white * 0.9 : phase < 0.4 ? 0 : white * 0.01
                case .speech:
                    let pitch = 110 + 30 * sinf(time * 1.7)
                    let cycle = (time * pitch).truncatingRemainder(dividingBy: 1)
                    let syllable = max(0, sinf(time * 2 * .pi * 3.1)) * (sinf(time * 0.9) > -0.6 ? 1 : 0)
                    smooth += 0.25 * ((cycle < 0.3 ? 1 : -0.4) * syllable - smooth)
                    return smooth * 0.5 + white * 0.002
                case .music:
                    let beat = (time * 2).truncatingRemainder(dividingBy: 1)
                    let attack = expf(-4 * beat)
                    let root = [220, 261.6, 196, 174.6][Int(time / 2) % 4] as Float
                    var sum: Float = 0
                    for (part, ratio) in [1, 1.26, 1.5, 2.01].enumerated() as EnumeratedSequence<[Float]> {
                        sum += sinf(2 * .pi * root * ratio * time + Float(part + channel)) / Float(part + 2)
                    }
                    let pan = 0.7 + 0.3 * sinf(time * 0.8 + Float(channel) * .pi)
                    return (sum * 0.35 * (0.4 + 0.6 * attack) + white * 0.1 * attack * attack) * pan
                }
            }
        }
    }
}

/// Uniform noise in ±1 from a linear congruential generator.
struct MP3TestNoise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 33) &* 2) / 2_147_483_648
    }
}

/// Feeds planes to a writer in blocks of a size.
func feed<W: AudioWriter & ~Copyable>(
    _ planes: [[Float]], format: AudioFormat, blocks: Int = 4096, to writer: inout W
) throws(AudioError) {
    var block = AudioBlock(format: format, capacity: blocks)
    let frames = planes[0].count
    var start = 0
    while start < frames {
        let count = min(blocks, frames - start)
        block.resize(toFrames: count)
        for channel in 0..<format.channels {
            block.withMutablePlane(channel) { plane in
                for index in 0..<count { plane[index] = planes[channel][start + index] }
            }
        }
        try writer.write(block)
        start += count
    }
}

/// Makes an MP3 file of planes.
@discardableResult
func encode(
    _ planes: [[Float]], format: AudioFormat, settings: MP3Settings, tag: ID3Tag = ID3Tag(), jobs: Int = 1,
    measures: Bool = false, outlines: Bool = false, to path: String
) throws(AudioError) -> MP3Report {
    var writer = try MP3FileWriter(
        path: path, format: format, settings: settings, tag: tag, jobs: jobs, expectedFrames: planes[0].count,
        measures: measures, outlines: outlines)
    try feed(planes, format: format, to: &writer)
    return try writer.close()
}
