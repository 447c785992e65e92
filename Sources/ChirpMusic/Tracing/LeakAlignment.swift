internal import ChirpAudio

/// How a piece lies in a recording, to a part of a millisecond: pieces of half a second of it are found in the recording by their waves, and a line is laid
/// through them.
struct LeakAlignment {
    /// Where the piece begins, in seconds of the recording.
    private(set) var start: Double
    /// Seconds of the recording in one of the piece.
    private(set) var speed: Double
    /// The share of its pieces that lie on the line.
    private(set) var likeness = 0.0

    private static let piece = 4096
    private static let reach = 400
    private static let mostPieces = 80
    /// From the line, in samples: 1.5 ms.
    private static let tolerance = 12.0
    private static let leastMatch: Float = 0.3
    /// Below so many pieces on the line, or such a share of them, it is another recording.
    private static let leastPieces = 6
    private static let leastShare = 0.25

    /// - Returns: nil when it does not come from there.
    init?(of leak: [Float], in recording: [Float], near place: OutlineSearch.Place, _ sinc: SincTable) {
        (start, speed) = (place.start, place.speed)
        let length = Double(leak.count) / Double(TaggedLeak.rate)
        // A few pieces tell most strangers; what is known well in the middle is known well enough farther out.
        for (reach, pieces) in [(15.0, 16), (15, Self.mostPieces), (60, Self.mostPieces), (.infinity, Self.mostPieces)]
        {
            let part = max(0, length / 2 - reach)...min(length, length / 2 + reach)
            guard fit(leak, recording, part, pieces: pieces, sinc) else { return nil }
            if reach >= length / 2, pieces == Self.mostPieces { break }
        }
    }

    private mutating func fit(
        _ leak: [Float], _ recording: [Float], _ part: ClosedRange<Double>, pieces most: Int, _ sinc: SincTable
    ) -> Bool {
        let rate = Double(TaggedLeak.rate)
        let first = max(Self.reach, Int((start + part.lowerBound * speed) * rate))
        let last = min(recording.count - Self.reach, Int((start + part.upperBound * speed) * rate)) - Self.piece
        guard last > first else { return false }
        let step = max(Self.piece, (last - first) / most)
        var points: [(at: Double, late: Double)] = []
        var pieces = 0
        for begin in stride(from: first, through: last, by: step) {
            let wave = sinc.samples(
                of: leak, from: (Double(begin) / rate - start) / speed * rate, step: 1 / speed, count: Self.piece)
            let energy = product(of: wave.span, and: wave.span)
            guard energy > 1e-7 * Float(Self.piece) else { continue }
            pieces += 1
            let range = recording[begin - Self.reach..<begin + Self.reach + Self.piece]
            guard let best = Self.best(of: Array(range), wave, energy), best.match >= Self.leastMatch else { continue }
            points.append((Double(begin), best.shift))
        }
        guard points.count >= Self.leastPieces, let line = Self.line(through: points) else { return false }
        let share = Double(line.near) / Double(max(1, pieces))
        guard line.near >= Self.leastPieces, share >= Self.leastShare else { return false }
        likeness = share
        // What was thought to lie at `x` lies at `x + offset + slope * x`.
        start = start * (1 + line.slope) + line.offset / rate
        speed *= 1 + line.slope
        return true
    }

    /// How much later the wave is found, in samples.
    private static func best(of range: [Float], _ wave: [Float], _ energy: Float) -> (shift: Double, match: Float)? {
        let places = 2 * reach + 1
        var local = product(of: range.span.extracting(0..<piece), and: range.span.extracting(0..<piece))
        var matches = [Float](repeating: 0, count: places)
        for place in 0..<places {
            let value = product(of: range.span.extracting(place..<place + piece), and: wave.span)
            matches[place] = local > 1e-9 ? abs(value) / (local * energy).squareRoot() : 0
            guard place + 1 < places else { continue }
            let (gone, come) = (range[place], range[place + piece])
            local += come * come - gone * gone
        }
        guard let best = matches.indices.max(by: { matches[$0] < matches[$1] }), best > 0, best + 1 < places else {
            return nil
        }
        let exact = peak(squared(matches[best - 1]), squared(matches[best]), squared(matches[best + 1]), at: best)
        return (exact - Double(reach), matches[best])
    }

    private static func squared(_ value: Float) -> Float { value * value }

    /// A line that a few strays do not move (Theil and Sen), then the best through the points near it.
    private static func line(
        through points: [(at: Double, late: Double)]
    ) -> (offset: Double, slope: Double, near: Int)? {
        var slopes: [Double] = []
        for (index, one) in points.enumerated() {
            for other in points[(index + 1)...] where other.at - one.at > 8000 {
                slopes.append((other.late - one.late) / (other.at - one.at))
            }
        }
        // The speed is known to 0.1 %.
        slopes = slopes.filter { abs($0) < 0.002 }.sorted()
        var slope = slopes.isEmpty ? 0 : slopes[slopes.count / 2]
        let offsets = points.map { $0.late - slope * $0.at }.sorted()
        var offset = offsets[offsets.count / 2]
        let near = points.filter { abs($0.late - offset - slope * $0.at) <= tolerance }
        guard near.count >= 2 else { return nil }
        let count = Double(near.count)
        let middle = near.reduce(0) { $0 + $1.at } / count
        let late = near.reduce(0) { $0 + $1.late } / count
        let spread = near.reduce(0) { $0 + ($1.at - middle) * ($1.at - middle) }
        if spread > 0 {
            slope = near.reduce(0) { $0 + ($1.at - middle) * ($1.late - late) } / spread
            offset = late - slope * middle
        }
        return (offset, slope, near.count)
    }
}
