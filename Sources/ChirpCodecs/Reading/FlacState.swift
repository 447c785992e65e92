internal import CFLAC
internal import ChirpAudio

/// What libFLAC's callbacks leave behind: one decoded FLAC frame, and what was learnt on the way.
///
/// A class because C holds a pointer to it. Used by one thread.
final class FlacState {
    let source: FileRange
    var errors = 0
    private(set) var sampleRate = 0
    private(set) var channels = 0
    private(set) var bits = 0
    /// By the stream's header; 0 for unknown.
    private(set) var totalFrames = 0
    /// A frame had another sample rate or channel count; decoding stopped before it.
    private(set) var hasChanged = false

    private var hasDecoded = false
    /// Interleaved; grows to the largest FLAC frame, at most 65535 frames of 8 channels.
    private var pending: [Float] = []
    private var pendingFrames = 0
    private var taken = 0

    init(_ source: FileRange) { self.source = source }

    /// The stream's header. It comes again when the decoder is reset; what a frame has said by then is kept, since those who read
    /// count on the number of channels.
    func describe(_ info: FLAC__StreamMetadata_StreamInfo) {
        guard !hasDecoded else { return }
        sampleRate = Int(info.sample_rate)
        channels = Int(info.channels)
        bits = Int(info.bits_per_sample)
        totalFrames = Int(clamping: info.total_samples)
    }

    var hasFrames: Bool { taken < pendingFrames }

    func dropFrames() { pendingFrames = 0 }

    /// Keeps a decoded frame. A frame's own header counts; that of the stream may be missing or wrong.
    ///
    /// - Returns: false when the decoder shall stop.
    func take(_ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>) -> Bool {
        let (frames, count) = (Int(header.blocksize), Int(header.channels))
        let rate = header.sample_rate > 0 ? Int(header.sample_rate) : sampleRate
        let width = header.bits_per_sample > 0 ? Int(header.bits_per_sample) : bits
        guard (1...8).contains(count), (4...32).contains(width) else { return false }
        if !hasDecoded { (sampleRate, channels, bits, hasDecoded) = (rate, count, width, true) }
        guard rate == sampleRate, count == channels else {
            hasChanged = true
            return false
        }
        if pending.count < frames * count { pending = [Float](repeating: 0, count: frames * count) }
        let scale = Float(sign: .plus, exponent: 1 - width, significand: 1)
        pending.withUnsafeMutableBufferPointer { target in
            for channel in 0..<count {
                guard let plane = planes[channel] else { continue }
                for frame in 0..<frames { target[frame * count + channel] = Float(plane[frame]) * scale }
            }
        }
        (pendingFrames, taken) = (frames, 0)
        return true
    }

    /// Hands over kept frames.
    func give(to samples: inout [Float], at offset: Int, frames: Int) -> Int {
        let count = min(frames, pendingFrames - taken)
        guard count > 0 else { return 0 }
        let (start, first) = (offset * channels, taken * channels)
        let length = count * channels
        // One access to the class property, not one per sample.
        pending.withUnsafeBufferPointer { source in
            samples.withUnsafeMutableBufferPointer { target in
                for index in 0..<length { target[start + index] = source[first + index] }
            }
        }
        taken += count
        return count
    }
}
