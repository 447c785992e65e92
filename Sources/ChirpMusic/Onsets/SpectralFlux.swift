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
        let bands = parts.reduce(0) { $0 + $1.bands }
        return (0..<frames).map { frame in
            var (sum, seen) = (Float(0), bands)
            for part in parts {
                let unseen = masked.contains(frame) ? part.unseen : 0..<0
                seen -= unseen.count
                for band in 0..<part.bands where !unseen.contains(band) {
                    sum += part.values[frame * part.bands + band]
                }
            }
            return seen > 0 ? sum / Float(seen) : 0
        }
    }

    /// How much of the growth from every moment on is that of some: about 1 where a sound like those begins.
    ///
    /// What follows a beginning tells as much as the beginning itself: of a soft sound every single moment could be noise, all of them in their
    /// order hardly.
    ///
    /// - Parameters:
    ///   - sounds: frames in which they begin, at least one.
    ///   - moments: over how many frames from there on they are compared, at least 1.
    ///   - stretch: what is around them and to be told from them.
    func values(like sounds: [Int], over moments: Int, within stretch: Range<Int>) -> [Float] {
        var isBeside = [Bool](repeating: false, count: frames)
        for frame in stretch.clamped(to: 0..<frames) { isBeside[frame] = true }
        for sound in sounds {
            let end = min(frames, sound + max(Self.reach, moments))
            for frame in max(0, sound - Self.reach)..<end { isBeside[frame] = false }
        }
        var likeness = Likeness(frames: frames)
        for part in parts {
            let growth = part.overThreeMoments()
            let noise = meanSquares(of: growth, bands: part.bands, in: isBeside)
            for moment in 0..<moments {
                let typical = (0..<part.bands).map { band in
                    sounds.map { $0 + moment < frames ? growth[($0 + moment) * part.bands + band] : 0 }
                        .sorted()[sounds.count / 2]
                }
                let weights = zip(typical, noise).map { $0 / ($1 + Self.chance) }
                likeness.add(
                    growth, weights: weights, typical: typical, later: moment, unseen: part.unseen, masked: masked)
            }
        }
        return likeness.shares
    }

    /// Of each band, over some frames.
    private func meanSquares(of growth: [Float], bands: Int, in isCounted: [Bool]) -> [Float] {
        var (squares, count) = ([Float](repeating: 0, count: bands), Float(0))
        for frame in 0..<frames where isCounted[frame] {
            for band in 0..<bands {
                let value = growth[frame * bands + band]
                squares[band] += value * value
            }
            count += 1
        }
        return squares.map { $0 / max(1, count) }
    }
}

/// Weighed growth, as a share of the typical one in the same bands.
private struct Likeness {
    private var sums: [Float]
    private var wholes: [Float]

    init(frames: Int) {
        sums = Array(repeating: 0, count: frames)
        wholes = sums
    }

    var shares: [Float] { zip(sums, wholes).map { $1 > 0 ? $0 / $1 : 0 } }

    /// Adds what grows so many frames later than each.
    mutating func add(
        _ growth: [Float], weights: [Float], typical: [Float], later: Int, unseen: Range<Int>, masked: Range<Int>
    ) {
        let bands = weights.count
        let products = zip(weights, typical).map { $0 * $1 }
        let whole = products.reduce(0, +)
        let seen = products.indices.reduce(Float(0)) { unseen.contains($1) ? $0 : $0 + products[$1] }
        let seenWeights = weights.indices.map { unseen.contains($0) ? 0 : weights[$0] }
        growth.withUnsafeBufferPointer { growth in
            for frame in sums.indices {
                let isMasked = masked.contains(frame + later)
                wholes[frame] += isMasked ? seen : whole
                guard frame + later < sums.count else { continue }
                let place = (frame + later) * bands
                var sum: Float = 0
                if isMasked {
                    for band in 0..<bands { sum += seenWeights[band] * growth[place + band] }
                } else {
                    for band in 0..<bands { sum += weights[band] * growth[place + band] }
                }
                sums[frame] += sum
            }
        }
    }
}
