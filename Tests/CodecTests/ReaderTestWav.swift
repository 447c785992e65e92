import Foundation

/// Builds the bytes of a WAV file field by field, so that a test can make any one of them wrong.
struct ReaderTestWav {
    var riff = "RIFF"
    /// Nil for the right size.
    var riffSize: UInt32?
    var tag: UInt16 = 1
    var channels: UInt16 = 1
    var sampleRate: UInt32 = 48_000
    var bits: UInt16 = 16
    /// Of the extensible format, when it is not all bits.
    var validBits: UInt16?
    /// Nil for the right size.
    var blockAlign: UInt16?
    /// The extensible format with this speaker mask.
    var mask: UInt32?
    /// Nil for the right size.
    var dataSize: UInt32?
    /// Whole chunks between the format and the data, and behind the data.
    var before: [UInt8] = []
    var after: [UInt8] = []
    /// Whole chunks in front of the format.
    var first: [UInt8] = []
    /// The content of the data chunk.
    var data: [UInt8] = []

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    }

    /// A chunk with its padding byte.
    static func chunk(_ name: String, _ body: [UInt8], size: UInt32? = nil) -> [UInt8] {
        Array(name.utf8) + little(size ?? UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
    }

    var formatChunk: [UInt8] {
        let align = blockAlign ?? channels &* ((bits &+ 7) / 8)
        var body = Self.little(mask == nil ? tag : 0xFFFE) + Self.little(channels) + Self.little(sampleRate)
        body += Self.little(sampleRate &* UInt32(align)) + Self.little(align) + Self.little(bits)
        if let mask {
            body += Self.little(UInt16(22)) + Self.little(validBits ?? bits) + Self.little(mask) + Self.little(tag)
            body += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return Self.chunk("fmt ", body)
    }

    var dataChunk: [UInt8] { Self.chunk("data", data, size: dataSize) }

    var bytes: [UInt8] {
        let body = Array("WAVE".utf8) + first + formatChunk + before + dataChunk + after
        return Array(riff.utf8) + Self.little(riffSize ?? UInt32(body.count)) + body
    }

    /// 16-bit samples, as the data chunk holds them.
    static func samples16(_ samples: [Float]) -> [UInt8] {
        samples.flatMap { little(Int16(max(-32768, min(32767, ($0 * 32768).rounded())))) }
    }

    /// Two tones and a slow swell: not periodic in any block size, and no two channels alike.
    static func signal(frames: Int, channels: Int = 1, sampleRate: Double = 48_000) -> [Float] {
        (0..<frames * channels).map { index in
            let (frame, channel) = (Double(index / channels), Double(index % channels))
            let time = frame / sampleRate
            let tone = sin(2 * .pi * (440 + 110 * channel) * time) + 0.5 * sin(2 * .pi * 997 * time + channel)
            return Float(0.4 * tone * (0.6 + 0.4 * sin(2 * .pi * 1.3 * time)))
        }
    }
}
