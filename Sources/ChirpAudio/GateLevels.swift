internal import Glibc

/// The levels that a ``SilenceGate`` looks at, as ``LevelWindow/voiceCode``: those of every 10 ms, and means over the 50 ms around them.
///
/// The means tell noise from sound. They vary half as much with white noise, and mains hum is steady in them: 60 Hz fill 50 ms
/// with three whole periods, while 10 ms of it differ by decibels.
struct GateLevels {
    private let windows: LevelWindows
    /// Energy means over five windows.
    private var means: [UInt8]

    /// What the codes stand for; 0 for the lowest.
    private static let energies = (0...255).map { $0 == 0 ? 0 : pow(10, Double($0) / 20) }

    init(_ windows: LevelWindows) {
        self.windows = windows
        means = []
        means.reserveCapacity(windows.count)
        // The five energies around a window; those beyond the ends do not count.
        var window = (0.0, 0.0, 0.0, 0.0, 0.0)
        func energy(_ index: Int) -> Double { index < windows.count ? Self.energies[windows[index].voiceCode] : 0 }
        (window.3, window.4) = (energy(0), energy(1))
        for index in 0..<windows.count {
            window = (window.1, window.2, window.3, window.4, energy(index + 2))
            let count = min(index + 2, windows.count - 1) - max(index - 2, 0) + 1
            let mean = (window.0 + window.1 + window.2 + window.3 + window.4) / Double(count)
            means.append(mean >= 1 ? UInt8(min(255, (20 * log10(mean)).rounded())) : 0)
        }
    }

    var count: Int { means.count }

    func mean(_ index: Int) -> Int { Int(means[index]) }

    var histogram: [Int] {
        var result = [Int](repeating: 0, count: 256)
        for code in means { result[Int(code)] += 1 }
        return result
    }

    /// The first window, in one direction, with which sound begins: one that is above the threshold for 50 ms. Shorter is a click
    /// and its ringing, which the means make longer by 40 ms.
    func firstSound(open: Int, from start: Int, by step: Int) -> Int? {
        /// How many of so many windows from one on are above.
        func above(_ begin: Int, of length: Int, _ level: (Int) -> Int) -> Int {
            (0..<length).count { offset in
                let index = begin + offset * step
                return index >= 0 && index < count && level(index) >= open
            }
        }
        func own(_ index: Int) -> Int { windows[index].voiceCode }
        var index = start
        while index >= 0 && index < count {
            if mean(index) >= open {
                if above(index, of: 10, mean) >= 9 { return index }
                // A short word whose own 10 ms are loud enough, one by one.
                if above(index, of: 8, mean) >= 7,
                    (0..<4).contains(where: { above(index + $0 * step, of: 6, own) >= 5 })
                {
                    return index
                }
            }
            index += step
        }
        return nil
    }

    /// Goes outwards while the mean stays above the lower threshold; gaps of 20 ms are crossed.
    func extended(_ start: Int, close: Int, by step: Int, limit: Int) -> Int {
        var border = start
        var index = start + step
        while index >= 0, index < count, abs(index - start) <= limit, abs(index - border) <= 3 {
            if mean(index) >= close { border = index }
            index += step
        }
        return border
    }
}
