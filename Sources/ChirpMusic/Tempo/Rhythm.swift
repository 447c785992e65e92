internal import Glibc

/// Tempo and beats of a curve of beginnings.
struct Rhythm: Sendable {
    let tempo: TempoEstimate?
    let grid: BeatGrid
    /// As ``TempoSearch/correlation``.
    let correlation: [Double]
    /// Of the moments of the curve, a second.
    let rate: Double

    /// - Parameters:
    ///   - curve: never below 0.
    ///   - rate: of its moments, a second.
    init(_ curve: [Float], rate: Double) {
        let search = TempoSearch(curve, rate: rate)
        correlation = search.correlation
        self.rate = rate
        guard let found = search.find() else {
            (tempo, grid) = (nil, BeatGrid(beats: []))
            return
        }
        let tracker = BeatTracker(curve: TempoSearch.withoutSlowChange(curve, rate: rate), rate: rate)
        let beats = tracker.beats(tempo: found.tempo)
        let exact = Self.tempo(of: beats, near: found.tempo) ?? found.tempo
        let factor = exact / found.tempo
        tempo = TempoEstimate(
            beatsPerMinute: rounded(exact, to: 100), alternative: rounded(found.alternative * factor, to: 100),
            confidence: rounded(found.agreement * found.clarity * Self.regularity(of: beats, tempo: exact), to: 1000))
        grid = BeatGrid(beats: beats.map { rounded($0, to: 1000) })
    }

    /// By the median of the distances over eight beats; nil when they say something else than was found.
    private static func tempo(of beats: [Double], near tempo: Double) -> Double? {
        let span = min(8, beats.count / 2)
        guard span >= 2 else { return nil }
        let distances = zip(beats.dropFirst(span), beats).map { ($0 - $1) / Double(span) }.sorted()
        let exact = 60 / distances[distances.count / 2]
        return abs(exact / tempo - 1) <= 0.03 ? exact : nil
    }

    /// The share of distances between beats that are right within 8 %: what follows a rhythm is even, what is laid over noise is not.
    private static func regularity(of beats: [Double], tempo: Double) -> Double {
        let distances = zip(beats.dropFirst(), beats).map { $0 - $1 }
        guard !distances.isEmpty else { return 0 }
        return Double(distances.count { abs($0 * tempo / 60 - 1) <= 0.08 }) / Double(distances.count)
    }
}

extension Rhythm {
    /// What a rhythm is like, in 19 numbers: the highest autocorrelation within each quarter of an octave of distances from an eighth of a second to two
    /// seconds, how many sounds begin, how clear the pulse is, and how much of it is low.
    func numbers(density: Double, lowShare: Double) -> [Double] {
        let bands = (0..<16).map { band -> Double in
            let first = Int(0.125 * exp2(Double(band) / 4) * rate)
            let last = Int(0.125 * exp2(Double(band + 1) / 4) * rate)
            return correlation[min(first, correlation.count)..<min(last, correlation.count)].max() ?? 0
        }
        return bands + [log2(density + 0.25), bands.max() ?? 0, lowShare]
    }
}

/// To so many parts of one, so that the same recording is always told in the same few bytes.
func rounded(_ value: Double, to parts: Double) -> Double { (value * parts).rounded() / parts }
