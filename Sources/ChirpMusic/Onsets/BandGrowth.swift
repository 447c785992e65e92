internal import Glibc

/// By how much each of a signal's bands grows from moment to moment.
///
/// What counts is the growth over what the band always has (its noise), as a logarithm, so that loud and soft beginnings are
/// alike. A band is compared with the largest of itself and its neighbours a little before: a voice that glides is no beginning
/// (Boeck and Widmer, DAFx 2013).
struct BandGrowth: Sendable {
    /// Which bands, seen through which window.
    struct Resolution: Sendable {
        /// In seconds.
        var window: Double
        /// How long before a moment lies what it is compared with, in hops.
        var lag: Int
        var bands: Int
        /// In hertz.
        var range: ClosedRange<Double>

        /// Hands, sticks and floors: short, and over all that is heard.
        static let short = Resolution(window: 0.02, lag: 2, bands: 30, range: 80...14000)
        /// What is dull and heavy, whose few low tones the short window cannot tell from a room's rumble.
        static let low = Resolution(window: 0.04, lag: 4, bands: 16, range: 40...1000)
    }

    let bands: Int
    /// The bands of one moment after the other, a moment every `hop` samples; the first is that of the first sample. Never below 0.
    let values: [Float]
    let step: Double
    /// The bands that have something of the known tones.
    let unseen: Range<Int>

    /// - Parameters:
    ///   - rate: in hertz, at least 4,000.
    ///   - hop: in samples.
    init(of signal: borrowing Span<Float>, rate: Int, hop: Int, _ resolution: Resolution, beside known: KnownTones?) {
        precondition(rate >= 4000)
        var spectrum = ShortTimeSpectrum(
            window: Int((Double(rate) * resolution.window / 2).rounded()) * 2, hop: hop)
        let highest = min(resolution.range.upperBound, 0.47 * Double(rate))
        let mel = MelBands(
            count: resolution.bands, range: resolution.range.lowerBound...highest, bins: spectrum.bins, rate: rate)
        var levels: [Float] = []
        levels.reserveCapacity(spectrum.frames(of: signal.count) * mel.count)
        spectrum.forEachFrame(of: signal) { _, power in mel.append(power, to: &levels) }
        Self.compress(&levels, bands: mel.count)
        // Where a window reaches beyond the recording, its end looks like a click.
        let edge = (spectrum.window / 2 + hop - 1) / hop
        let first = edge + resolution.lag
        let whole = first..<max(first, signal.count / hop - edge + 1)
        values = Self.rises(of: levels, bands: mel.count, lag: resolution.lag, within: whole)
        bands = mel.count
        step = Double(hop) / Double(rate)
        unseen = known.map { mel.touching($0.frequencies) } ?? 0..<0
    }

    /// The growth around every moment: a sound takes a while to begin.
    func overThreeMoments() -> [Float] {
        values.indices.map { index in
            let before = index >= bands ? values[index - bands] : 0
            let behind = index + bands < values.count ? values[index + bands] : 0
            return (before + values[index] + behind) / 2
        }
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

    private static func rises(of levels: [Float], bands: Int, lag: Int, within whole: Range<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: levels.count)
        levels.withUnsafeBufferPointer { levels in
            for frame in whole.clamped(to: 0..<levels.count / bands) {
                let now = frame * bands
                let before = now - lag * bands
                for band in 0..<bands {
                    var highest = levels[before + band]
                    if band > 0, levels[before + band - 1] > highest { highest = levels[before + band - 1] }
                    if band + 1 < bands, levels[before + band + 1] > highest { highest = levels[before + band + 1] }
                    let rise = levels[now + band] - highest
                    if rise > 0 { result[now + band] = rise }
                }
            }
        }
        return result
    }
}
