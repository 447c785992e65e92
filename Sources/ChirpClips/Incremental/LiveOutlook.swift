internal import ChirpAudio
internal import ChirpCodecs

/// What is known of a recording while it goes on, for the drafts of its clip: the decisions are those of its end.
struct LiveOutlook: Sendable {
    var format: AudioFormat
    /// So far.
    var frames: Int
    var moments: Moments
    var removesRumble: Bool
    /// The first frame that is encoded.
    var firstFrame: Int
    var versions: [LiveVersion]
    var policy: EditPolicy
    var headroom: Decibels
    var courses: LiveCourses

    /// What becomes of the recording if it ends now; nil when that cannot be drafted.
    func wish() -> LiveWish? {
        let analysis = ClipAnalysis(format: format, frames: frames, moments: moments, removesRumble: removesRumble)
        let plan = courses.plan(analysis, policy: policy, headroom: headroom)
        guard plan.frames.lowerBound >= firstFrame, plan.fadeFrames == 0 else { return nil }
        let part = plan.frames.lowerBound - firstFrame..<plan.frames.upperBound - firstFrame
        let gains = versions.enumerated().map { (number, version) -> Decibels? in
            let loudness = courses.loudness(of: version, number, in: part, format: format)
            let gain = LiveChoice.missing(in: version, loudness, plan)
            return abs(GlobalGainPatch(nearest: gain).steps) <= LiveChoice.mostSteps ? gain : nil
        }
        return LiveWish(start: part.lowerBound, gains: gains)
    }
}
