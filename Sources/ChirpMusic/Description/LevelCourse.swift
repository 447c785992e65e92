internal import Glibc

/// How loud a recording is over time, in tenths of a second: its loudest second, and how much its level changes.
struct LevelCourse: Sendable {
    private let perTenth: Int
    private var energy = 0.0
    private var filled = 0
    /// Of the last ten tenths.
    private var second: [Double] = []
    private var tenths = 0
    private var loudest = (energy: -1.0, start: 0)
    /// How many tenths have each level: half a decibel each, from -100 dB of full scale on.
    private var counts = [Int](repeating: 0, count: 220)
    private var last: Double?
    private var changes = 0.0

    /// - Parameter rate: of the samples, in hertz.
    init(rate: Double) { perTenth = max(1, Int((rate / 10).rounded())) }

    mutating func append(_ samples: [Float]) {
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + perTenth - filled)
            // One after the other, so that blocks of any length give the same sum.
            for index in start..<end { energy += Double(samples[index] * samples[index]) }
            filled += end - start
            start = end
            if filled == perTenth { close() }
        }
    }

    private mutating func close() {
        let mean = energy / Double(perTenth)
        (energy, filled) = (0, 0)
        tenths += 1
        second.append(mean)
        if second.count > 10 { second.removeFirst() }
        let whole = second.reduce(0, +)
        if whole > loudest.energy { loudest = (whole, tenths - second.count) }
        let level = max(-100, min(9.9, 10 * log10(mean + 1e-10)))
        counts[Int((level + 100) * 2)] += 1
        if let last { changes += abs(level - last) }
        last = level
    }

    /// Where the second begins that has the most power, in seconds, to a tenth.
    var loudestSecond: Double { Double(loudest.start) / 10 }

    /// The level below which a share of all tenths lies, in decibels of full scale.
    private func level(_ share: Double) -> Double {
        let wanted = Int(Double(tenths) * share)
        var sum = 0
        for index in counts.indices {
            sum += counts[index]
            if sum > wanted { return Double(index) / 2 - 100 }
        }
        return 10
    }

    /// Six numbers, of no absolute level.
    var numbers: [Double] {
        guard tenths > 1 else { return Array(repeating: 0, count: 6) }
        let (low, quarter, middle, high) = (level(0.1), level(0.25), level(0.5), level(0.95))
        let soft = counts.indices.reduce(0) { Double($1) / 2 - 100 < high - 20 ? $0 + counts[$1] : $0 }
        return [
            high - middle, middle - low, high - quarter, level(0.999) - high,
            changes / Double(tenths - 1), Double(soft) / Double(tenths),
        ]
    }
}
