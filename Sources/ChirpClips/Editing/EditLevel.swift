internal import ChirpAudio

/// The second half of a plan: how loud.
struct EditLevel {
    var gain = Decibels.zero
    var method: Receipt.Level.Method
    var before: LUFS?
    var aim: LUFS?
    var notes: [Receipt.Note] = []

    /// - Parameters:
    ///   - windows: which are kept.
    ///   - part: their loudness.
    init(
        _ analysis: ClipAnalysis, windows: Range<Int>, part: ClipAnalysis.PartLoudness, policy: EditPolicy,
        ceiling: Decibels
    ) {
        before = part.loudness
        method = part.method
        guard policy.normalises, let loudness = part.loudness else {
            method = .none
            return
        }
        let wanted = loudness.gain(to: policy.target)
        let limit = Self.limit(analysis, method: part.method)
        if wanted > limit.gain {
            gain = limit.gain
            notes.append(Receipt.Note(code: limit.code, text: limit.text))
        } else {
            gain = wanted
            aim = policy.target
        }
        if method == .short {
            notes.append(
                Receipt.Note(
                    code: "short", text: "shorter than 0.4 s: loudness is the mean over all of it, not the gated one"))
            aim = nil
        }
        guard analysis.peak(in: windows).value + gain.value > ceiling.value else { return }
        if aim != nil {
            correctForLimiting(analysis, windows: windows, target: policy.target, limit: limit.gain, ceiling: ceiling)
        }
        noteNoise(analysis)
    }

    /// The highest gain that may be applied, and why.
    private static func limit(
        _ analysis: ClipAnalysis, method: Receipt.Level.Method
    ) -> (gain: Decibels, code: String, text: String) {
        if let noise = steadyNoise(analysis) {
            return (
                max(.zero, EditPlan.noiseCeiling - noise), "held-back-by-noise",
                "the recording is nothing but quiet, even noise; it was not raised to full loudness"
            )
        }
        if method == .short {
            return (EditPlan.highestShortGain, "gain-limited", "very short and very quiet: raised by 20 dB only")
        }
        return (EditPlan.highestGain, "gain-limited", "very quiet: raised by 40 dB only")
    }

    /// The level of a recording in which nothing stands out and which is too quiet and even to be programme.
    private static func steadyNoise(_ analysis: ClipAnalysis) -> Decibels? {
        let gate = analysis.gate
        guard !gate.isCertain, let floor = gate.noiseFloor, gate.isSteady, floor < Decibels(-45)
        else { return nil }
        return floor
    }

    private mutating func noteNoise(_ analysis: ClipAnalysis) {
        guard analysis.gate.isCertain, let floor = analysis.gate.noiseFloor, floor + gain > Decibels(-35) else {
            return
        }
        notes.append(Receipt.Note(code: "noisy", text: "the background noise of the recording is clearly heard"))
    }

    /// Limiting takes loudness away (5 dB of it cost about 1 LU): more gain in front gives it back, by bisection, since the
    /// loudness behind the limiter rises with the gain.
    private mutating func correctForLimiting(
        _ analysis: ClipAnalysis, windows: Range<Int>, target: LUFS, limit: Decibels, ceiling: Decibels
    ) {
        func reaches(_ gain: Decibels) -> Bool {
            guard let loudness = analysis.loudness(of: windows, limiting: (gain, ceiling)).loudness else {
                return false
            }
            return loudness.value >= target.value
        }
        guard !reaches(gain) else { return }
        var low = gain.value
        var high = min(limit.value, gain.value + 15)
        for _ in 0..<10 where high - low > 0.01 {
            let middle = (low + high) / 2
            if reaches(Decibels(middle)) { high = middle } else { low = middle }
        }
        gain = Decibels(high)
    }
}
