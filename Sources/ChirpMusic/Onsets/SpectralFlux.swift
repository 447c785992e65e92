internal import Glibc

/// Tones that the recording is known to have, so that what begins beside them can be told from them.
struct KnownTones: Sendable {
    /// From the beginning of the recording.
    let seconds: ClosedRange<Double>
    /// In hertz.
    let frequencies: ClosedRange<Double>
}

/// By how much a signal's bands grow from moment to moment.
///
/// What counts is the growth over what the band always has (its noise), as a logarithm, so that loud and soft beginnings are
/// alike. A band is compared with the largest of itself and its neighbours 10 ms before: a voice that glides is no beginning
/// (Boeck and Widmer, DAFx 2013).
struct SpectralFlux: Sendable {
    /// A value every 5 ms, as nearly as the rate allows; the first is that of the first sample.
    let values: [Float]
    /// From one value to the next, in seconds.
    let step: Double
    private static let hop = 0.005
    private static let window = 0.02
    private static let bands = 30
    /// In hops.
    private static let lag = 2

    /// - Parameter known: a stretch whose tones are no beginnings.
    init(of signal: borrowing Span<Float>, rate: Int, beside known: KnownTones? = nil) {
        precondition(rate >= 4000)
        var spectrum = ShortTimeSpectrum(
            window: Int((Double(rate) * Self.window / 2).rounded()) * 2,
            hop: max(1, Int((Double(rate) * Self.hop).rounded())))
        let mel = MelBands(
            count: Self.bands, range: 80...min(14000, 0.47 * Double(rate)), bins: spectrum.bins, rate: rate)
        let step = Double(spectrum.hop) / Double(rate)
        let frames = spectrum.frames(of: signal.count)
        var energies: [Float] = []
        energies.reserveCapacity(frames * mel.count)
        spectrum.forEachFrame(of: signal) { _, power in mel.append(power, to: &energies) }
        Self.compress(&energies, bands: mel.count)
        var hidden: Hidden?
        if let known {
            func frame(_ seconds: Double) -> Int { Int(max(0, min(Double(frames), seconds / step))) }
            hidden = Hidden(
                frames: frame(known.seconds.lowerBound)..<(frame(known.seconds.upperBound) + 1),
                bands: mel.touching(known.frequencies))
        }
        self.step = step
        // Where a window reaches beyond the recording, its end looks like a click.
        let edge = (spectrum.window / 2 + spectrum.hop - 1) / spectrum.hop
        let whole = (edge + Self.lag)..<max(edge + Self.lag, signal.count / spectrum.hop - edge + 1)
        values = Self.growth(of: energies, bands: mel.count, within: whole, hidden: hidden)
    }

    /// Makes each energy the logarithm of how far it is above its band's noise: near 0 for noise alone.
    private static func compress(_ energies: inout [Float], bands: Int) {
        var loudest: Float = 0
        for energy in energies where energy > loudest { loudest = energy }
        // Digital silence has no noise; then what is 70 dB below the loudest is none.
        let least = max(loudest * 1e-7, .leastNormalMagnitude)
        let frames = energies.count / bands
        let step = max(1, frames / 4096)
        for band in 0..<bands {
            // Not the median: claps and their rooms may fill half of the time.
            let some = stride(from: 0, to: frames, by: step).map { energies[$0 * bands + band] }.sorted()
            let noise = max(least, 4 * (some.isEmpty ? 0 : some[some.count / 5]))
            for frame in 0..<frames {
                let index = frame * bands + band
                energies[index] = logf(1 + energies[index] / noise)
            }
        }
    }

    /// What of the spectrum is not looked at.
    private struct Hidden {
        let frames: Range<Int>
        let bands: Range<Int>
    }

    private static func growth(
        of levels: [Float], bands: Int, within whole: Range<Int>, hidden: Hidden?
    ) -> [Float] {
        let frames = levels.count / bands
        var result = [Float](repeating: 0, count: frames)
        levels.withUnsafeBufferPointer { levels in
            for frame in whole.clamped(to: 0..<frames) {
                let now = frame * bands
                let before = now - lag * bands
                var sum: Float = 0
                let unseen = hidden.map { $0.frames.contains(frame) ? $0.bands : 0..<0 } ?? 0..<0
                for band in 0..<bands where !unseen.contains(band) {
                    var highest = levels[before + band]
                    if band > 0, levels[before + band - 1] > highest { highest = levels[before + band - 1] }
                    if band + 1 < bands, levels[before + band + 1] > highest { highest = levels[before + band + 1] }
                    let rise = levels[now + band] - highest
                    if rise > 0 { sum += rise }
                }
                result[frame] = sum / Float(max(1, bands - unseen.count))
            }
        }
        return result
    }
}
