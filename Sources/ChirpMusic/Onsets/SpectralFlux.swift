/// Tones that the recording is known to have, so that what begins beside them can be told from them.
struct KnownTones: Sendable {
    /// From the beginning of the recording.
    let seconds: ClosedRange<Double>
    /// In hertz.
    let frequencies: ClosedRange<Double>
}

/// By how much a signal grows from moment to moment, over all its bands: short ones, and low ones through a longer window.
///
/// Of sounds that are alike, some bands say more than others: those in which they grow much and what is beside them little.
struct SpectralFlux: Sendable {
    /// From one value to the next, in seconds: 5 ms, as nearly as the rate allows; the first is that of the first sample.
    let step: Double
    let frames: Int
    private let parts: [BandGrowth]
    /// Where known tones sound.
    private let masked: Range<Int>

    private static let hop = 0.005
    /// How far around a sound nothing is taken for what is beside it, in hops.
    private static let reach = 6
    /// Growth that every band may have by chance, squared.
    private static let chance: Float = 0.1

    /// - Parameter known: a stretch whose tones are no beginnings.
    init(of signal: borrowing Span<Float>, rate: Int, beside known: KnownTones? = nil) {
        let hop = max(1, Int((Double(rate) * Self.hop).rounded()))
        let short = BandGrowth(of: signal, rate: rate, hop: hop, .short, beside: known)
        let low = BandGrowth(of: signal, rate: rate, hop: hop, .low, beside: known)
        parts = [short, low]
        let (step, frames) = (short.step, short.values.count / short.bands)
        func frame(_ seconds: Double) -> Int { Int(max(0, min(Double(frames), seconds / step))) }
        masked = known.map { frame($0.seconds.lowerBound)..<(frame($0.seconds.upperBound) + 1) } ?? 0..<0
        (self.step, self.frames) = (step, frames)
    }

    /// The mean of all bands.
    func values() -> [Float] {
        let ones = parts.map { [Float](repeating: 1, count: $0.bands) }
        return weighed(ones, typical: ones)
    }

    /// How much of the growth at every moment is that of some: about 1 where a sound like those begins.
    ///
    /// - Parameters:
    ///   - sounds: frames in which they begin, at least one.
    ///   - stretch: what is around them and to be told from them.
    func values(like sounds: [Int], within stretch: Range<Int>) -> [Float] {
        var isBeside = [Bool](repeating: false, count: frames)
        for frame in stretch.clamped(to: 0..<frames) { isBeside[frame] = true }
        for sound in sounds {
            for frame in max(0, sound - Self.reach)..<min(frames, sound + Self.reach) { isBeside[frame] = false }
        }
        let typical = parts.map { part in
            (0..<part.bands).map { band in
                sounds.map { around(part, $0, band) }.sorted()[sounds.count / 2]
            }
        }
        let weights = zip(parts, typical).map { part, typical in
            (0..<part.bands).map { band in
                var (squares, count) = (Float(0), Float(0))
                for frame in 0..<frames where isBeside[frame] {
                    let growth = around(part, frame, band)
                    squares += growth * growth
                    count += 1
                }
                return typical[band] / (squares / max(1, count) + Self.chance)
            }
        }
        let single = weighed(weights, typical: typical)
        // A sound takes a moment.
        return single.indices.map { index in
            let (before, behind) = (max(0, index - 1), min(single.count - 1, index + 1))
            return (single[before] + single[index] + single[behind]) / 2
        }
    }

    /// Of a band, over three moments.
    private func around(_ part: BandGrowth, _ frame: Int, _ band: Int) -> Float {
        var sum: Float = 0
        for other in max(0, frame - 1)...min(frames - 1, frame + 1) { sum += part.values[other * part.bands + band] }
        return sum / 2
    }

    /// The weighed growth, as a share of the typical one in the same bands.
    private func weighed(_ weights: [[Float]], typical: [[Float]]) -> [Float] {
        var result = [Float](repeating: 0, count: frames)
        for frame in 0..<frames {
            var (sum, whole) = (Float(0), Float(0))
            for (index, part) in parts.enumerated() {
                let unseen = masked.contains(frame) ? part.unseen : 0..<0
                part.values.withUnsafeBufferPointer { values in
                    for band in 0..<part.bands where !unseen.contains(band) {
                        sum += weights[index][band] * values[frame * part.bands + band]
                        whole += weights[index][band] * typical[index][band]
                    }
                }
            }
            result[frame] = whole > 0 ? sum / whole : 0
        }
        return result
    }
}
