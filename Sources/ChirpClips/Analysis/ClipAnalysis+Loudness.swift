public import ChirpAudio
internal import Glibc

extension ClipAnalysis {
    /// How loud a part of the recording would be, and by which method that was found.
    public struct PartLoudness: Hashable, Sendable {
        /// Nil for silence: nothing above -70 LUFS.
        public var loudness: LUFS?
        public var method: Receipt.Level.Method
    }

    /// The loudness of a part, mono counted as heard on two channels: gated as in ITU-R BS.1770-4 from 400 ms on,
    /// otherwise the mean over all there is.
    ///
    /// - Parameters:
    ///   - range: windows.
    ///   - limiting: a gain and the ceiling of a limiter behind it, whose effect is foreseen from the peaks.
    public func loudness(
        of range: Range<Int>, limiting: (gain: Decibels, ceiling: Decibels)? = nil
    ) -> PartLoudness {
        let weight = format.channels == 1 ? 2.0 : 1.0
        let gain = limiting?.gain ?? .zero
        let factor = weight * gain.amplitude * gain.amplitude
        var foresight = limiting.map { LimiterModel(gain: $0.gain, ceiling: $0.ceiling) }
        var tenths: [Float] = []
        tenths.reserveCapacity(range.count / 10)
        var tenth = 0.0
        var total = 0.0
        var next = range.isEmpty ? LevelWindow.silence : windows[range.lowerBound]
        for index in range {
            let window = next
            next = index + 1 < range.upperBound ? windows[index + 1] : .silence
            var energy = window.loudness * factor
            if foresight != nil, let reduction = foresight?.reduction(peak: window.peak, nextPeak: next.peak) {
                if reduction > 0 { energy *= exp(-reduction * (M_LN10 / 10)) }
            }
            total += energy
            tenth += energy
            if (index - range.lowerBound) % 10 == 9 {
                tenths.append(Float(tenth / 10))
                tenth = 0
            }
        }
        guard tenths.count < 4 else {
            return PartLoudness(loudness: gatedLoudness(tenths: tenths.span), method: .integrated)
        }
        let mean = LUFS(energy: range.isEmpty ? 0 : total / Double(range.count))
        return PartLoudness(loudness: mean > LUFS(-70) ? mean : nil, method: .short)
    }
}
