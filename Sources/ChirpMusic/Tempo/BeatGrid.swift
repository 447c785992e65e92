internal import Glibc

/// Where the beats of a recording lie.
package struct BeatGrid: Codable, Hashable, Sendable {
    /// In seconds from the beginning of the recording, to the millisecond, in the order of time.
    package let beats: [Double]

    package init(beats: [Double]) { self.beats = beats }

    /// The beat that is nearest to a moment; nil without beats.
    package func nearest(to seconds: Double) -> Double? {
        var (low, high) = (0, beats.count)
        while low < high {
            let middle = (low + high) / 2
            if beats[middle] < seconds { low = middle + 1 } else { high = middle }
        }
        let around = [low - 1, low].filter(beats.indices.contains).map { beats[$0] }
        return around.min { abs($0 - seconds) < abs($1 - seconds) }
    }
}

/// Lays beats over a curve of beginnings so that they lie on strong ones and at even distances: the best of all ways, by dynamic programming (Ellis,
/// "Beat Tracking by Dynamic Programming", JNMR 2007).
struct BeatTracker: Sendable {
    /// What a beat loses for a distance that is wrong by a factor of e, in the curve's standard deviations.
    private static let tightness: Float = 400

    let curve: [Float]
    let rate: Double

    /// Moments of beats, in seconds, finer than the curve's.
    func beats(tempo: Double) -> [Double] {
        let period = 60 / tempo * rate
        let (near, far) = (max(1, Int(period / 2)), Int(period * 2))
        guard curve.count > far, period >= 2 else { return [] }
        let values = smooth(period: period)
        let penalties = (near...far).map { distance -> Float in
            let ratio = logf(Float(Double(distance) / period))
            return Self.tightness * ratio * ratio
        }
        var scores = values
        var sources = [Int32](repeating: -1, count: values.count)
        for moment in near..<values.count {
            var best: Float = 0
            var source = -1
            for index in penalties.indices {
                let before = moment - near - index
                if before < 0 { break }
                let score = scores[before] - penalties[index]
                if score > best { (best, source) = (score, before) }
            }
            scores[moment] += best
            sources[moment] = Int32(source)
        }
        // The last beat is the best within the last two periods.
        var moment = (values.count - far..<values.count).max { scores[$0] < scores[$1] } ?? 0
        var found: [Double] = []
        while moment >= 0 {
            found.append(refined(moment))
            moment = Int(sources[moment])
        }
        return trimmed(found.reversed())
    }

    /// The curve in its standard deviations, a little blurred so that hits that are almost even count.
    private func smooth(period: Double) -> [Float] {
        var squares = 0.0
        for value in curve { squares += Double(value) * Double(value) }
        let deviation = Float((squares / Double(max(1, curve.count))).squareRoot())
        guard deviation > 0 else { return curve }
        let reach = max(1, Int(period / 16))
        let weights = (-reach...reach).map { place -> Float in
            let distance = Float(place) * 32 / Float(period)
            return expf(-distance * distance / 2)
        }
        return curve.indices.map { index in
            var sum: Float = 0
            for place in -reach...reach where curve.indices.contains(index + place) {
                sum += weights[place + reach] * curve[index + place]
            }
            return sum / deviation
        }
    }

    /// Between the curve's moments: the top of the parabola through the highest moment nearby and its neighbours.
    private func refined(_ moment: Int) -> Double {
        let around = max(1, moment - 2)...max(1, min(curve.count - 2, moment + 2))
        let top = around.max { curve[$0] < curve[$1] } ?? moment
        guard top >= 1, top + 1 < curve.count, curve[top] > 0 else { return Double(moment) / rate }
        let (before, here, after) = (curve[top - 1], curve[top], curve[top + 1])
        let bend = before - 2 * here + after
        let shift = bend < 0 ? Double((before - after) / (2 * bend)) : 0
        return max(0, (Double(top) + max(-0.5, min(0.5, shift))) / rate)
    }

    /// Without the beats of a silent beginning or end.
    private func trimmed(_ beats: [Double]) -> [Double] {
        guard let highest = curve.max(), highest > 0,
            let first = curve.firstIndex(where: { $0 > 0.1 * highest }),
            let last = curve.lastIndex(where: { $0 > 0.1 * highest })
        else { return [] }
        let sounding = (Double(first) / rate - 0.1)...(Double(last) / rate + 0.1)
        return beats.filter(sounding.contains)
    }
}
