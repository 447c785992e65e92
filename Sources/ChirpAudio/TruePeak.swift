internal import Glibc

/// The interpolation behind every true peak here: four times as many samples, by a windowed sinc of 16 taps per phase.
///
/// ITU-R BS.1770-4, annex 2, asks for oversampling by four and gives 12 taps per phase as an example; 16 under a Kaiser
/// window stay within 0.05 dB of the ideal up to 0.8 of half the sample rate.
struct TruePeakFilter {
    /// Taps per phase; an interpolated value needs `taps / 2` samples before and after it.
    static let taps = 16
    static let reach = taps / 2

    /// Three phases, a quarter, half and three quarters of a sample after the one at tap `reach - 1`.
    let quarter: [Float]
    let half: [Float]
    /// No interpolated magnitude exceeds the largest magnitude within reach times this: the largest sum of magnitudes.
    private let bound: Float
    /// Nor does it exceed the largest magnitude within reach by more than the largest second difference there times this:
    /// what the filter gives beyond a straight line between two samples is a sum of second differences.
    private let bend: Float
    /// More than what rounding adds.
    private static let margin: Float = 1.0001
    /// Samples that are looked at together, and again in runs when they need a closer look.
    private static let stretch = 512
    private static let run = 32

    init() {
        func phase(_ shift: Double) -> [Double] {
            let values = (0..<Self.taps).map { tap in
                let x = Double(tap - (Self.reach - 1)) - shift
                return sin(.pi * x) / (.pi * x) * Self.kaiser(x / Double(Self.reach))
            }
            let sum = values.reduce(0, +)
            return values.map { $0 / sum }
        }
        let exactQuarter = phase(0.25)
        let exactHalf = phase(0.5)
        quarter = exactQuarter.map(Float.init)
        half = exactHalf.map(Float.init)
        let sums = [exactQuarter, exactHalf].map { $0.reduce(0) { $0 + abs($1) } }
        bound = Float(max(1, sums[0], sums[1])) * Self.margin
        bend = Float(max(Self.bend(of: exactQuarter), Self.bend(of: exactHalf)))
    }

    /// The sum of magnitudes of the factors by which second differences enter.
    private static func bend(of phase: [Double]) -> Double {
        // The straight line that has the phase's sum, 1, and its mean place; summed twice, the rest is those factors.
        let place = phase.indices.reduce(0) { $0 + phase[$1] * Double($1 - (reach - 1)) }
        var (slope, factor, sum) = (0.0, 0.0, 0.0)
        for tap in phase.indices {
            slope += phase[tap] - (tap == reach - 1 ? 1 - place : tap == reach ? place : 0)
            factor += slope
            sum += abs(factor)
        }
        return sum
    }

    /// A Kaiser window with beta 6 at -1...1.
    private static func kaiser(_ x: Double) -> Double {
        let beta = 6.0
        return bessel(beta * (max(0, 1 - x * x)).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind and order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        for k in 1..<40 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }

    /// The largest magnitude of the signal between `range.lowerBound` and `range.upperBound`, if it exceeds `floor`.
    ///
    /// What cannot exceed what was already found is skipped: most of any signal.
    /// - Parameters:
    ///   - samples: reaches `reach` samples before and after the range.
    ///   - floor: smaller values do not interest.
    /// - Returns: `floor`, or what exceeds it.
    func peak(of samples: borrowing Span<Float>, in range: Range<Int>, above floor: Float) -> Float {
        precondition(range.lowerBound >= Self.reach && range.upperBound + Self.reach <= samples.count)
        var highest = floor
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Self.stretch, range.upperBound)
            if mayExceed(highest, samples, in: start..<end) {
                highest = closerPeak(of: samples, in: start..<end, above: highest)
            }
            start = end
        }
        return highest
    }

    /// Whether the signal in a range can exceed a level, judged by its samples alone.
    ///
    /// - Parameter samples: reaches `reach` samples before and after the range.
    func mayExceed(_ level: Float, _ samples: borrowing Span<Float>, in range: Range<Int>) -> Bool {
        ChirpAudio.peak(of: samples.extracting((range.lowerBound - Self.reach)..<(range.upperBound + Self.reach)))
            * bound > level
    }

    private func closerPeak(of samples: borrowing Span<Float>, in range: Range<Int>, above floor: Float) -> Float {
        var highest = floor
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Self.run, range.upperBound)
            let near = samples.extracting((start - Self.reach)..<(end + Self.reach))
            let local = ChirpAudio.peak(of: near)
            if local * bound > highest, (local + bend * largestSecondDifference(of: near)) * Self.margin > highest {
                let found = interpolatedPeak(of: samples, start: start, end: end)
                if found > highest { highest = found }
            }
            start = end
        }
        return highest
    }

    /// Eight positions at a time; the last ones may reach back over some that were done.
    private func interpolatedPeak(of samples: borrowing Span<Float>, start: Int, end: Int) -> Float {
        let bytes = samples.bytes
        let quarter = quarter.span
        let half = half.span
        var highest = SIMD8<Float>.zero
        var position = start
        while position < end {
            // Positions beyond the end are real samples too, so counting them early does no harm; but the reads must stay
            // inside.
            let at = min(position, samples.count - Self.reach - 8)
            guard at >= Self.reach - 1 else { return slowPeak(of: samples, start: start, end: end) }
            var first = SIMD8<Float>.zero
            var second = SIMD8<Float>.zero
            var third = SIMD8<Float>.zero
            for tap in 0..<Self.taps {
                let offset = (at + tap - (Self.reach - 1)) * 4
                let x = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                first += x * quarter[tap]
                second += x * half[tap]
                third += x * quarter[Self.taps - 1 - tap]
            }
            let own = bytes.unsafeLoadUnaligned(fromByteOffset: at * 4, as: SIMD8<Float>.self)
            raise(&highest, to: own)
            raise(&highest, to: first)
            raise(&highest, to: second)
            raise(&highest, to: third)
            position += 8
        }
        return largest(of: highest)
    }

    /// For signals of a few samples.
    private func slowPeak(of samples: borrowing Span<Float>, start: Int, end: Int) -> Float {
        var highest: Float = 0
        for position in start..<end {
            var values = SIMD4<Float>(samples[position], 0, 0, 0)
            for tap in 0..<Self.taps {
                let x = samples[position + tap - (Self.reach - 1)]
                values.y += x * quarter[tap]
                values.z += x * half[tap]
                values.w += x * quarter[Self.taps - 1 - tap]
            }
            let magnitude = values.replacing(with: -values, where: values .< 0).max()
            if magnitude > highest { highest = magnitude }
        }
        return highest
    }
}

/// The largest magnitude of `a - 2 b + c` for any three samples in a row; 0 for fewer.
private func largestSecondDifference(of samples: borrowing Span<Float>) -> Float {
    let bytes = samples.bytes
    var highest = SIMD8<Float>.zero
    var index = 0
    while index + 10 <= samples.count {
        let first = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
        let second = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4 + 4, as: SIMD8<Float>.self)
        let third = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4 + 8, as: SIMD8<Float>.self)
        raise(&highest, to: (first - second) - (second - third))
        index += 8
    }
    var result = largest(of: highest)
    while index + 3 <= samples.count {
        let magnitude = abs((samples[index] - samples[index + 1]) - (samples[index + 1] - samples[index + 2]))
        if magnitude > result { result = magnitude }
        index += 1
    }
    return result
}

/// Lane by lane, to magnitudes that are larger.
@inline(__always)
private func raise(_ highest: inout SIMD8<Float>, to values: SIMD8<Float>) {
    highest.replace(with: values, where: values .> highest)
    let opposite = -values
    highest.replace(with: opposite, where: opposite .> highest)
}

/// The largest lane. The library's own `max()` is a call that is not specialised and showed in profiles.
private func largest(of lanes: SIMD8<Float>) -> Float {
    var result = lanes[0]
    for lane in 1..<8 where lanes[lane] > result { result = lanes[lane] }
    return result
}
