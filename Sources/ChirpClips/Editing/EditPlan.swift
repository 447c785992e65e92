public import ChirpAudio

/// What will be done to a recording: a pure function of the facts and the user's wishes.
public struct EditPlan: Hashable, Sendable {
    /// The part that is kept, in frames of the analysis.
    public internal(set) var frames: Range<Int>
    /// The whole windows of that part.
    let windows: Range<Int>
    /// Silence that was left out before and after, in frames.
    public let headFrames: Int
    public let tailFrames: Int
    /// The length cap has shortened the clip.
    public let isCapped: Bool
    /// The fade at the end, in frames; 0 for none.
    public let fadeFrames: Int
    /// How two channels become one, if they do.
    public let downmix: MonoDownmix
    /// Remove what lies below 20 Hz.
    public let removesRumble: Bool
    /// The gain in front of the limiter.
    public internal(set) var gain: Decibels
    /// Where the limiter holds the true peak: below the policy's ceiling by what encoding is expected to add.
    public internal(set) var limiterCeiling: Decibels
    /// How the loudness was found; `none` when it decided nothing.
    public let method: Receipt.Level.Method
    /// The loudness of the kept part before any gain; nil for silence.
    public let before: LUFS?
    /// What the clip's loudness is expected to be; nil when it was not asked for or cannot be reached.
    public let aim: LUFS?
    /// The kept part holds nothing above -70 LUFS.
    public let isSilent: Bool
    /// What the user should know about the decisions.
    public let notes: [Receipt.Note]

    /// No gain is higher: what is 40 dB too quiet was not recorded to be heard.
    public static let highestGain = Decibels(40)
    /// Below 400 ms there is no loudness in the sense of the standard, and less is certain.
    public static let highestShortGain = Decibels(20)
    /// A recording of nothing but noise is not raised above this.
    public static let noiseCeiling = Decibels(-50)

    /// - Parameter headroom: how much lower than the policy's ceiling the limiter works, 0 or more.
    public init(_ analysis: ClipAnalysis, policy: EditPolicy, headroom: Decibels = Decibels(0.5)) {
        self.init(analysis, policy: policy, headroom: headroom) { analysis.loudness(of: $0) }
    }

    /// - Parameter loudness: of a range of windows of the recording, for those who know it sooner.
    init(
        _ analysis: ClipAnalysis, policy: EditPolicy, headroom: Decibels,
        loudness: (Range<Int>) -> ClipAnalysis.PartLoudness
    ) {
        let cut = EditCut(analysis, policy: policy)
        frames = cut.frames
        windows = cut.windows
        headFrames = cut.headFrames
        tailFrames = cut.tailFrames
        isCapped = cut.isCapped
        fadeFrames = cut.fadeFrames
        downmix = analysis.downmix
        removesRumble = analysis.removesRumble
        limiterCeiling = policy.ceiling - headroom

        let level = EditLevel(
            analysis, windows: cut.windows, part: loudness(cut.windows), policy: policy, ceiling: limiterCeiling)
        gain = level.gain
        method = level.method
        before = level.before
        aim = level.aim
        isSilent = level.before == nil
        notes = cut.notes + level.notes
    }
}
