internal import Glibc

/// Integrated loudness by the two gates of ITU-R BS.1770-4, annex 1: blocks of 400 ms every 100 ms, an absolute gate at
/// -70 LUFS and a relative one 10 LU below the mean of what passed the first.
///
/// - Parameter tenths: K-weighted mean squares of consecutive whole 100 ms, summed over the channels as heard.
/// - Returns: nil when no block passes: silence, or less than 400 ms.
public func gatedLoudness(tenths: borrowing Span<Float>) -> LUFS? {
    guard tenths.count >= 4 else { return nil }
    func blockEnergy(_ index: Int, _ tenths: borrowing Span<Float>) -> Double {
        (Double(tenths[index]) + Double(tenths[index + 1]) + Double(tenths[index + 2]) + Double(tenths[index + 3])) / 4
    }
    func mean(above threshold: Double, _ tenths: borrowing Span<Float>) -> Double? {
        var sum = 0.0
        var count = 0
        for index in 0..<(tenths.count - 3) {
            let energy = blockEnergy(index, tenths)
            if energy > threshold {
                sum += energy
                count += 1
            }
        }
        return count > 0 ? sum / Double(count) : nil
    }
    let absolute = LUFS(-70).energy
    guard let ungated = mean(above: absolute, tenths),
        let gated = mean(above: max(absolute, ungated / 10), tenths)
    else { return nil }
    return LUFS(energy: gated)
}

/// Loudness range by EBU Tech 3342: the spread between the 10th and the 95th percentile of short-term loudness (3 s),
/// after an absolute gate at -70 LUFS and a relative one 20 LU below the mean.
///
/// - Parameter blocks: K-weighted mean squares of 3 s each, overlapping by at least 2 s; changed while sorting.
/// - Returns: nil when no block passes.
public func loudnessRange(shortTermBlocks blocks: consuming [Float]) -> Double? {
    let absolute = Float(LUFS(-70).energy)
    blocks.removeAll { !($0 > absolute) }
    guard !blocks.isEmpty else { return nil }
    let mean = blocks.reduce(0.0) { $0 + Double($1) } / Double(blocks.count)
    let relative = Float(mean / 100)
    blocks.removeAll { !($0 > relative) }
    guard !blocks.isEmpty else { return nil }
    blocks.sort()
    func percentile(_ fraction: Double) -> Double {
        Double(blocks[Int((Double(blocks.count - 1) * fraction).rounded())])
    }
    return 10 * log10(percentile(0.95) / percentile(0.10))
}

extension LUFS {
    /// The loudness of a K-weighted mean square, summed over the channels (BS.1770-4, equation 2).
    public init(energy: Double) { self.init(-0.691 + 10 * log10(energy)) }

    /// The K-weighted mean square of this loudness.
    public var energy: Double { pow(10, (value + 0.691) / 10) }
}
