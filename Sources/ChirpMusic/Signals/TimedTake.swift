/// What a recording says of an attempt that was started by ``StartSignal``: when it began and ended, to the millisecond.
package struct TimedTake: Hashable, Sendable {
    /// What marks the end.
    package enum Ending: String, Hashable, Sendable {
        /// The stop tone.
        case tone
        /// There is none; the last sound that begins as strongly as the strongest.
        case sound
    }

    /// Where the long tone begins, in seconds from the beginning of the recording, by its own clock.
    package var start: Double
    /// Where the stop tone or the last sound begins, in the same measure.
    package var stop: Double
    package var ending: Ending
    /// What was heard; the same that was asked for.
    package var code: AttemptCode
    /// By how much the clock of the recording is faster than that of the device that played, in millionths; nil when too few tones were heard
    /// well enough to tell.
    package var drift: Double?
    /// 0 to 1: the least of how clearly start, code and stop were heard; at most 0.25 when the clock could not be told, since a recording
    /// that was sped up a little is one of those. Below 0.3 somebody should listen.
    package var confidence: Double

    /// What the attempt took, in seconds, by the clock of the device that played the tones where that is known.
    package var duration: Double { (stop - start) / (1 + (drift ?? 0) * 1e-6) }
}

/// Why a recording times no attempt.
package enum TimedTakeError: Error, Hashable, Sendable {
    /// The start tones are not in it.
    case noStart
    /// There are start tones, and behind them no code that could be told.
    case noCode
    /// There is the start of another attempt.
    case wrongCode(heard: AttemptCode)
    /// The tones are closer together or wider apart than any clock makes them: the recording was sped up or slowed down. In millionths,
    /// above 0 when it is too slow.
    case speed(millionths: Int)
    /// Behind the start there is no stop tone and no sound that stands out.
    case noStop
    /// The recording has fewer than ``StartSignal/leastRate`` samples a second, or more than ``StartSignal/mostRate``.
    case rate(Int)
}

extension TimedTakeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noStart: "the start tones are not heard in the recording"
        case .noCode: "the start tones are heard, the code behind them is not"
        case .wrongCode(let heard): "the recording has the code \(heard), which is that of another attempt"
        case .speed(let millionths):
            "the recording runs \(abs(millionths)) millionths too \(millionths > 0 ? "slow" : "fast"); no clock is so wrong"
        case .noStop: "neither a stop tone nor any other clear sound is heard after the start"
        case .rate(let rate):
            "a recording of \(rate) Hz cannot be searched; \(StartSignal.leastRate) Hz hold the start tones"
        }
    }
}
