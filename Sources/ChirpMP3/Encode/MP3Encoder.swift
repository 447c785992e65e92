public import ChirpAudio

/// Turns blocks of PCM into the frames of an MP3: bare frames, without info frame or tag. One thread at a time.
///
/// Samples beyond ±4 (12 dB above full scale) are held there and values that are no numbers become silence, because
/// LAME ends the process on them.
public struct MP3Encoder: ~Copyable {
    public let format: AudioFormat
    public let settings: MP3Settings
    /// PCM frames taken so far.
    public private(set) var frames = 0
    let facts: MP3EncoderFacts
    private let fullScale: Float
    private let handle: LameHandle
    private var planes: [Float]
    private var output: [UInt8]

    /// What LAME gets in one call, in PCM frames.
    private static let chunk = 4096

    /// - Throws: ``AudioError/settings(_:)`` or ``AudioError/unsupported(name:reason:)`` when no such MP3 exists.
    public init(format: AudioFormat, settings: MP3Settings) throws(AudioError) {
        let handle = try LameHandle(format: format, settings: settings)
        self.format = format
        self.settings = settings
        facts = handle.facts()
        fullScale = handle.fullScale()
        planes = [Float](repeating: 0, count: Self.chunk * format.channels)
        // LAME asks for 1.25 bytes a frame and 7200. Flushing writes what the bit reservoir and up to four frames need.
        output = [UInt8](repeating: 0, count: Self.chunk * 5 / 4 + 7200 + 4 * MP3FrameHeader.longestFrame)
        self.handle = handle
    }

    /// Encodes all valid frames of a block and appends what became ready: not always whole frames.
    ///
    /// - Parameter block: of the encoder's ``format``.
    public mutating func encode(_ block: borrowing AudioBlock, into bytes: inout [UInt8]) throws(AudioError) {
        precondition(block.format == format)
        let fullScale = fullScale
        var start = 0
        while start < block.frames {
            let count = min(Self.chunk, block.frames - start)
            for channel in 0..<format.channels {
                block.withPlane(channel) { plane in
                    var scaled = planes.mutableSpan
                    scaleForLame(
                        plane, from: start, count: count, by: fullScale, into: &scaled, at: channel * Self.chunk)
                }
            }
            try encodeChunk(count, into: &bytes)
            start += count
        }
    }

    /// Encodes planar samples that are scaled for LAME already; `right` equals `left` for mono.
    mutating func encode(
        scaled left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames count: Int, into bytes: inout [UInt8]
    ) throws(AudioError) {
        for start in stride(from: 0, to: count, by: Self.chunk) {
            let piece = min(Self.chunk, count - start)
            let written = output.withUnsafeMutableBufferPointer { output in
                handle.encode(left: left + start, right: right + start, frames: piece, output: output)
            }
            try deliver(written, into: &bytes)
            frames += piece
        }
    }

    private mutating func encodeChunk(_ count: Int, into bytes: inout [UInt8]) throws(AudioError) {
        let right = format.channels == 1 ? 0 : Self.chunk
        let written = planes.withUnsafeBufferPointer { planes in
            output.withUnsafeMutableBufferPointer { output in
                guard let base = planes.baseAddress else { return 0 }
                return handle.encode(left: base, right: base + right, frames: count, output: output)
            }
        }
        try deliver(written, into: &bytes)
        frames += count
    }

    /// Encodes what is left and appends it. The stream is then complete.
    public consuming func finish(into bytes: inout [UInt8]) throws(AudioError) {
        let written = output.withUnsafeMutableBufferPointer { handle.flush(output: $0) }
        try deliver(written, into: &bytes)
    }

    private func deliver(_ written: Int, into bytes: inout [UInt8]) throws(AudioError) {
        guard written >= 0, written <= output.count else { throw .library(name: "LAME", code: written) }
        bytes.append(contentsOf: output[..<written])
    }

    /// PCM frames that an MP3 of so many frames has behind the signal, by LAME's rule: up to whole MP3 frames, at least
    /// 576, so that the last sample is decoded completely.
    static func padding(frames: Int, format: AudioFormat, delay: Int) -> Int {
        let frame = format.sampleRate >= 32000 ? 1152 : 576
        let padding = frame - (frames + delay) % frame
        return padding < 576 ? padding + frame : padding
    }
}

/// Samples of ±1 to LAME's full scale, held within ±4 and free of values that are no numbers.
func scaleForLame(
    _ source: borrowing Span<Float>, from start: Int, count: Int, by fullScale: Float,
    into target: inout MutableSpan<Float>, at offset: Int
) {
    precondition(start >= 0 && count >= 0 && start + count <= source.count)
    precondition(offset >= 0 && offset + count <= target.count)
    // Eight at a time: branches would keep the compiler from it.
    let bytes = source.bytes
    var index = 0
    while index + 8 <= count {
        let lanes = bytes.unsafeLoadUnaligned(fromByteOffset: 4 * (start + index), as: SIMD8<Float>.self)
        let low = lanes.replacing(with: -4, where: lanes .< -4)
        let held = low.replacing(with: 4, where: low .> 4)
        let scaled = held.replacing(with: 0, where: held .!= held) * fullScale
        target.withUnsafeMutableBytes {
            $0.storeBytes(of: scaled, toByteOffset: 4 * (offset + index), as: SIMD8<Float>.self)
        }
        index += 8
    }
    while index < count {
        let sample = source[start + index]
        let held: Float = sample > 4 ? 4 : sample < -4 ? -4 : sample
        target[offset + index] = held == held ? held * fullScale : 0
        index += 1
    }
}
