internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpMP3

/// What is known of a recording while it goes on, for the staged files of its clip: the decisions are those of its end.
struct ProvisionalPlan: Sendable {
    var format: AudioFormat
    /// So far.
    var frames: Int
    var windows: LevelWindows
    var removesRumble: Bool
    /// The first frame that is encoded.
    var firstFrame: Int
    var versions: [GainVersion]
    var policy: EditPolicy
    var headroom: Decibels
    var levels: VersionLoudness

    /// What becomes of the recording if it ends now; nil when that cannot be staged.
    func cut() -> ProvisionalCut? {
        let analysis = ClipAnalysis(format: format, frames: frames, windows: windows, removesRumble: removesRumble)
        let plan = levels.plan(analysis, policy: policy, headroom: headroom)
        guard plan.frames.lowerBound >= firstFrame, plan.fadeFrames == 0 else { return nil }
        let part = plan.frames.lowerBound - firstFrame..<plan.frames.upperBound - firstFrame
        let gains = versions.enumerated().map { (number, version) -> Decibels? in
            let loudness = levels.loudness(of: version, number, in: part, format: format)
            let gain = VersionChoice.missing(in: version, loudness, plan)
            return abs(GlobalGainPatch(nearest: gain).steps) <= VersionChoice.mostSteps ? gain : nil
        }
        return ProvisionalCut(start: part.lowerBound, gains: gains)
    }
}
