internal import CEbur128
package import ChirpAudio

/// libebur128's opinion on a signal: the second meter that tests hold `LoudnessMeter` against. Four to ten times as
/// costly (7 ns per sample, 27 with true peak, against 2 to 4).
package struct ReferenceLoudnessMeter: ~Copyable {
    private let handle: Ebur128Handle
    private let channels: Int
    private var scratch: [Float] = []

    package init(format: AudioFormat, dualMono: Bool) throws(AudioError) {
        let handle = try Ebur128Handle(format: format)
        if format.channels == 1 && dualMono {
            try check(ebur128_set_channel(handle.raw, 0, Int32(EBUR128_DUAL_MONO.rawValue)))
        }
        self.handle = handle
        channels = format.channels
    }

    package mutating func add(_ block: borrowing AudioBlock) throws(AudioError) {
        let count = block.frames * channels
        if scratch.count < count { scratch = Array(repeating: 0, count: count) }
        var span = scratch.mutableSpan
        interleave(block, into: &span)
        try check(
            scratch.withUnsafeBufferPointer { ebur128_add_frames_float(handle.raw, $0.baseAddress, block.frames) })
    }

    /// Integrated loudness, range and true peak; nil or minus infinity where there is none.
    package func result() throws(AudioError) -> (integrated: LUFS?, range: Double, truePeak: Decibels) {
        var loudness = 0.0
        var range = 0.0
        try check(ebur128_loudness_global(handle.raw, &loudness))
        try check(ebur128_loudness_range(handle.raw, &range))
        var peak = 0.0
        for channel in 0..<channels {
            var value = 0.0
            try check(ebur128_true_peak(handle.raw, UInt32(channel), &value))
            peak = max(peak, value)
        }
        return (loudness.isFinite ? LUFS(loudness) : nil, range, Decibels(amplitude: peak))
    }
}

private func check(_ status: Int32) throws(AudioError) {
    guard status == Int32(EBUR128_SUCCESS.rawValue) else { throw .library(name: "libebur128", code: Int(status)) }
}
