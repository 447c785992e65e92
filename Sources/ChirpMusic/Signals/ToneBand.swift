internal import ChirpAudio
internal import Glibc

/// A recording's part between 950 Hz and 3.5 kHz, where ``StartSignal`` is, at a rate that is just enough for it.
///
/// What lies below (hum, steps, most of a voice) and above would only hide the tones, and searching costs a sixth.
struct ToneBand: Sendable {
    let samples: [Float]
    /// Samples a second: 8,000 to below 16,000, not whole when the recording's is no multiple.
    let rate: Double
    /// Energies of all samples before each, and of all.
    private let sums: [Double]

    private static let passed = 950.0...3500.0
    /// From what is passed to what is removed, in hertz.
    private static let slope = 500.0
    private static let block = 16384

    /// - Parameter rate: at least ``StartSignal/leastRate``.
    init(_ recording: borrowing Span<Float>, rate: Int) {
        let step = max(1, rate / StartSignal.leastRate)
        self.rate = Double(rate) / Double(step)
        samples = Self.filtered(recording, by: Self.filter(rate: Double(rate)), every: step)
        var (sums, sum) = ([0.0], 0.0)
        sums.reserveCapacity(samples.count + 1)
        for sample in samples {
            sum += Double(sample) * Double(sample)
            sums.append(sum)
        }
        self.sums = sums
    }

    /// Of a stretch; what lies outside of the recording is silence.
    func energy(_ range: Range<Int>) -> Double {
        let range = range.clamped(to: 0..<samples.count)
        return max(0, sums[range.upperBound] - sums[range.lowerBound])
    }

    func seconds(_ index: Double) -> Double { index / rate }

    /// Seconds as a number of samples, whole.
    func index(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }

    /// The response of an ideal band-pass under a Hamming window, symmetric: it delays nothing.
    private static func filter(rate: Double) -> [Float] {
        let reach = Int((3.3 * rate / slope / 2).rounded(.up))
        return (-reach...reach).map { offset in
            let time = Double(offset) / rate
            func low(_ corner: Double) -> Double {
                offset == 0 ? 2 * corner / rate : sin(2 * .pi * corner * time) / (.pi * Double(offset))
            }
            let window = 0.54 + 0.46 * cos(.pi * Double(offset) / Double(reach + 1))
            return Float(window * (low(passed.upperBound) - low(passed.lowerBound)))
        }
    }

    private static func filtered(_ recording: borrowing Span<Float>, by filter: [Float], every step: Int) -> [Float] {
        let reach = filter.count / 2
        var result: [Float] = []
        result.reserveCapacity(recording.count / step + 1)
        // A block of results at a time, of a copy without what is no number and with silence around the recording.
        var piece = [Float](repeating: 0, count: block + 2 * reach + 1)
        var start = 0
        while start < recording.count {
            let end = min(recording.count, start + block / step * step)
            for index in 0..<(end - start + 2 * reach) {
                let place = start - reach + index
                piece[index] = place >= 0 && place < recording.count ? finite(recording[place]) : 0
            }
            let near = piece.span
            let taps = filter.span
            for place in stride(from: 0, to: end - start, by: step) {
                result.append(product(of: near.extracting(place..<(place + filter.count)), and: taps))
            }
            start = end
        }
        return result
    }
}
