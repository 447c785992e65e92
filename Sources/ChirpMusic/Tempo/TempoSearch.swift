internal import Glibc

/// Looks for the tempo in a curve of beginnings: its autocorrelation over stretches of twelve seconds, summed at a beat's distance and its multiples,
/// and weighed by how usual a tempo is (Ellis, JNMR 2007).
struct TempoSearch: Sendable {
    /// In beats a minute; outside of it there are only halves and doubles.
    static let range = 50.0...220.0
    /// What people tap most often, and how far from it half as likely tempi lie, in octaves.
    private static let usual = 140.0
    private static let spread = 1.0
    /// Steps of tempi that are tried, in octaves.
    private static let step = 1.0 / 96
    private static let stretch = 12.0
    private static let multiples: [(beats: Double, weight: Double)] = [(1, 1), (2, 0.7), (3, 0.4), (4, 0.5)]

    /// The autocorrelation that noise reaches, and that music with a beat hardly stays below: eight songs with a
    /// beat reached 0.2 to 0.65.
    private static let (chance, clear) = (0.05, 0.2)
    /// Of a curve that stays below, nothing is a beginning: a tone that stands.
    private static let least: Float = 0.1

    let rate: Double
    /// The mean autocorrelation, 1 at 0; a value for each moment of delay.
    let correlation: [Double]
    private let stretches: [[Double]]

    /// - Parameters:
    ///   - curve: never below 0.
    ///   - rate: of its moments, a second.
    init(_ curve: [Float], rate: Double) {
        self.rate = rate
        let length = min(curve.count, Int(Self.stretch * rate))
        guard length > 1, (curve.max() ?? 0) > Self.least else {
            (correlation, stretches) = ([], [])
            return
        }
        let steady = Self.withoutSlowChange(curve, rate: rate)
        var correlator = Correlator(length: length)
        var stretches: [[Double]] = []
        var start = 0
        while start + length <= steady.count {
            if let values = correlator.correlate(steady, at: start) { stretches.append(values) }
            start += max(1, length / 3)
        }
        var mean = [Double](repeating: 0, count: length)
        for values in stretches { for index in mean.indices { mean[index] += values[index] } }
        for index in mean.indices where !stretches.isEmpty { mean[index] /= Double(stretches.count) }
        correlation = mean
        self.stretches = stretches
    }

    /// Nil when nothing begins more than once. How far it is agreed on and how clear it is are 0 to 1.
    func find() -> (tempo: Double, alternative: Double, agreement: Double, clarity: Double)? {
        guard !stretches.isEmpty, let tempo = Self.best(correlation, rate: rate) else { return nil }
        let (half, double) = (tempo / 2, tempo * 2)
        func score(_ tempo: Double) -> Double { Self.score(correlation, rate: rate, tempo) }
        let alternative = score(half) > score(double) ? half : double
        let agreeing = stretches.count { values in
            guard let own = Self.best(values, rate: rate) else { return false }
            return [0.5, 1, 2].contains { abs(own / (tempo * $0) - 1) <= 0.04 }
        }
        let highest = [1.0, 2].compactMap { Self.value(correlation, at: 60 / tempo * rate * $0) }.max() ?? 0
        let clarity = (highest - Self.chance) / (Self.clear - Self.chance)
        return (tempo, alternative, Double(agreeing) / Double(stretches.count), max(0, min(1, clarity)))
    }

    private static func best(_ correlation: [Double], rate: Double) -> Double? {
        var best = (tempo: 0.0, score: 0.0)
        var octave = log2(range.lowerBound)
        while octave <= log2(range.upperBound) {
            let tempo = exp2(octave)
            let score = score(correlation, rate: rate, tempo)
            if score > best.score { best = (tempo, score) }
            octave += step
        }
        return best.score > 0 ? best.tempo : nil
    }

    /// How well a tempo fits, times how usual it is.
    private static func score(_ correlation: [Double], rate: Double, _ tempo: Double) -> Double {
        let lag = 60 / tempo * rate
        var (sum, weights) = (0.0, 0.0)
        for (beats, weight) in multiples {
            guard let value = value(correlation, at: lag * beats) else { continue }
            sum += weight * value
            weights += weight
        }
        guard weights > 0 else { return 0 }
        let distance = log2(tempo / usual) / spread
        return max(0, sum / weights) * exp(-distance * distance / 2)
    }

    private static func value(_ correlation: [Double], at lag: Double) -> Double? {
        let index = Int(lag)
        // Few products are left towards the end.
        guard index >= 1, index + 1 < correlation.count * 3 / 4 else { return nil }
        let part = lag - Double(index)
        return correlation[index] * (1 - part) + correlation[index + 1] * part
    }

    /// Without what changes slower than beats do.
    static func withoutSlowChange(_ curve: [Float], rate: Double) -> [Float] {
        let reach = Int(rate * 0.4)
        var sums = [Double](repeating: 0, count: curve.count + 1)
        for index in curve.indices { sums[index + 1] = sums[index] + Double(curve[index]) }
        return curve.indices.map { index in
            let (first, last) = (max(0, index - reach), min(curve.count, index + reach + 1))
            return curve[index] - Float((sums[last] - sums[first]) / Double(last - first))
        }
    }
}

/// The autocorrelation of stretches of one length, by the spectrum's power (Wiener and Khinchin).
private struct Correlator: ~Copyable {
    private let length: Int
    private var transform: RealTransform
    private var samples: [Float]
    private var spectrum: [Complex]

    init(length: Int) {
        self.length = length
        transform = RealTransform(size: RealTransform.quickSize(atLeast: 2 * length))
        samples = Array(repeating: 0, count: transform.size)
        spectrum = Array(repeating: Complex(), count: transform.bins)
    }

    /// Of so many values from a place on, 1 at 0, each by how many products it has; nil when all are 0.
    mutating func correlate(_ curve: [Float], at start: Int) -> [Double]? {
        for index in samples.indices { samples[index] = index < length ? curve[start + index] : 0 }
        transform.transform(samples, into: &spectrum)
        for bin in spectrum.indices { spectrum[bin] = Complex(spectrum[bin].power, 0) }
        transform.invert(spectrum, into: &samples)
        let whole = Double(samples[0])
        guard whole > 1e-9 else { return nil }
        return (0..<length).map { index in
            Double(samples[index]) / whole * Double(length) / Double(length - index)
        }
    }
}
