extension TimedTake {
    /// A stop tone with a lower match is noise, and so is one that is this much softer than the best.
    private static let leastStop: Float = 0.17
    private static let stopShare: Float = 0.6
    /// A tone of which half of the band's energy is left is as clear as can be.
    private static let clear: Float = 0.5
    /// Clocks of telephones are wrong by less than 100 millionths, bad ones by 300; both devices may be bad.
    private static let mostDrift = 600e-6
    /// What is certain at most when the clock is not known.
    private static let unclocked = 0.25

    /// Finds an attempt in a recording.
    ///
    /// - Parameters:
    ///   - samples: mono, full scale 1; what is no number counts as silence. A minute at 48 kHz takes some
    ///     half a second, and a third of the memory of the samples besides.
    ///   - rate: in hertz; 8,000 is enough and more is no better.
    ///   - code: of the attempt. When the recording has several starts, the first with this code counts.
    package static func find(
        in samples: borrowing Span<Float>, rate: Int, code: AttemptCode
    ) throws(TimedTakeError) -> TimedTake {
        guard (StartSignal.leastRate...StartSignal.mostRate).contains(rate) else { throw .rate(rate) }
        let band = ToneBand(samples, rate: rate)
        let starts = StartSearch(band).starts()
        guard !starts.isEmpty else { throw .noStart }
        guard let which = starts.firstIndex(where: { $0.reading?.code == code }), let reading = starts[which].reading
        else {
            if let other = starts.lazy.compactMap(\.reading).first { throw .wrongCode(heard: other.code) }
            throw .noCode
        }
        let start = starts[which]
        // What belongs to a later attempt does not end this one.
        let limit = which + 1 < starts.count ? starts[which + 1].index - StartSignal.longOffset * band.rate : .infinity
        let begin = band.seconds(start.index)
        if let drift = start.drift, abs(drift) > mostDrift {
            throw .speed(millionths: Int((drift * 1e6).rounded()))
        }
        let certain = min(
            start.drift == nil ? unclocked : 1, Double(min(start.match, clear) / clear), reading.clearness)
        func take(_ stop: Double, _ ending: Ending, _ match: Double) -> TimedTake {
            TimedTake(
                start: begin, stop: stop, ending: ending, code: code, drift: start.drift.map { $0 * 1e6 },
                confidence: min(certain, match))
        }
        if let stop = stopTone(in: band, after: start.index, before: limit) {
            return take(band.seconds(stop.index), .tone, Double(min(stop.match, clear) / clear))
        }
        if let sound = lastSound(in: samples, rate: rate, start: begin, before: band.seconds(limit)) {
            // A sound is only as certain as that nothing else was one.
            return take(sound.seconds, .sound, min(0.5, sound.strength / 4))
        }
        throw .noStop
    }

    /// The same for an array.
    package static func find(in samples: [Float], rate: Int, code: AttemptCode) throws(TimedTakeError) -> TimedTake {
        try find(in: samples.span, rate: rate, code: code)
    }

    private static func stopTone(
        in band: ToneBand, after start: Double, before limit: Double
    ) -> (index: Double, match: Float)? {
        let filter = MatchedFilter(StartSignal.stop, rate: band.rate)
        let from = max(0, Int(start) + band.index(0.05))
        var matches = filter.matches(in: band, from: from)
        if limit < Double(from + matches.count) { matches.removeLast(from + matches.count - max(from, Int(limit))) }
        guard let best = matches.max() else { return nil }
        let least = max(leastStop, stopShare * best)
        guard let first = peaks(of: matches, least: least, gap: band.index(0.25)).first else { return nil }
        let soft = MatchedFilter(StartSignal.stop, rate: band.rate, softened: true)
        let index = soft.arrival(in: band, near: from + first, reach: band.index(0.03), slack: band.index(0.004))
        return (index, matches[first])
    }

    /// The last strong onset behind the tones of the start signal, which are onsets too.
    private static func lastSound(
        in samples: borrowing Span<Float>, rate: Int, start: Double, before limit: Double
    ) -> Onset? {
        let from = start + StartSignal.length - StartSignal.longOffset + 0.1
        let first = Int(from * Double(rate))
        let end = limit.isFinite ? min(samples.count, Int(limit * Double(rate))) : samples.count
        guard first < end else { return nil }
        guard var sound = Onsets(in: samples.extracting(first..<end), rate: rate).strong(gap: 0.05).last else {
            return nil
        }
        sound.seconds += Double(first) / Double(rate)
        return sound
    }
}
