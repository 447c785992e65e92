internal import Glibc

/// How much each pitch of the octave sounds in a recording, in 360 steps of the octave, so that it can be tuned afterwards.
///
/// Tones are peaks of the spectrum, between bins by the parabola through their logarithms. A peak speaks for the pitches whose partial it can be, the
/// higher the less (Gomez, INFORMS Journal on Computing 2006).
struct PitchCourse: Sendable {
    /// Of the octave.
    static let steps = 360
    /// Of a window, in seconds: neighbouring semitones are told apart from the great octave on.
    static let window = 0.37
    /// Moments a second.
    static let rate = 8.0
    /// Of tones that are looked at, in hertz.
    private static let range = 55.0...3500.0
    /// What is softer than the loudest tone of a moment by so much, in power, is no tone.
    private static let least: Float = 1e-4
    /// What a partial counts as a share of the one below it.
    private static let fading = 0.6
    private static let partials = 4
    /// What a moment of the beginning or the end counts as a share of the one nearer to it: a second is worth e times the next.
    private static let forgetting = exp(-1 / rate)

    /// Of all moments that sound, from C on.
    private var whole = [Double](repeating: 0, count: steps)
    /// Of the first and the last moments that sound.
    private var beginning = [Double](repeating: 0, count: steps)
    private var ending = [Double](repeating: 0, count: steps)
    private var weightAtBeginning = 1.0
    /// Deviations of strong tones from the nearest semitone at 440 Hz, as a sum of arrows.
    private var tuning = (re: 0.0, im: 0.0)

    private let width: Double
    private let bins: Range<Int>
    private var logs: [Float]
    private var moment = [Double](repeating: 0, count: steps)

    /// - Parameters:
    ///   - bins: of the spectra, from DC to half the rate.
    ///   - rate: in hertz.
    init(bins: Int, rate: Double) {
        width = rate / 2 / Double(bins - 1)
        let first = max(2, Int(Self.range.lowerBound / width))
        self.bins = first..<max(first, min(bins - 2, Int(min(Self.range.upperBound, 0.45 * rate) / width)))
        logs = Array(repeating: 0, count: bins)
    }

    /// How far the recording is above 440 Hz, in semitones: -0.5 to 0.5.
    var deviation: Double { tuning.re == 0 && tuning.im == 0 ? 0 : atan2(tuning.im, tuning.re) / (2 * Double.pi) }

    mutating func append(_ power: [Float]) {
        var loudest: Float = 0
        for bin in bins where power[bin] > loudest { loudest = power[bin] }
        guard loudest > 1e-9 else { return }
        for step in moment.indices { moment[step] = 0 }
        for bin in bins
        where power[bin] > power[bin - 1] && power[bin] >= power[bin + 1] && power[bin] > Self.least * loudest {
            let (before, here, after) = (logf(power[bin - 1]), logf(power[bin]), logf(power[bin + 1]))
            let bend = before - 2 * here + after
            let shift = bend < 0 ? Double((before - after) / (2 * bend)) : 0
            let frequency = (Double(bin) + max(-0.5, min(0.5, shift))) * width
            add(frequency, weight: Double(power[bin] / loudest).squareRoot())
        }
        let most = moment.max() ?? 0
        guard most > 0 else { return }
        for step in moment.indices {
            let share = moment[step] / most
            whole[step] += share
            beginning[step] += weightAtBeginning * share
            ending[step] = Self.forgetting * ending[step] + share
        }
        weightAtBeginning *= Self.forgetting
    }

    private mutating func add(_ frequency: Double, weight: Double) {
        // In semitones above C.
        let pitch = 12 * log2(frequency / 440) + 9 + 120
        let deviation = (pitch - pitch.rounded()) * 2 * Double.pi
        tuning.re += weight * cos(deviation)
        tuning.im += weight * sin(deviation)
        var share = weight
        for partial in 1...Self.partials {
            let fundamental = pitch - 12 * log2(Double(partial))
            let step = Int((fundamental * Double(Self.steps) / 12).rounded()) % Self.steps
            moment[(step + Self.steps) % Self.steps] += share
            share *= Self.fading
        }
    }

    /// What sounds in all of the recording, at its beginning and at its end.
    func semitones() -> PitchShares {
        PitchShares(whole: semitones(whole), beginning: semitones(beginning), ending: semitones(ending))
    }

    /// The twelve semitones from C on, tuned, the strongest 1; all 0 without tones. What lies between two semitones counts little.
    private func semitones(_ sums: [Double]) -> [Double] {
        // Three bins for each: the middle one of the first is C.
        var thirds = [Double](repeating: 0, count: 36)
        let shift = deviation * Double(Self.steps) / 12
        for step in sums.indices {
            let bin = Int(((Double(step) - shift) / 10).rounded()) + 37
            thirds[bin % 36] += sums[step]
        }
        let result = (0..<12).map { (semitone: Int) -> Double in
            let between = thirds[3 * semitone] + thirds[3 * semitone + 2]
            return thirds[3 * semitone + 1] + 0.3 * between
        }
        let most = result.max() ?? 0
        return most > 0 ? result.map { $0 / most } : result
    }
}

/// How much each of the twelve semitones sounds, from C on, the strongest 1.
struct PitchShares: Sendable {
    let whole: [Double]
    /// The first and the last seconds that are not silent: music begins and ends on its tonic more often than not.
    let beginning: [Double]
    let ending: [Double]

    /// How much semitones sound together with those one to six above, as a share of how much they sound: six numbers that are the same in every key.
    var intervals: [Double] {
        let squares = whole.reduce(0) { $0 + $1 * $1 }
        return (1...6).map { interval in
            guard squares > 0 else { return 0 }
            var sum = 0.0
            for index in 0..<12 { sum += whole[index] * whole[(index + interval) % 12] }
            return sum / squares
        }
    }
}
