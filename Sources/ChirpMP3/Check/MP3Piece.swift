internal import ChirpAudio
internal import CMpg123

/// A stretch of an MP3 that can be decoded and measured by itself, with what must come before it.
///
/// A decoder that begins in the middle gives the same samples as one that came from the beginning, once the bit reservoir
/// is there and two frames have passed. The filters of K-weighting forget within 50 ms (what is left is below 1e-5). So a
/// clip is measured in pieces, in any order and on any thread, and the result does not depend on which.
struct MP3Piece: Sendable {
    /// What measuring a piece gives.
    struct Result: Sendable {
        /// K-weighted mean squares of whole 100 ms, as ``gatedLoudness(tenths:)`` takes them, and their sum of squares.
        var tenths: [Float] = []
        var energy = 0.0
        /// The highest true peak, or what was known to be exceeded elsewhere.
        var peak: Float
        /// Empty when no outline is wanted.
        var outline: [Float] = []
    }

    /// Its place in the clip, from 0.
    let number: Int
    /// Whole MP3 frames.
    let bytes: [UInt8]
    let mp3Frames: Int
    /// Where its first decoded frame lies in the clip, in PCM frames; negative when that is before the clip.
    let origin: Int
    /// What is measured, in PCM frames of the clip.
    let range: Range<Int>
    /// The clip goes on behind it.
    let hasMore: Bool
    /// The number of the 100 ms with which the range begins.
    let firstTenth: Int

    /// What the filters need to forget that they began here.
    static func settling(_ sampleRate: Int) -> Int {
        Int(FourLaneMeter.loudnessSettlingSeconds * Double(sampleRate))
    }

    /// Decodes and measures it.
    ///
    /// - Parameters:
    ///   - floor: a true peak that was found elsewhere; lower ones need not be looked for.
    ///   - outline: what is wanted for a picture; nil for nothing.
    func measure(_ format: AudioFormat, above floor: Float, outline: MP3Outline?) throws(AudioError) -> Result {
        let reach = TruePeakMeter.reach
        let lead = Self.settling(format.sampleRate)
        let meter = FourLaneMeter(tenthsOf: format)
        let span = max(range.count + reach, meter.span(from: firstTenth, frames: range.count))
        var block = AudioBlock(format: format, capacity: lead + span)
        block.resize(toFrames: block.capacity)
        // The block begins here; what lies outside the clip stays silent.
        let start = range.lowerBound - lead
        let kept = max(start, 0)..<(hasMore ? range.upperBound + reach : range.upperBound)
        var position = origin
        try decodeFrames(bytes, format: format) { samples in
            let frames = samples.count / format.channels
            let part = Range(position...position + frames - 1).clamped(to: kept)
            defer { position += frames }
            guard !part.isEmpty else { return }
            let source = UnsafeBufferPointer(
                rebasing: samples[
                    (part.lowerBound - position) * format.channels..<(part.upperBound - position) * format.channels])
            for channel in 0..<format.channels {
                block.withMutablePlane(channel) { plane in
                    plane.withUnsafeMutableBufferPointer { plane in
                        let target = plane[part.lowerBound - start..<part.upperBound - start]
                        copy(channel, of: format.channels, source, to: UnsafeMutableBufferPointer(rebasing: target))
                    }
                }
            }
        }
        let decoded = position - origin
        guard decoded == mp3Frames * MP3FrameHeader.frames(at: format.sampleRate) else {
            throw .library(name: "decoding the clip", code: decoded)
        }

        let weight = format.channels == 1 ? 2.0 : 1.0
        var result = Result(peak: floor)
        for tenth in meter.measure(block, lead: lead, frames: range.count, from: firstTenth) {
            let energy = tenth.loudness * weight
            if tenth.isWhole { result.tenths.append(Float(energy / Double(tenth.frames))) }
            result.energy += energy
        }
        if let outline {
            result.outline = outline.magnitudes(of: block, from: lead, range, firstTenth: firstTenth)
        }
        result.peak = TruePeakMeter.highest(in: block, lead..<lead + range.count, above: floor)
        return result
    }
}

extension MP3FrameHeader {
    /// PCM frames of an MP3 frame at a sample rate in hertz.
    static func frames(at sampleRate: Int) -> Int { sampleRate >= 32000 ? 1152 : 576 }
}

/// Copies one channel of frames, mono or stereo.
private func copy(
    _ channel: Int, of channels: Int, _ frames: UnsafeBufferPointer<Float>, to plane: UnsafeMutableBufferPointer<Float>
) {
    guard channels == 2 else {
        _ = plane.update(from: frames)
        return
    }
    for index in plane.indices { plane[index] = frames[2 &* index &+ channel] }
}

/// Decodes whole frames from anywhere in a stream, each to its full length, frame by frame.
private func decodeFrames(
    _ bytes: [UInt8], format: AudioFormat, _ body: (UnsafeBufferPointer<Float>) -> Void
) throws(AudioError) {
    let handle = try Mpg123Handle()
    mpg123_param2(handle.raw, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
    mpg123_param2(handle.raw, Int32(MPG123_ADD_FLAGS.rawValue), Int(MPG123_IGNORE_INFOFRAME.rawValue), 0)
    let channels = Int32(format.channels == 1 ? MPG123_MONO.rawValue : MPG123_STEREO.rawValue)
    var code = handle.allowFormats(rates: [format.sampleRate], channels: channels)
    if code == MPG123_OK.rawValue { code = mpg123_open_feed(handle.raw) }
    if code == MPG123_OK.rawValue { code = mpg123_feed(handle.raw, bytes, bytes.count) }
    guard code == MPG123_OK.rawValue else { throw .library(name: "decoding the clip", code: Int(code)) }
    // Every turn decodes a frame or announces the format, until the bytes are used up.
    while true {
        var (number, audio, count) = (0, nil as UnsafeMutablePointer<UInt8>?, 0)
        code = mpg123_decode_frame(handle.raw, &number, &audio, &count)
        if code == MPG123_NEED_MORE.rawValue { return }
        guard code == MPG123_OK.rawValue || code == MPG123_NEW_FORMAT.rawValue else {
            throw .library(name: "decoding the clip", code: Int(code))
        }
        if let audio, count > 0 {
            let samples = UnsafeRawBufferPointer(start: audio, count: count)
            samples.withMemoryRebound(to: Float.self, body)
        }
    }
}
