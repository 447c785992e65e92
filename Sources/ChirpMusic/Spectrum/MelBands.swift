internal import Glibc

/// Bands that are as wide as hearing is exact: triangles of equal width in mel (O'Shaughnessy 1987), each reaching to the middle of its
/// neighbours.
package struct MelBands: Sendable {
    private let starts: [Int]
    private let weights: [[Float]]
    /// From foot to foot, in hertz.
    private let reaches: [ClosedRange<Double>]
    /// Where each is highest, in hertz.
    let middles: [Double]

    /// - Parameters:
    ///   - count: of bands.
    ///   - range: in hertz, from the foot of the lowest to that of the highest.
    ///   - bins: of the spectra, from DC to half the rate.
    package init(count: Int, range: ClosedRange<Double>, bins: Int, rate: Int) {
        precondition(count >= 1 && bins >= 2 && rate > 0)
        func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
        func hertz(_ mel: Double) -> Double { 700 * (pow(10, mel / 2595) - 1) }
        let (low, high) = (mel(range.lowerBound), mel(range.upperBound))
        let step = (high - low) / Double(count + 1)
        let width = Double(rate) / 2 / Double(bins - 1)
        var (starts, weights, reaches) = ([Int](), [[Float]](), [ClosedRange<Double>]())
        for band in 0..<count {
            let middle = hertz(low + Double(band + 1) * step) / width
            // A low band is narrower than what a short window tells apart; then it has the bin in its middle.
            let below = min(hertz(low + Double(band) * step) / width, middle - 1)
            let above = max(hertz(low + Double(band + 2) * step) / width, middle + 1)
            let start = min(bins - 1, max(0, Int(below.rounded(.up))))
            let end = max(start, min(bins - 1, Int(above.rounded(.down))))
            starts.append(start)
            reaches.append(below * width...above * width)
            weights.append(
                (start...end).map { bin in
                    let place = Double(bin)
                    let weight =
                        place < middle ? (place - below) / (middle - below) : (above - place) / (above - middle)
                    return Float(max(0, weight))
                })
        }
        self.starts = starts
        self.weights = weights
        self.reaches = reaches
        middles = (1...count).map { hertz(low + Double($0) * step) }
    }

    package var count: Int { starts.count }

    /// The bands that have something of a range of frequencies, in hertz.
    package func touching(_ range: ClosedRange<Double>) -> Range<Int> {
        let first = reaches.firstIndex { $0.overlaps(range) } ?? 0
        return first..<((reaches.lastIndex { $0.overlaps(range) } ?? first - 1) + 1)
    }

    /// Adds a spectrum's energy in each band to the end of an array.
    package func append(_ power: borrowing Span<Float>, to bands: inout [Float]) {
        for band in starts.indices {
            var energy: Float = 0
            let start = starts[band]
            weights[band].withUnsafeBufferPointer { weights in
                for index in weights.indices { energy += weights[index] * power[start + index] }
            }
            bands.append(energy)
        }
    }
}
