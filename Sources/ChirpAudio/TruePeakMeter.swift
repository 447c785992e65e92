/// The highest true peak of a signal: what a converter's output reaches between the samples (ITU-R BS.1770-4, annex 2).
public struct TruePeakMeter: ~Copyable {
    private let filter = TruePeakFilter()
    /// Per channel: the last samples of the block before, then the current block.
    private var windows: [[Float]]
    private var highest: [Float]

    public init(channels: Int) {
        // Before the signal there is silence.
        windows = Array(repeating: Array(repeating: 0, count: 2 * TruePeakFilter.reach), count: channels)
        highest = Array(repeating: 0, count: channels)
    }

    public mutating func add(_ block: borrowing AudioBlock) {
        for channel in windows.indices {
            block.withPlane(channel) { plane in
                extend(&windows[channel], by: plane)
                advance(&windows[channel], &highest[channel], filter)
            }
        }
    }

    /// Samples that must be known before and after the stretch of ``highest(in:_:above:)``.
    package static let reach = TruePeakFilter.reach

    /// The highest true peak of a stretch of a block, all channels together, as an amplitude.
    ///
    /// - Parameters:
    ///   - range: with ``reach`` valid frames before and after it.
    ///   - floor: smaller ones do not interest.
    /// - Returns: `floor`, or what exceeds it.
    package static func highest(in block: borrowing AudioBlock, _ range: Range<Int>, above floor: Float) -> Float {
        let filter = TruePeakFilter()
        var highest = floor
        for channel in 0..<block.format.channels {
            highest = block.withPlane(channel) { filter.peak(of: $0, in: range, above: highest) }
        }
        return highest
    }

    /// The true peak of everything but the last samples, which wait for those that follow.
    public var peakSoFar: Decibels { Decibels(amplitude: Double(highest.max() ?? 0)) }

    /// The true peak so far, with silence after the end.
    public func peak() -> Decibels {
        var result: Float = 0
        let silence = [Float](repeating: 0, count: 2 * TruePeakFilter.reach)
        for channel in windows.indices {
            var window = windows[channel]
            var top = highest[channel]
            window.append(contentsOf: silence)
            advance(&window, &top, filter)
            if top > result { result = top }
        }
        return Decibels(amplitude: Double(result))
    }
}

private func extend(_ window: inout [Float], by plane: borrowing Span<Float>) {
    plane.withUnsafeBufferPointer { window.append(contentsOf: $0) }
}

/// Looks at everything that has its reach of samples on both sides, and keeps what the next block needs.
private func advance(_ window: inout [Float], _ highest: inout Float, _ filter: TruePeakFilter) {
    let reach = TruePeakFilter.reach
    let end = window.count - reach
    guard end > reach else { return }
    highest = filter.peak(of: window.span, in: reach..<end, above: highest)
    window.removeFirst(end - reach)
}
