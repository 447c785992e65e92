internal import Glibc

/// Finds where a recording begins and ends to sound, adapting to its own noise.
///
/// It looks at the level above 80 Hz, in means over 50 ms every 10 ms. The noise floor is the 10th percentile of all; what stays
/// clearly above it for 50 ms is voice, and from there the borders go outwards while the level stays slightly above it
/// (hysteresis), the farther the less speech stands out: its soft ends are then below the noise. Whenever the levels do not tell
/// noise from sound, everything is kept: a lost word is worse than a pause.
public struct SilenceGate: Hashable, Sendable {
    /// The level that 10 % of the recording stay below. Nil for digital silence, and when quiet passages do not look
    /// like noise.
    public let noiseFloor: Decibels?
    /// The level that only 80 ms of the recording exceed.
    public let top: Decibels
    /// From the first to the last sound, in windows; nil when there is nothing but digital silence.
    public let voiced: Range<Int>?
    /// There is sound that stands out from noise or silence; otherwise the whole recording was kept because in doubt.
    public let isCertain: Bool
    /// Levels from here on are sound, as a ``LevelWindow/voiceCode``.
    public let openCode: Int

    /// Nothing stands out at all: the means over 50 ms lie within 4 dB, but for 80 ms.
    public let isSteady: Bool

    /// - Parameter leastContrast: how far noise must lie below the loudest sound to be told from it. 12 dB suits speech, 6 when
    ///   the noise is very even; music, which may well rest on a quiet drone, needs more.
    public init(_ windows: LevelWindows, leastContrast: Decibels = Decibels(12)) {
        let levels = GateLevels(windows)
        let total = windows.count
        let histogram = levels.histogram

        func code(exceedingShare share: Double) -> Int {
            var left = Int(Double(total) * share)
            for code in histogram.indices {
                left -= histogram[code]
                if left < 0 { return code }
            }
            return 255
        }
        var own = [Int](repeating: 0, count: 256)
        for index in 0..<total { own[windows[index].voiceCode] += 1 }
        let most = min(8, max(1, total / 8))
        let topCode = Self.code(exceededBy: most, in: own)
        top = LevelWindow.level(ofVoiceCode: topCode)
        guard topCode > 0 else {
            (noiseFloor, voiced, isCertain, openCode, isSteady) = (nil, nil, false, 1, false)
            return
        }

        // Codes are half decibels.
        var floor = code(exceedingShare: 0.10)
        var spread = floor - code(exceedingShare: 0.01)
        if floor == 0 { spread = 0 }
        isSteady = floor > 0 && Self.code(exceededBy: most, in: histogram) - floor < 2 * 4
        // Real noise is even: its 1st percentile lies close to its 10th. Anything else is soft programme, in which case
        // only what is far below the top may count as silence.
        let isEven = spread <= 2 * 6
        if !isEven {
            floor = min(floor, max(code(exceedingShare: 0.01) + 2 * 2, topCode - 2 * 45))
            spread = 2 * 2
        }
        openCode = max(floor + 2 * 5 + spread * 3 / 2, topCode - 2 * 55, 1)
        noiseFloor = floor > 0 && isEven ? LevelWindow.level(ofVoiceCode: floor) : nil
        // A tail may sink as far as 55 dB below the top and still be heard; below that even digital silence is silence.
        let open = max(floor + (isEven ? 2 * 3 + spread * 3 : 2 * 8), topCode - 2 * 55, 1)
        let close = max(floor + (isEven ? 3 + spread : 2 * 4), topCode - 2 * 60, 1)

        let contrast = topCode - floor
        let least = Int(leastContrast.value * 2)
        // Real noise reaches 4 times its spread above its floor, if ever; twice that is sound.
        let needed = isEven && least <= 2 * 12 ? min(least, 2 * 6 + 3 * spread) : least
        guard contrast >= needed,
            let first = levels.firstSound(open: open, from: 0, by: 1),
            let last = levels.firstSound(open: open, from: total - 1, by: -1)
        else {
            voiced = 0..<total
            isCertain = false
            return
        }
        var begin = levels.extended(first, close: close, by: -1, limit: 12)
        var end = levels.extended(last, close: close, by: 1, limit: 8) + 1
        // The means reach 20 ms beyond a sound, which shows where there is hardly anything around it.
        if contrast >= 2 * 50 {
            for _ in 0..<2 where begin < first + 2 && windows[begin].voiceCode < close { begin += 1 }
            for _ in 0..<2 where end > last - 1 && windows[end - 1].voiceCode < close { end -= 1 }
        }
        // Loud noise hides soft consonants, so more is kept of it (measured by `Benchmarks/tables/trim.py`).
        let margin: (before: Int, after: Int) =
            switch contrast {
            case ..<(2 * 14): (10, 18)
            case ..<(2 * 18): (8, 12)
            case ..<(2 * 26): (8, 10)
            default: (0, 0)
            }
        begin = max(0, begin - margin.before)
        end = min(total, end + margin.after)
        // What goes must look like noise: even, or far below everything else.
        if !Self.isNoise(windows, 0..<begin, top: topCode) { begin = 0 }
        if !Self.isNoise(windows, end..<total, top: topCode) { end = total }
        voiced = begin..<end
        isCertain = true
    }

    /// Whether a passage is as even as noise, apart from a few clicks, or more than 45 dB below the top.
    private static func isNoise(_ windows: LevelWindows, _ range: Range<Int>, top: Int) -> Bool {
        let each = spread(of: range.lazy.map { windows[$0].voiceCode })
        if each.high - each.low <= 2 * 6 || each.high <= top - 2 * 45 { return true }
        // Rumbling noise (traffic, a fan) varies by more from one 10 ms to the next, but not over 100 ms.
        let tenths = stride(from: range.lowerBound, to: range.upperBound, by: 10).lazy.map { start in
            let part = start..<min(start + 10, range.upperBound)
            let energy = part.reduce(0) { $0 + pow(10, Double(windows[$1].voiceCode) / 20) } / Double(part.count)
            return Int((20 * log10(energy)).rounded())
        }
        let even = spread(of: tenths)
        return even.high - even.low <= 9
    }

    /// The codes that a tenth of all stays below, and that a tenth exceeds.
    private static func spread(of codes: some Sequence<Int>) -> (low: Int, high: Int) {
        var histogram = [Int](repeating: 0, count: 256)
        var count = 0
        for code in codes {
            histogram[min(max(code, 0), 255)] += 1
            count += 1
        }
        return (
            code(exceededBy: count * 9 / 10 + 1, in: histogram), code(exceededBy: count / 10 + 1, in: histogram)
        )
    }

    /// The highest code that at least so many windows reach.
    private static func code(exceededBy count: Int, in histogram: [Int]) -> Int {
        var left = count
        for code in histogram.indices.reversed() {
            left -= histogram[code]
            if left <= 0 { return code }
        }
        return 0
    }
}
