internal import Glibc

/// Finds out how a stereo signal is mixed down to mono without cancelling itself.
///
/// A swapped wire inverts one channel: what both hold then vanishes in their mean. The meter looks at the correlation of the
/// channels in windows of 100 ms, without their offsets, and counts those that are loud enough to matter. Stereo recordings
/// have windows of any correlation, but hardly two in a hundred below -0.6; a swapped wire has hardly any other.
public struct PolarityMeter: Sendable {
    /// Windows of one level, by the correlation of their channels.
    private struct Count: Sendable {
        /// At most -0.9 and at most -0.6: cancelled by a mean.
        var opposite = 0
        var opposed = 0
        /// At least 0.9 and at least 0.3: kept by it.
        var alike = 0
        var upright = 0
        var other = 0

        var all: Int { opposite + opposed + alike + upright + other }

        static func += (a: inout Self, b: Self) {
            a.opposite += b.opposite
            a.opposed += b.opposed
            a.alike += b.alike
            a.upright += b.upright
            a.other += b.other
        }
    }

    private let length: Int
    private var open = StereoSums()
    /// By level in whole decibels, from -``range`` dBFS on.
    private var counts = Array(repeating: Count(), count: PolarityMeter.range + 1)
    private var total = StereoSums()
    /// Windows below do not count at all, nor do those this much softer than the loudest.
    private static let range = 85
    private static let span = 30

    public init(sampleRate: Int) { length = max(1, sampleRate / 10) }

    /// - Parameter block: stereo.
    public mutating func add(_ block: borrowing AudioBlock) {
        precondition(block.format.channels == 2)
        var position = 0
        while position < block.frames {
            let end = min(block.frames, position + length - open.frames)
            block.withPlane(0) { left in
                block.withPlane(1) { right in
                    open.add(left.extracting(position..<end), right.extracting(position..<end))
                }
            }
            position = end
            if open.frames == length { close() }
        }
    }

    /// What suits the signal so far.
    public var downmix: MonoDownmix {
        var meter = self
        // A rest counts when it is all there is.
        if counts.allSatisfy({ $0.all == 0 }) { meter.close() }
        return meter.choice
    }

    private mutating func close() {
        defer { open = StereoSums() }
        let (left, right) = (open.leftVariance, open.rightVariance)
        let level = 10 * log10(max(left, right))
        // False for silence too.
        guard level >= -Double(Self.range) else { return }
        total.add(open)
        let index = min(Self.range, Int(level) + Self.range)
        // Nothing cancels where one channel is silent.
        let isOneSided = min(left, right) < max(left, right) * 1e-4
        switch isOneSided ? 0 : open.correlation {
        case ...(-0.9): counts[index].opposite += 1
        case ...(-0.6): counts[index].opposed += 1
        case 0.9...: counts[index].alike += 1
        case 0.3...: counts[index].upright += 1
        default: counts[index].other += 1
        }
    }

    private var choice: MonoDownmix {
        let windows = counts.reduce(0) { $0 + $1.all }
        // A click does not decide what is loud.
        var (top, above) = (counts.count, 0)
        while top > 0, above * 20 < windows {
            top -= 1
            above += counts[top].all
        }
        var count = Count()
        for each in counts.dropFirst(max(0, top - Self.span)) { count += each }
        func share(_ part: Int) -> Double { Double(part) / Double(max(1, count.all)) }
        let inverted = share(count.opposite + count.opposed)
        let upright = share(count.alike + count.upright)
        let louder = total.leftVariance >= total.rightVariance ? MonoDownmix.left : .right
        if inverted < 0.03 { return .mean }
        if inverted >= 0.5 && upright < 0.03 { return .difference }
        // The same in both, sometimes inverted: neither mean nor difference keeps all of it, and either channel does.
        if share(count.opposite + count.alike) >= 0.7 && share(count.opposite) >= 0.05 { return louder }
        // A wide recording with a swapped wire.
        if total.correlation <= -0.6 && upright < 0.15 { return .difference }
        return .mean
    }
}

/// Sums over a run of stereo frames.
private struct StereoSums: Sendable {
    var frames = 0
    var left = 0.0
    var right = 0.0
    var leftSquares = 0.0
    var rightSquares = 0.0
    var products = 0.0

    /// Per frame, without the offset.
    var leftVariance: Double { variance(leftSquares, left, left) }
    var rightVariance: Double { variance(rightSquares, right, right) }

    /// -1...1; 0 when one of both is silent.
    var correlation: Double {
        let scale = (leftVariance * rightVariance).squareRoot()
        return scale > 0 ? (products - left * right / Double(frames)) / Double(frames) / scale : 0
    }

    private func variance(_ squares: Double, _ one: Double, _ other: Double) -> Double {
        frames > 0 ? max(0, (squares - one * other / Double(frames)) / Double(frames)) : 0
    }

    /// Adds the sums of a window, each without its offset.
    mutating func add(_ window: StereoSums) {
        let count = Double(window.frames)
        frames += window.frames
        leftSquares += window.leftVariance * count
        rightSquares += window.rightVariance * count
        products += window.products - window.left * window.right / count
    }

    mutating func add(_ left: borrowing Span<Float>, _ right: borrowing Span<Float>) {
        precondition(left.count == right.count)
        var (l, r) = (SIMD4<Double>(), SIMD4<Double>())
        var (ll, rr, lr) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
        var index = 0
        while index + 4 <= left.count {
            let a = SIMD4<Double>(SIMD4(left[index], left[index + 1], left[index + 2], left[index + 3]))
            let b = SIMD4<Double>(SIMD4(right[index], right[index + 1], right[index + 2], right[index + 3]))
            l += a
            r += b
            ll += a * a
            rr += b * b
            lr += a * b
            index += 4
        }
        while index < left.count {
            let (a, b) = (Double(left[index]), Double(right[index]))
            l[0] += a
            r[0] += b
            ll[0] += a * a
            rr[0] += b * b
            lr[0] += a * b
            index += 1
        }
        frames += left.count
        self.left += l.sum()
        self.right += r.sum()
        leftSquares += ll.sum()
        rightSquares += rr.sum()
        products += lr.sum()
    }
}
