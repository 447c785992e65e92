internal import Glibc

/// How much begins at every moment, 100 times a second: the growth of all mel bands, each beside what it lately had at most, so that soft and loud
/// music, and soft and loud bands of it, count alike (adaptive whitening: Stowell and Plumbley, ICMC 2007).
///
/// It takes the bands of one moment after the other and keeps a number of each, up to an hour.
struct PulseCurve: Sendable {
    /// Moments a second, as nearly as the rate allows.
    static let rate = 100.0
    /// Moments that are kept: an hour.
    static let longest = 360_000

    private(set) var values: [Float] = []
    private var lowSum = 0.0
    private var wholeSum = 0.0

    private let lowBands: Int
    private var peaks: [Float]
    /// Compressed bands of the last moments, the latest at the end.
    private var recent: [[Float]]
    private var loudest: Float = 0

    /// A band is compared with what it was so many moments ago.
    private static let lag = 2
    /// What a band had at most is forgotten to a tenth within ten seconds.
    private static let memory = Float(pow(0.1, 1 / (10 * rate)))
    private static let compression: Float = 100

    /// - Parameters:
    ///   - bands: how many there are.
    ///   - lowBands: so many of them are low ones.
    init(bands: Int, lowBands: Int) {
        self.lowBands = lowBands
        peaks = Array(repeating: 0, count: bands)
        recent = Array(repeating: Array(repeating: 0, count: bands), count: Self.lag + 1)
    }

    /// The share of all growth that is in the low bands: bass drums and basses.
    var lowShare: Double { wholeSum > 0 ? lowSum / wholeSum : 0 }

    var isFull: Bool { values.count >= Self.longest }

    /// - Parameters:
    ///   - energies: of a moment's bands.
    ///   - isWhole: whether the window lies within the recording; where it does not, the recording's edge would be a beginning.
    mutating func append(_ energies: [Float], isWhole: Bool) {
        guard !isFull else { return }
        var highest: Float = 0
        for energy in energies where energy > highest { highest = energy }
        if highest > loudest { loudest = highest }
        // What is 70 dB below the loudest of all bands is silence, however long it lasts.
        let floor = max(loudest * 1e-7, 1e-12)
        var now = recent.removeFirst()
        let before = recent[0]
        var (low, whole) = (Float(0), Float(0))
        for band in energies.indices {
            peaks[band] = max(energies[band], floor, peaks[band] * Self.memory)
            now[band] = logf(1 + Self.compression * energies[band] / peaks[band])
            var highest = before[band]
            if band > 0, before[band - 1] > highest { highest = before[band - 1] }
            if band + 1 < before.count, before[band + 1] > highest { highest = before[band + 1] }
            let rise = now[band] - highest
            if rise > 0 {
                whole += rise
                if band < lowBands { low += rise }
            }
        }
        recent.append(now)
        guard isWhole, values.count > Self.lag else { return values.append(0) }
        values.append(whole / Float(energies.count))
        lowSum += Double(low)
        wholeSum += Double(whole)
    }

    /// How many beginnings stand out, a second.
    func density(rate: Double) -> Double {
        guard values.count > 1 else { return 0 }
        let highest = values.sorted()[values.count * 99 / 100]
        guard highest > 0 else { return 0 }
        let reach = 3
        var count = 0
        for index in values.indices where values[index] > 0.25 * highest {
            let around = values[max(0, index - reach)...min(values.count - 1, index + reach)]
            if around.allSatisfy({ $0 <= values[index] }) { count += 1 }
        }
        return Double(count) * rate / Double(values.count)
    }
}
