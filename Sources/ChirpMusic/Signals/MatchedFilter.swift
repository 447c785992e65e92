internal import ChirpAudio

/// Looks for one ``Sweep`` in a ``ToneBand``, at any phase: the sweep and the same a quarter of a period later are laid over every place.
struct MatchedFilter: Sendable {
    /// In samples.
    let length: Int
    private let sine: [Float]
    private let cosine: [Float]
    private let norm: Float

    /// - Parameter softened: weighs the middle of the sweep more (Hann). That makes a little less of it, and the echoes of a room and its own
    ///   feet around the peak fall away, so that the first arrival can be told.
    init(_ sweep: Sweep, rate: Double, softened: Bool = false) {
        func shaped(_ wave: [Float]) -> [Float] {
            guard softened else { return wave }
            return wave.indices.map { index in
                // 1 - x² squared is as good as a cosine here.
                let place = 2 * (Float(index) + 0.5) / Float(wave.count) - 1
                return wave[index] * (1 - place * place) * (1 - place * place)
            }
        }
        let sine = shaped(sweep.samples(rate: rate))
        self.sine = sine
        cosine = shaped(sweep.samples(rate: rate, quarter: true))
        length = sine.count
        norm = product(of: sine.span, and: sine.span).squareRoot()
    }

    /// What the filter answers at a place, in the recording's measure; 0 where it does not lie within the recording.
    func response(in band: ToneBand, at index: Int) -> Complex {
        guard index >= 0, index + length <= band.samples.count else { return Complex() }
        let place = band.samples.span.extracting(index..<(index + length))
        return Complex(product(of: place, and: sine.span) / norm, product(of: place, and: cosine.span) / norm)
    }

    /// How much of the band's energy at a place is the sweep, 0 to 1, as an amplitude.
    func match(in band: ToneBand, at index: Int) -> Float {
        share(response(in: band, at: index).power, in: band, at: index)
    }

    /// The best match within a range of places, and where.
    func best(in band: ToneBand, _ range: ClosedRange<Int>) -> (index: Int, match: Float) {
        var best = (index: range.lowerBound, match: Float(0))
        for index in range {
            let match = match(in: band, at: index)
            if match > best.match { best = (index, match) }
        }
        return best
    }

    /// The match at every place from one to the end, by transforms.
    func matches(in band: ToneBand, from start: Int = 0) -> [Float] {
        let places = band.samples.count - length - start + 1
        guard places > 0 else { return [] }
        var size = 16384
        while size < 4 * length { size *= 2 }
        var transform = RealTransform(size: size)
        let filters = [sine, cosine].map { wave in
            var spectrum = [Complex](repeating: Complex(), count: transform.bins)
            transform.transform(wave + Array(repeating: 0, count: size - length), into: &spectrum)
            return spectrum
        }
        var result = [Float](repeating: 0, count: places)
        var piece = [Float](repeating: 0, count: size)
        var spectrum = [Complex](repeating: Complex(), count: transform.bins)
        var product = spectrum
        var done = 0
        while done < places {
            let from = start + done
            for index in 0..<size { piece[index] = from + index < band.samples.count ? band.samples[from + index] : 0 }
            transform.transform(piece, into: &spectrum)
            let end = min(places, done + size - length + 1)
            for filter in filters {
                multiply(spectrum, byConjugate: filter, into: &product)
                transform.invert(product, into: &piece)
                for place in done..<end { result[place] += piece[place - done] * piece[place - done] }
            }
            done = end
        }
        for place in result.indices {
            result[place] = share(result[place] / (norm * norm), in: band, at: start + place)
        }
        return result
    }

    /// Where the sweep first arrived, in samples, to a part of one: the direct way from the loudspeaker, which may be softer than an echo.
    ///
    /// - Parameters:
    ///   - index: the best match or near it.
    ///   - reach: how much earlier it may have arrived, and `slack` how much later than `index` the loudest echo.
    func arrival(in band: ToneBand, near index: Int, reach: Int, slack: Int) -> Double {
        let first = index - reach
        let levels = (first...(index + slack)).map { response(in: band, at: $0).power }
        let top = levels.max() ?? 0
        // 8 dB below the loudest: the softened sweep's own feet are 25 dB below it.
        let found = levels.indices.first {
            levels[$0] >= 0.16 * top && levels[$0] >= levels[max(0, $0 - 1)]
                && levels[$0] >= levels[min(levels.count - 1, $0 + 1)]
        }
        guard let found, found > 0, found + 1 < levels.count else { return Double(index) }
        return Double(first) + peak(levels[found - 1], levels[found], levels[found + 1], at: found)
    }

    private func share(_ power: Float, in band: ToneBand, at index: Int) -> Float {
        let energy = Float(band.energy(index..<(index + length)))
        // What is 120 dB below full scale is nothing, whatever its shape.
        return energy > 1e-12 * Float(length) ? min(1, (power / energy).squareRoot()) : 0
    }
}

/// The place of a peak by a parabola through the amplitudes of three powers.
func peak(_ before: Float, _ top: Float, _ after: Float, at index: Int) -> Double {
    let (a, b, c) = (Double(before).squareRoot(), Double(top).squareRoot(), Double(after).squareRoot())
    let bend = a - 2 * b + c
    return bend < 0 ? Double(index) + max(-0.5, min(0.5, 0.5 * (a - c) / bend)) : Double(index)
}

private func multiply(_ a: [Complex], byConjugate b: [Complex], into result: inout [Complex]) {
    precondition(a.count == b.count && a.count == result.count)
    for index in a.indices {
        let (x, y) = (a[index], b[index])
        result[index] = Complex(x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im)
    }
}
