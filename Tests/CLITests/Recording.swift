import Foundation

/// Recordings made for tests: short, and of any shape a header can take.
enum Recording {
    /// How the sizes of a WAV's header are filled in.
    enum Sizes {
        case right
        /// What is written to a pipe: the end is not known.
        case streaming(UInt32)
    }

    /// A voice-like signal: a 220 Hz tone with harmonics, swelling four times a second, over a faint noise; quiet for
    /// `margin` seconds at both ends.
    static func voice(seconds: Double, margin: Double = 0, rate: Int = 16000, channels: Int = 1) -> [Float] {
        let frames = Int(seconds * Double(rate))
        var noise = UInt32(1)
        var samples: [Float] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let time = Double(frame) / Double(rate)
            noise = noise &* 1_664_525 &+ 1_013_904_223
            var value = (Double(noise) / Double(UInt32.max) - 0.5) * 0.0004
            if time >= margin && time < seconds - margin {
                let swell = 0.6 + 0.4 * sin(2 * .pi * 4 * time)
                for harmonic in 1...5 {
                    value += 0.1 / Double(harmonic) * swell * sin(2 * .pi * 220 * Double(harmonic) * time)
                }
            }
            for _ in 0..<channels { samples.append(Float(value)) }
        }
        return samples
    }

    /// A WAV of 16-bit samples.
    static func wav(
        _ samples: [Float], rate: Int = 16000, channels: Int = 1, sizes: Sizes = .right
    ) -> [UInt8] {
        let data = samples.flatMap { sample -> [UInt8] in
            let value = UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 32767))
            return [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
        return header(
            format: 1, bits: 16, rate: rate, channels: channels, dataBytes: data.count, sizes: sizes) + data
    }

    /// A WAV of 32-bit float samples, which may be anything a float can be.
    static func floatWav(_ samples: [Float], rate: Int = 16000, channels: Int = 1) -> [UInt8] {
        let data = samples.flatMap { sample in (0..<4).map { UInt8(sample.bitPattern >> (8 * $0) & 0xFF) } }
        return header(
            format: 3, bits: 32, rate: rate, channels: channels, dataBytes: data.count, sizes: .right) + data
    }

    static func header(
        format: Int, bits: Int, rate: Int, channels: Int, dataBytes: Int, sizes: Sizes
    ) -> [UInt8] {
        let (riff, data): (UInt32, UInt32) =
            switch sizes {
            case .right: (UInt32(36 + dataBytes), UInt32(dataBytes))
            case .streaming(let size): (size, size)
            }
        func little(_ value: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let block = channels * bits / 8
        return Array("RIFF".utf8) + little(riff, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(UInt32(format), 2)
            + little(UInt32(channels), 2) + little(UInt32(rate), 4)
            + little(UInt32(truncatingIfNeeded: rate * block), 4) + little(UInt32(block), 2) + little(UInt32(bits), 2)
            + Array("data".utf8) + little(data, 4)
    }
}
