internal import ChirpAudio
internal import ChirpCodecs

/// Whether encoding beside a recording can begin, from what was heard of it lately: pure.
enum IncrementalOpening: Equatable {
    /// Not yet; what lies before the window is of no use.
    case wait(dropBefore: Int)
    /// From that window on, with that gain.
    case begin(at: Int, gain: Decibels)

    /// Time in which programme shows how loud it is.
    static let settling = 3 * LevelWindows.rate
    /// The most that is held back. What is still undecided then is encoded.
    static let longest = 10 * LevelWindows.rate
    /// More than ``EditPolicy/preRoll``, since the end of the recording may tell better where it begins.
    private static let margin = LevelWindows.rate
    /// The gain in doubt, so that what comes later is not far from it either way.
    private static let doubtfulGain = Decibels(12)

    /// - Parameters:
    ///   - analysis: of what is held, from `first` on.
    ///   - first: its first window in the recording.
    init(_ analysis: ClipAnalysis, first: Int, policy: EditPolicy, headroom: Decibels) {
        let held = analysis.windows.count
        guard policy.normalises else {
            self = .begin(at: first, gain: .zero)
            return
        }
        guard held >= Self.settling else {
            self = .wait(dropBefore: first)
            return
        }
        var policy = policy
        policy.maximumLength = nil
        let plan = EditPlan(analysis, policy: policy, headroom: headroom)
        let start = LevelWindows.window(atFrame: plan.frames.lowerBound, sampleRate: analysis.format.sampleRate)
        // Samples above full scale could not be lowered again without harm.
        let gain = min(plan.gain, -analysis.peak(in: 0..<held))
        if !policy.trims {
            self = .begin(at: first, gain: plan.isSilent ? .zero : gain)
        } else if plan.isSilent {
            self = .wait(dropBefore: first + held - Self.settling)
        } else if analysis.gate.isCertain {
            let isHeard = held - start >= Self.settling || held >= Self.longest
            self = isHeard ? .begin(at: first + max(0, start - Self.margin), gain: gain) : .wait(dropBefore: first)
        } else if held < Self.longest {
            self = .wait(dropBefore: first)
        } else if plan.aim == nil {
            // Even, quiet noise.
            self = .wait(dropBefore: first + held - Self.longest / 2)
        } else {
            self = .begin(at: first, gain: min(gain, Self.doubtfulGain))
        }
    }
}
