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
