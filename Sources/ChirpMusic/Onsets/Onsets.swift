/// The beginnings of sounds in a recording: peaks of its spectral flux that stand out of what is around them.
package struct Onsets: Sendable {
    /// In the order of time.
    package let all: [Onset]

    /// Least strength of a peak over the median around it, in the flux's measure.
    private static let least: Float = 0.2
    /// The same of sounds that are alike, as a share of what is usual among them.
    private static let leastAlike: Float = 0.1
    /// Over how many frames sounds are compared, one pass after the other: first how they begin, then with the 40 ms that follow, once it is
    /// known well enough what those are like.
    private static let moments = [1, 8]
    /// A peak is the highest within so many hops to both sides; the median is taken over so many.
    private static let peakReach = 6
    private static let medianReach = 80

    /// - Parameters:
    ///   - samples: mono, full scale 1. What is no number counts as silence. Memory: 80 kB a second.
    ///   - rate: in hertz, at least 4,000; more than 32,000 brings nothing.
    package init(in samples: borrowing Span<Float>, rate: Int) {
        let flux = SpectralFlux(of: samples, rate: rate)
        all = Self.peaks(of: flux.values(), least: Self.least)
            .map {
                Onset(
                    seconds: beginning(of: samples, near: Double($0.frame) * flux.step, rate: rate),
                    strength: $0.strength)
            }
    }

    /// The beginnings of sounds that are alike, among others: those that stand out are listened to, then it is listened for what begins
    /// as they do, and then for what goes on as those do. A strength of 1 is that of most of them.
    ///
    /// - Parameters:
    ///   - gap: of two that are closer, in seconds, one is an echo.
    ///   - known: a stretch whose tones are no beginnings.
    ///   - stretch: in seconds; what is outside of it is not listened to.
    init(
        alike samples: borrowing Span<Float>, rate: Int, gap: Double, beside known: KnownTones? = nil,
        within stretch: Range<Double> = 0..<Double.infinity
    ) {
        let flux = SpectralFlux(of: samples, rate: rate, beside: known)
        let step = flux.step
        func frame(_ seconds: Double) -> Int { Int(max(0, min(Double(flux.frames), (seconds / step).rounded()))) }
        let inside = frame(stretch.lowerBound)..<frame(stretch.upperBound)
        var peaks = Self.peaks(of: flux.values(), least: Self.least).filter { inside.contains($0.frame) }
        for moments in Self.moments {
            let clear = Onsets(peaks.map { Onset(seconds: Double($0.frame) * step, strength: $0.strength) })
                .strong(gap: gap).map { frame($0.seconds) }
            guard clear.count > 1 else { break }
            let alike = flux.values(like: clear, over: moments, within: inside)
            let usual = clear.map { alike[$0] }.sorted()[clear.count / 2]
            peaks = Self.peaks(of: alike, least: Self.leastAlike * usual).filter { inside.contains($0.frame) }
        }
        // Before their instants are made exact: a beginning is found up to 20 ms before its peak, and an echo would slip through the gap.
        let apart = Onsets(peaks.map { Onset(seconds: Double($0.frame) * step, strength: $0.strength) }).apart(gap: gap)
        all = apart.sorted { $0.seconds < $1.seconds }.map {
            Onset(seconds: beginning(of: samples, near: $0.seconds, rate: rate), strength: $0.strength)
        }
    }

    /// The same for an array.
    package init(in samples: [Float], rate: Int) { self.init(in: samples.span, rate: rate) }

    /// - Parameter onsets: in the order of time.
    package init(_ onsets: [Onset]) { all = onsets }

    /// Those of a strength like that of the strongest, each the strongest within a gap before and behind it.
    ///
    /// What is weaker is noise and rooms. Where both meet is the widest step between one strength and the next, somewhere between a
    /// seventh and three fifths of the strength above which half of all strength lies.
    ///
    /// - Parameter gap: in seconds.
    package func strong(gap: Double) -> [Onset] {
        let kept = apart(gap: gap)
        let count = Self.strong(kept.map(\.strength))
        return kept.prefix(count).sorted { $0.seconds < $1.seconds }
    }

    /// Each the strongest within a gap before and behind it, in seconds; from the strongest on, the earlier first.
    private func apart(gap: Double) -> [Onset] {
        var kept: [Onset] = []
        var isHidden = [Bool](repeating: false, count: all.count)
        for index in all.indices.sorted(by: { (all[$1].strength, $0) < (all[$0].strength, $1) })
        where !isHidden[index] {
            kept.append(all[index])
            func isNear(_ other: Int) -> Bool { abs(all[other].seconds - all[index].seconds) < gap }
            for other in all.indices[index...].prefix(while: isNear) { isHidden[other] = true }
            for other in all.indices[...index].reversed().prefix(while: isNear) { isHidden[other] = true }
        }
        return kept
    }

    /// How many of some strengths, the strongest first, are no noise.
    private static func strong(_ strengths: [Double]) -> Int {
        let squares = strengths.reduce(0) { $0 + $1 * $1 }
        var sum = 0.0
        let middle = strengths.first { strength in
            sum += strength * strength
            return sum >= squares / 2
        }
        guard let middle else { return 0 }
        var best = (count: strengths.count, step: 0.0)
        for index in strengths.indices where strengths[index] >= 0.15 * middle {
            // Behind the last is nothing.
            let next = index + 1 < strengths.count ? max(strengths[index + 1], 0.15 * middle) : 0.15 * middle
            let step = strengths[index] / next
            if next <= 0.6 * middle, step > best.step { best = (index + 1, step) }
        }
        return best.count
    }

    /// Those within a stretch, in seconds.
    func within(_ stretch: Range<Double>) -> Onsets { Onsets(all.filter { stretch.contains($0.seconds) }) }

    /// - Returns: each with its strength over the median around it.
    private static func peaks(of flux: [Float], least: Float) -> [(frame: Int, strength: Double)] {
        flux.indices.compactMap { frame in
            guard flux[frame] >= least, isPeak(flux, at: frame) else { return nil }
            let around = flux[max(0, frame - medianReach)..<min(flux.count, frame + medianReach + 1)].sorted()
            let strength = flux[frame] - around[around.count / 2]
            return strength >= least ? (frame, Double(strength)) : nil
        }
    }

    private static func isPeak(_ flux: [Float], at frame: Int) -> Bool {
        for other in max(0, frame - peakReach)..<min(flux.count, frame + peakReach + 1) {
            if flux[other] > flux[frame] || (flux[other] == flux[frame] && other < frame) { return false }
        }
        return true
    }
}

/// Where a sound near an instant begins: the first millisecond in which the energy around 4 kHz and below, without the lowest frequencies, has a fifth
/// of what it reaches.
private func beginning(of samples: borrowing Span<Float>, near seconds: Double, rate: Int) -> Double {
    let step = max(1, rate / 1000)
    let lag = max(1, rate / 8000)
    let first = max(lag, Int((seconds - 0.02) * Double(rate)))
    let steps = max(0, min(samples.count, Int((seconds + 0.012) * Double(rate))) - first) / step
    guard steps > 1 else { return seconds }
    var energies = [Float](repeating: 0, count: steps)
    for index in energies.indices {
        var energy: Float = 0
        for place in (first + index * step)..<(first + (index + 1) * step) {
            let difference = finite(samples[place]) - finite(samples[place - lag])
            energy += difference * difference
        }
        energies[index] = energy
    }
    let before = energies.prefix(steps / 4 + 1).min() ?? 0
    let highest = energies.max() ?? 0
    guard highest > 0, let index = energies.firstIndex(where: { $0 - before >= 0.2 * (highest - before) }) else {
        return seconds
    }
    return Double(first + index * step) / Double(rate)
}
