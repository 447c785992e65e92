/// Where in a recording a piece of it may come from, and how fast it is played: by their ``SoundOutline``s at speeds up to 1 % off.
///
/// Music repeats itself, so there may be several places.
struct OutlineSearch {
    struct Place: Hashable {
        /// Where the piece begins, in seconds of the recording; below 0 where it begins earlier.
        var start: Double
        /// Seconds of the recording in one of the piece.
        var speed: Double
        /// How alike they are there, up to 1.
        var likeness: Float
    }

    /// Slower or faster by up to 1 %, in steps of 0.1 %.
    static let speeds = (-10...10).map { 1 + Double($0) / 1000 }
    /// A loop of four bars fits twenty times or more.
    static let mostPlaces = 40
    /// What repeats the piece is about as like it as where it comes from.
    private static let leastOfBest: Float = 0.6
    /// What is not told apart, in seconds.
    private static let distance = 0.06
    /// Of which there must be so much in common, in seconds.
    private static let overlap = 8.0
    private static let step = Double(SoundOutline.hop) / Double(TaggedLeak.rate)

    /// - Returns: the most likely first.
    static func places(of piece: SoundOutline, in recording: SoundOutline) -> [Place] {
        let most = Int(Double(piece.columns) * 1.01) + 1
        var size = 1024
        while size < recording.columns + most { size *= 2 }
        var transform = RealTransform(size: size)
        func spectrum(_ band: [Float], _ transform: inout RealTransform) -> [Complex] {
            var result = [Complex](repeating: Complex(), count: transform.bins)
            transform.transform(band + Array(repeating: 0, count: size - band.count), into: &result)
            return result
        }
        let whole = recording.bands.map { spectrum($0, &transform) }
        let energies = recording.energies
        let least = min(Int(overlap / step), piece.columns / 2)
        var found: [Place] = []
        var alike = [Float](repeating: 0, count: size)
        for speed in speeds {
            let piece = piece.stretched(by: speed)
            var sum = [Complex](repeating: Complex(), count: transform.bins)
            for (band, other) in zip(piece.bands, whole) {
                let one = spectrum(band, &transform)
                for index in sum.indices {
                    let (x, y) = (other[index], one[index])
                    sum[index].re += x.re * y.re + x.im * y.im
                    sum[index].im += x.im * y.re - x.re * y.im
                }
            }
            transform.invert(sum, into: &alike)
            let own = piece.energies
            func likeness(_ shift: Int) -> Float {
                let (from, end) = (max(0, shift), min(recording.columns, shift + piece.columns))
                guard end - from >= least else { return 0 }
                let energy = (energies[end] - energies[from]) * (own[end - shift] - own[from - shift])
                return energy > 1e-6 ? alike[shift < 0 ? shift + size : shift] / Float(energy.squareRoot()) : 0
            }
            let shifts = least - piece.columns..<max(least - piece.columns + 1, recording.columns - least)
            let values = shifts.map(likeness)
            for index in values.indices where values[index] > 0.1 {
                guard values[max(0, index - 1)] <= values[index],
                    values[min(values.count - 1, index + 1)] < values[index]
                else { continue }
                found.append(
                    Place(
                        start: Double(shifts.lowerBound + index) * step, speed: speed, likeness: values[index]))
            }
        }
        let half = Double(piece.columns) * step / 2
        var kept: [Place] = []
        let best = found.map(\.likeness).max() ?? 0
        for place in found.sorted(by: { $0.likeness > $1.likeness })
        where kept.count < mostPlaces && place.likeness >= leastOfBest * best {
            let middle = place.start + half * place.speed
            guard kept.allSatisfy({ abs($0.start + half * $0.speed - middle) > distance }) else { continue }
            kept.append(place)
        }
        return kept
    }
}
