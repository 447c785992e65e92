/// How alike several signals are at every shift of up to a third of a second: their correlations, summed over all blocks that were added.
///
/// Exact: every sample of one meets every sample of the other within the reach. Memory does not grow with the length.
struct StemCorrelations: ~Copyable {
    /// Samples of a block, and the farthest shift: 0.37 s at 44.1 kHz.
    static let block = 32_768
    static let reach = 16_384

    private let signals: Int
    private var transform = RealTransform(size: 2 * StemCorrelations.block)
    /// What came, of each signal; the first sample is that `reach` before the next block.
    private var pending: [[Float]]
    private var sums: [[Complex]]
    private var plain: [[Complex]]
    private var wide: [[Complex]]
    private var work: [Float]

    init(signals: Int) {
        self.signals = signals
        let bins = transform.bins
        let nothing = [Complex](repeating: Complex(), count: bins)
        pending = Array(repeating: Array(repeating: 0, count: Self.reach), count: signals)
        // One behind the diagonal is that before it turned round.
        sums = (0..<signals * signals).map { $0 / signals <= $0 % signals ? nothing : [] }
        plain = Array(repeating: nothing, count: signals)
        wide = plain
        work = Array(repeating: 0, count: 2 * Self.block)
    }

    /// - Parameter pieces: as many samples of each signal.
    mutating func add(_ pieces: [[Float]]) {
        for signal in 0..<signals { pending[signal] += pieces[signal] }
        while pending[0].count >= 2 * Self.block { closeBlock() }
    }

    /// The end has come: silence follows.
    mutating func finish() {
        let left = pending[0].count - Self.reach
        guard left > 0 else { return }
        for signal in 0..<signals { pending[signal] += Array(repeating: 0, count: 3 * Self.block - left) }
        while pending[0].count >= 2 * Self.block { closeBlock() }
    }

    private mutating func closeBlock() {
        for signal in 0..<signals {
            let samples = pending[signal]
            for index in work.indices {
                work[index] = index < Self.block ? samples[Self.reach + index] : 0
            }
            transform.transform(work, into: &plain[signal])
            transform.transform(Array(samples.prefix(2 * Self.block)), into: &wide[signal])
            pending[signal].removeFirst(Self.block)
        }
        for one in 0..<signals {
            for other in one..<signals { multiply(plain[one], wide[other], into: &sums[one * signals + other]) }
        }
    }

    /// The correlation of two signals: at place `reach + shift` the sum of `one[t] * other[t + shift]`.
    mutating func correlation(_ one: Int, _ other: Int) -> [Float] {
        let (first, second) = (min(one, other), max(one, other))
        transform.invert(sums[first * signals + second], into: &work)
        // The wide block begins `reach` earlier, so that shift s stands at place s + reach.
        let found = Array(work[0...2 * Self.reach])
        return one <= other ? found : found.reversed()
    }
}

private func multiply(_ a: [Complex], _ b: [Complex], into sum: inout [Complex]) {
    for index in sum.indices {
        let (x, y) = (a[index], b[index])
        sum[index].re += x.re * y.re + x.im * y.im
        sum[index].im += x.re * y.im - x.im * y.re
    }
}
