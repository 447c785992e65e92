/// What is counted by ear: claps, bounces of a ball, skips of a rope, each with its instant, so that it can be drawn on the waveform
/// beside the number that was claimed.
package struct EventCount: Sendable {
    /// What is counted.
    package enum Kind: String, CaseIterable, Sendable {
        case claps, bounces, skips

        /// Two that are closer are one, in seconds: a hand's echo, a ball that rings, the rope and the feet. Just below what the fastest
        /// people do.
        package var minimumGap: Double {
            switch self {
            case .claps: 0.05
            case .bounces: 0.1
            case .skips: 0.13
            }
        }
    }

    /// In the order of time; a strength says how clearly each was heard.
    package let events: [Onset]

    package var count: Int { events.count }

    /// - Parameters:
    ///   - samples: mono, full scale 1.
    ///   - rate: in hertz, at least 4,000.
    package init(of kind: Kind, in samples: borrowing Span<Float>, rate: Int) {
        self.init(Onsets(alike: samples, rate: rate, gap: kind.minimumGap), minimumGap: 0)
    }

    /// The same for an array.
    package init(of kind: Kind, in samples: [Float], rate: Int) {
        self.init(of: kind, in: samples.span, rate: rate)
    }

    /// What was counted within an attempt that was timed by tones, from its start to before its end.
    ///
    /// The code sounds while the attempt goes on already, and each of its tones is a beginning: until it has faded, what begins is heard
    /// below and above its band.
    ///
    /// - Parameters:
    ///   - take: found in the same samples.
    ///   - rate: in hertz, at least ``StartSignal/leastRate``.
    package init(of kind: Kind, in samples: borrowing Span<Float>, rate: Int, during take: TimedTake) {
        let tones = KnownTones(
            seconds: (take.start - StartSignal.longOffset - 0.1)...(take.start + Self.codeLength),
            frequencies: (StartSignal.lowest - 100)...(StartSignal.highest + 200))
        // The stop tone is a beginning too, and a codec may smear it forwards; a last clap that ends the attempt is counted.
        let end = take.ending == .tone ? take.stop - 0.03 : take.stop + 0.01
        let stretch = take.start..<max(take.start, end)
        let onsets = Onsets(alike: samples, rate: rate, gap: kind.minimumGap, beside: tones, within: stretch)
        self.init(onsets.within(stretch), minimumGap: 0)
    }

    /// The same for an array.
    package init(of kind: Kind, in samples: [Float], rate: Int, during take: TimedTake) {
        self.init(of: kind, in: samples.span, rate: rate, during: take)
    }

    /// From the start until the code has faded in a room that echoes, in seconds.
    private static let codeLength = StartSignal.length - StartSignal.longOffset + 0.4

    /// - Parameter minimumGap: in seconds.
    package init(_ onsets: Onsets, minimumGap: Double) {
        events = onsets.strong(gap: minimumGap)
    }

    /// How many of them lie in a stretch, in seconds: what was counted between start and stop.
    package func count(in stretch: ClosedRange<Double>) -> Int { events.count { stretch.contains($0.seconds) } }
}
