/// Counts what went wrong when a signal was recorded: samples cut off at full scale, and a constant offset.
public struct SampleStatistics: ~Copyable {
    private var sums: [Double]
    private var runs: [Int]
    private var frames = 0
    /// Samples in runs of two or more at or beyond full scale: one alone may be a genuine peak.
    public private(set) var clippedSamples = 0

    public init(channels: Int) {
        sums = Array(repeating: 0, count: channels)
        runs = Array(repeating: 0, count: channels)
    }

    public mutating func add(_ block: borrowing AudioBlock) {
        for channel in sums.indices {
            block.withPlane(channel) { plane in
                sums[channel] += sum(of: plane)
                if peak(of: plane) >= fullScale {
                    clippedSamples += countClipped(in: plane, run: &runs[channel])
                } else {
                    runs[channel] = 0
                }
            }
        }
        frames += block.frames
    }

    /// The mean of all samples of the channel where it is largest, full scale 1.
    public var dcOffset: Double {
        guard frames > 0 else { return 0 }
        return sums.map { $0 / Double(frames) }.max { abs($0) < abs($1) } ?? 0
    }
}

/// The largest value of 16-bit audio is a little below 1, and so is that of 24-bit audio.
private let fullScale: Float = 32767 / 32768

private func sum(of samples: borrowing Span<Float>) -> Double {
    var lanes = SIMD4<Double>.zero
    let bytes = samples.bytes
    let whole = samples.count & ~3
    var index = 0
    while index < whole {
        lanes += SIMD4<Double>(bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: SIMD4<Float>.self))
        index += 4
    }
    var total = lanes.sum()
    while index < samples.count {
        total += Double(samples[index])
        index += 1
    }
    return total
}

private func countClipped(in samples: borrowing Span<Float>, run: inout Int) -> Int {
    var count = 0
    for index in samples.indices {
        if abs(samples[index]) >= fullScale {
            run += 1
            // The first of a run counts once the second is there.
            if run >= 2 { count += run == 2 ? 2 : 1 }
        } else {
            run = 0
        }
    }
    return count
}
