internal import CMpg123
internal import ChirpAudio

/// Decodes a bare stream as it is encoded, and measures what a listener will hear.
struct MP3Listener: ~Copyable {
    private let handle: Mpg123Handle
    private var samples: [Float]
    private var block: AudioBlock
    private var meter: LevelWindowMeter
    private var truePeak: TruePeakMeter
    /// Whenever the true peak rose: from which frame of the signal on it may have, and to what.
    private(set) var peaks: [(frame: Int, peak: Decibels)] = []
    /// Frames of delay that are still to come.
    private var early: Int

    /// - Parameter encoderDelay: in PCM frames.
    init(format: AudioFormat, encoderDelay: Int) throws(AudioError) {
        let handle = try Mpg123Handle()
        let channels = Int32(format.channels == 1 ? MPG123_MONO.rawValue : MPG123_STEREO.rawValue)
        guard handle.allowFormats(rates: [format.sampleRate], channels: channels) == MPG123_OK.rawValue,
            mpg123_open_feed(handle.raw) == MPG123_OK.rawValue
        else { throw .library(name: "libmpg123", code: Int(mpg123_errcode(handle.raw))) }
        samples = [Float](repeating: 0, count: AudioBlock.usualCapacity * format.channels)
        block = AudioBlock(format: format)
        meter = LevelWindowMeter(format: format, removingRumble: false)
        truePeak = TruePeakMeter(channels: format.channels)
        early = encoderDelay + MP3CutHead.decoderDelay
        self.handle = handle
    }

    /// Takes the next bytes of the stream.
    mutating func add(_ bytes: borrowing Span<UInt8>) throws(AudioError) {
        guard !bytes.isEmpty else { return }
        let raw = handle.raw
        let status = bytes.withUnsafeBufferPointer { mpg123_feed(raw, $0.baseAddress, $0.count) }
        guard status == MPG123_OK.rawValue else { throw .library(name: "libmpg123", code: Int(mpg123_errcode(raw))) }
        let frameBytes = block.format.channels * MemoryLayout<Float>.size
        while true {
            var done = 0
            let code = samples.withUnsafeMutableBytes { mpg123_read(raw, $0.baseAddress, $0.count, &done) }
            if done > 0 { measure(frames: done / frameBytes) }
            switch code {
            case MPG123_OK.rawValue, MPG123_NEW_FORMAT.rawValue: continue
            case MPG123_NEED_MORE.rawValue: return
            default: throw .library(name: "libmpg123", code: Int(mpg123_errcode(raw)))
            }
        }
    }

    private mutating func measure(frames: Int) {
        let skipped = min(early, frames)
        early -= skipped
        unweave(samples, skipping: skipped, frames: frames - skipped, into: &block)
        let start = meter.frames
        meter.add(block)
        truePeak.add(block)
        // Not with silence behind it: that would be a step in the middle of the sound.
        let peak = truePeak.peakSoFar
        // The filter looks at a few frames of the block before.
        if peak > peaks.last?.peak ?? .silence { peaks.append((max(0, start - 16), peak)) }
    }

    /// Level and loudness of every 10 ms of the signal so far.
    var heard: LevelWindows { meter.wholeWindows }

    /// Level and loudness of every 10 ms of the signal.
    consuming func finish() -> LevelWindows { meter.finish() }
}

private func unweave(_ samples: [Float], skipping: Int, frames: Int, into block: inout AudioBlock) {
    deinterleave(samples.span.extracting((skipping * block.format.channels)...), frames: frames, into: &block)
}
