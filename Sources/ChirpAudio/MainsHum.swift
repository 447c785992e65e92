internal import Glibc

/// Mains hum and nothing else: a steady tone of 50 or 60 Hz with its harmonics.
public enum MainsHum {
    /// Half a hertz is more than any mains is off by, clocks of sound cards included.
    private static let tolerance = 0.5
    private static let harmonics = 20
    /// The part of the energy that harmonics must explain: what remains is at least 18 dB softer.
    private static let least = 0.985

    /// Finds out whether a stretch of a signal is hum.
    ///
    /// The fundamental, or the harmonic at twice its frequency that rectifiers leave, must be there: a test tone of 1 kHz is a
    /// multiple of 50 Hz, but nobody's hum.
    ///
    /// - Parameters:
    ///   - samples: of one channel, half a second or more.
    ///   - sampleRate: in hertz, 4000 or more.
    /// - Returns: 50 or 60; nil for anything else.
    public static func frequency(of samples: [Float], sampleRate: Int) -> Int? {
        guard samples.count >= sampleRate / 2 else { return nil }
        // Means of some samples: hum has hardly anything above 1 kHz, and what else there is counts as not explained.
        let step = max(1, sampleRate / 4000)
        let rate = Double(sampleRate) / Double(step)
        let count = samples.count / step
        let window = hannWindow(count: count)
        let offset = samples.reduce(0) { $0 + Double($1) } / Double(samples.count)
        var total = 0.0
        let heard = (0..<count).map { index in
            var mean = 0.0
            for sample in samples[index * step..<(index + 1) * step] {
                let value = (Double(sample) - offset) * window[index]
                total += value * value
                mean += value
            }
            return mean / Double(step)
        }
        total /= Double(step)
        guard total > 0 else { return nil }
        let scale = 2 / (window.reduce(0) { $0 + $1 * $1 })

        /// The energy at a frequency.
        func energy(_ frequency: Double) -> Double {
            let turn = 2 * .pi * frequency / rate
            let factor = 2 * cos(turn)
            var (last, before) = (0.0, 0.0)
            // Goertzel.
            for (sample, weight) in zip(heard, window) {
                (last, before) = (sample * weight + factor * last - before, last)
            }
            let found = last * last + before * before - factor * last * before
            // What taking means has cost.
            let half = .pi * frequency / Double(sampleRate)
            let kept = sin(half * Double(step)) / (Double(step) * sin(half))
            return found * scale / (kept * kept)
        }
        func explained(_ fundamental: Double, _ count: Int) -> Double {
            (1...count).reduce(0) {
                $0 + (Double($1) * fundamental < 0.45 * rate ? energy(Double($1) * fundamental) : 0)
            }
        }
        for mains in [50.0, 60] {
            var best = mains
            for (range, step, count) in [(tolerance, 0.1, 6), (0.1, 0.01, harmonics)] {
                let centre = best
                var most = -1.0
                for candidate in stride(from: centre - range, through: centre + range, by: step) {
                    let found = explained(candidate, count)
                    if found > most { (most, best) = (found, candidate) }
                }
            }
            let all = explained(best, harmonics)
            if all >= least * total, energy(best) + energy(2 * best) >= 0.02 * total { return Int(mains) }
        }
        return nil
    }
}
