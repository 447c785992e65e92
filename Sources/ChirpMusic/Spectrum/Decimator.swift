internal import ChirpAudio
internal import Glibc

/// Takes every so manieth sample of a signal that comes in blocks, after a low-pass, so that a recording of any usual rate costs the same to analyse:
/// what is left has 20,000 to 40,000 samples a second, or what there was.
struct Decimator: Sendable {
    /// Every so manieth sample stays.
    let factor: Int
    private let taps: [Float]
    /// What is not passed yet; begins with the first sample that the next result needs.
    private var pending: [Float]

    /// - Parameter rate: in hertz.
    init(rate: Int) {
        let factor = max(1, rate / 20_000)
        self.factor = factor
        guard factor > 1 else {
            (taps, pending) = ([], [])
            return
        }
        // A sinc under a Hann window: 6 dB down at half of the new rate, which is above all that is looked at.
        let count = 24 * factor
        let shape = (0..<count).map { index -> Double in
            let place = Double(index) - Double(count - 1) / 2
            let hann = 0.5 + 0.5 * cos(2 * Double.pi * place / Double(count))
            let angle = Double.pi * place / Double(factor)
            return hann * (angle == 0 ? 1 : sin(angle) / angle)
        }
        let sum = shape.reduce(0, +)
        taps = shape.map { Float($0 / sum) }
        // So that the first result lies at the first sample.
        pending = Array(repeating: 0, count: count / 2 - 1)
    }

    /// - Parameters:
    ///   - block: samples as they come; what is no number, or far above full scale, is silence.
    ///   - result: what the samples that stay are appended to.
    mutating func append(_ block: borrowing Span<Float>, to result: inout [Float]) {
        guard factor > 1 else {
            for index in 0..<block.count { result.append(finite(block[index])) }
            return
        }
        for index in 0..<block.count { pending.append(finite(block[index])) }
        var start = 0
        while pending.count - start >= taps.count {
            result.append(product(of: pending.span.extracting(start..<(start + taps.count)), and: taps.span))
            start += factor
        }
        pending.removeFirst(start)
    }

    /// Appends what the last samples give, with silence behind them.
    mutating func finish(to result: inout [Float]) {
        guard factor > 1 else { return }
        append([Float](repeating: 0, count: taps.count / 2).span, to: &result)
    }
}
