/// A short tone of the start signal that was heard.
struct ShortTone: Sendable {
    /// Where it begins in the signal, in seconds.
    var offset: Double
    /// Where it was heard best, in samples.
    var index: Int
    var match: Float
}

/// The clock of a recording beside that of the device that played, by the distances of equal tones.
///
/// Each tone is compared with the clearest of them as it *sounded*: the room changes all in the same way, so that its echoes do not
/// falsify distances but make them more exact.
struct ToneDistances: Sendable {
    /// Samples of the recording per sample that was played, less 1; nil when too few tones were heard too badly. Told up to some
    /// 1.5 thousandths: beyond, the tones are not where they are looked for.
    let drift: Double?

    /// In seconds: how long the room is listened to around a tone, and how far tones may be displaced.
    private static let around = 0.01
    private static let displacement = 0.004
    /// What is less certain is not used.
    private static let leastExact = 40e-6
    /// Distances that fit a straight line no better than this, in seconds, are not those of one clock.
    private static let tolerance = 150e-6

    init(_ tones: [ShortTone], filter: MatchedFilter, band: ToneBand) {
        guard tones.count >= 3, let model = tones.max(by: { $0.match < $1.match }) else {
            drift = nil
            return
        }
        let (around, displacement) = (band.index(Self.around), band.index(Self.displacement))
        let shape = (-around...around).map { filter.response(in: band, at: model.index + $0) }
        var points = tones.compactMap { tone -> (x: Double, y: Double)? in
            let width = around + displacement
            let other = (-width...width).map { filter.response(in: band, at: tone.index + $0) }
            guard let moved = displaced(other, from: shape) else { return nil }
            let heard = Double(tone.index - displacement) + moved
            return (tone.offset, (heard - Double(model.index)) / band.rate - (tone.offset - model.offset))
        }
        var line = Line(points)
        // One may have been hidden by something louder.
        if let fit = line, points.count > 3, fit.error > Self.tolerance {
            points.remove(at: points.indices.max { fit.distance(points[$0]) < fit.distance(points[$1]) } ?? 0)
            line = Line(points)
        }
        guard let line, line.error <= Self.tolerance, line.slopeError <= Self.leastExact else {
            drift = nil
            return
        }
        drift = line.slope
    }
}

/// At which offset a shape lies best over a longer run, to a part of a sample.
private func displaced(_ run: [Complex], from shape: [Complex]) -> Double? {
    let powers = (0...(run.count - shape.count)).map { offset in
        var sum = Complex()
        for index in shape.indices {
            let (x, y) = (run[offset + index], shape[index])
            sum.re += x.re * y.re + x.im * y.im
            sum.im += x.im * y.re - x.re * y.im
        }
        return sum.power
    }
    guard let top = powers.indices.max(by: { powers[$0] < powers[$1] }), top > 0, top + 1 < powers.count else {
        return nil
    }
    return peak(powers[top - 1], powers[top], powers[top + 1], at: top)
}

/// The straight line with the least squares.
private struct Line {
    let slope: Double
    private let middle: (x: Double, y: Double)
    /// Root of the mean square of the distances, and what that makes of the slope. A distance is never known better than to 10 µs.
    let error: Double
    let slopeError: Double

    init?(_ points: [(x: Double, y: Double)]) {
        guard points.count >= 3 else { return nil }
        let count = Double(points.count)
        let middle = (x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        let width = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
        let slope = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) } / width
        let squares = points.reduce(0) { sum, point in
            let distance = point.y - middle.y - slope * (point.x - middle.x)
            return sum + distance * distance
        }
        error = (squares / (count - 2)).squareRoot()
        slopeError = max(error, 10e-6) / width.squareRoot()
        self.slope = slope
        self.middle = middle
    }

    func distance(_ point: (x: Double, y: Double)) -> Double { abs(point.y - middle.y - slope * (point.x - middle.x)) }
}
