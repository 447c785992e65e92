/// A start signal in a recording.
struct FoundStart: Sendable {
    /// Where the long tone begins, in samples of the ``ToneBand``.
    var index: Double
    /// Of the long tone.
    var match: Float
    var reading: CodeReading?
    /// Samples of the recording per sample that was played, less 1, and nil when that cannot be told.
    var drift: Double?
}

/// Finds every start signal in a recording: the long tone by its match everywhere, and the others at their known distances from it.
struct StartSearch: Sendable {
    private let band: ToneBand
    private let long: MatchedFilter
    private let softLong: MatchedFilter
    private let short: MatchedFilter
    private let digits: [MatchedFilter]

    /// Matches of the long and of a short tone below are noise or a voice: chance has 0.12 in ten minutes, and 0.1 where a tone is expected.
    private static let leastLong: Float = 0.13
    private static let leastShort: Float = 0.17
    /// As many long tones are looked at.
    private static let most = 24
    /// In seconds: how far from where it is expected a tone may be, by drift and by the room.
    private static let slack = 0.004
    /// In seconds: how much earlier than the loudest echo the tone may have arrived.
    private static let reach = 0.03

    init(_ band: ToneBand) {
        self.band = band
        long = MatchedFilter(StartSignal.long, rate: band.rate)
        softLong = MatchedFilter(StartSignal.long, rate: band.rate, softened: true)
        short = MatchedFilter(StartSignal.short, rate: band.rate)
        digits = (0..<10).map { MatchedFilter(StartSignal.digit($0), rate: band.rate) }
    }

    /// In the order of time.
    func starts() -> [FoundStart] {
        let matches = long.matches(in: band)
        return peaks(of: matches, least: Self.leastLong, gap: band.index(0.25))
            .sorted { matches[$0] > matches[$1] }.prefix(Self.most)
            .compactMap { look(at: $0, match: matches[$0]) }
            .sorted { $0.index < $1.index }
    }

    private func look(at index: Int, match: Float) -> FoundStart? {
        let begin = softLong.arrival(
            in: band, near: index, reach: band.index(Self.reach), slack: band.index(Self.slack))
        let tones = (StartSignal.shortOffsets + [StartSignal.closingOffset]).compactMap { offset -> ShortTone? in
            let best = short.best(in: band, places(at: offset, from: begin))
            return best.match >= Self.leastShort ? ShortTone(offset: offset, index: best.index, match: best.match) : nil
        }
        let reading = CodeReading(
            StartSignal.digitOffsets.map { offset in
                let places = places(at: offset, from: begin)
                return digits.map { digit in
                    let match = digit.best(in: band, places).match
                    return match * match
                }
            })
        // A long tone alone can be chance; who began to record late has fewer short ones before it.
        guard tones.count >= 2 || (tones.count == 1 && reading != nil) else { return nil }
        return FoundStart(
            index: begin, match: match, reading: reading,
            drift: ToneDistances(tones, filter: short, band: band).drift)
    }

    /// Where a tone of the start signal can begin when the long one begins at `begin`.
    private func places(at offset: Double, from begin: Double) -> ClosedRange<Int> {
        let index = Int((begin + (offset - StartSignal.longOffset) * band.rate).rounded())
        return (index - band.index(Self.slack))...(index + band.index(Self.slack))
    }
}

/// The highest of each run of values around, in order.
func peaks(of values: [Float], least: Float, gap: Int) -> [Int] {
    var found: [Int] = []
    for index in values.indices where values[index] >= least {
        if let last = found.last, index - last < gap {
            if values[index] > values[last] { found[found.count - 1] = index }
        } else {
            found.append(index)
        }
    }
    return found
}
