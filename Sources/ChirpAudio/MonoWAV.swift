/// Small sounds as WAV of one channel and 16 bits, as every program and every browser reads it: RIFF with the chunks `fmt ` and `data`
/// ("Multimedia Programming Interface and Data Specifications 1.0"). Recordings are ``TakeWriter``'s in `ChirpCodecs`.
public enum MonoWAV {
    /// Bytes before the samples.
    public static let headBytes = 44

    /// - Parameters:
    ///   - frames: so many samples follow.
    ///   - rate: in hertz.
    public static func head(frames: Int, rate: Int) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(headBytes)
        func number(_ value: Int, bytes: Int) {
            for index in 0..<bytes { head.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        head += "RIFF".utf8
        number(headBytes - 8 + 2 * frames, bytes: 4)
        head += "WAVEfmt ".utf8
        number(16, bytes: 4)
        number(1, bytes: 2)  // PCM
        number(1, bytes: 2)
        number(rate, bytes: 4)
        number(2 * rate, bytes: 4)
        number(2, bytes: 2)
        number(16, bytes: 2)
        head += "data".utf8
        number(2 * frames, bytes: 4)
        return head
    }

    /// Appends a sample, clipped to full scale; what is no number is silence.
    public static func append(_ sample: Float, to bytes: inout [UInt8]) {
        let value = sample.isNaN ? 0 : Int16((min(max(sample, -1), 1) * 32767).rounded())
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// The whole file.
    public static func file(_ samples: [Float], rate: Int) -> [UInt8] {
        var bytes = head(frames: samples.count, rate: rate)
        bytes.reserveCapacity(headBytes + 2 * samples.count)
        for sample in samples { append(sample, to: &bytes) }
        return bytes
    }
}
