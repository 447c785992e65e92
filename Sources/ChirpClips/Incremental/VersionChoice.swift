internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpMP3

extension IncrementalOutcome.Reason: Error {}

/// Which version of a recording becomes the clip, and by how many steps it is patched.
struct VersionChoice {
    var version: Int
    var steps: Int
    /// On top of the recording.
    var gain: Decibels
    /// Of the decoded clip.
    var loudness: LUFS?
    var truePeak: Decibels

    /// A larger patch would mean that the encoder decided for a level that nobody will hear. It is also less than what the
    /// encoder lets through above full scale (12.04 dB), so that no sound that was cut off there ends below the ceiling.
    static let mostSteps = 7
    /// The farthest from the target: half of a third of a step, and what the measurement leaves open.
    private static let tolerance = 0.28

    /// - Parameter part: the frames of the versions that the clip will have.
    static func best(
        of versions: [GainVersion], part: Range<Int>, format: AudioFormat, plan: EditPlan, policy: EditPolicy,
        levels: VersionLoudness
    ) -> Result<VersionChoice, IncrementalOutcome.Reason> {
        var best: (choice: VersionChoice, error: Double)?
        for (number, version) in versions.enumerated() {
            let loudness = levels.loudness(of: version, number, in: part, format: format)
            let missing = Self.missing(in: version, loudness, plan)
            let patch = GlobalGainPatch(nearest: missing)
            let error = abs((missing - patch.gain).value)
            if let best, best.error <= error { continue }
            let choice = VersionChoice(
                version: number, steps: patch.steps, gain: version.gain + patch.gain,
                loudness: loudness.map { LUFS($0.value + patch.gain.value) },
                truePeak: version.truePeak(before: part.upperBound) + patch.gain)
            best = (choice, error)
        }
        guard let best, best.error <= tolerance, abs(best.choice.steps) <= mostSteps else {
            return .failure(.level)
        }
        // As the check of a rendered clip: meters with another interpolation read up to 0.15 dB more.
        guard best.choice.truePeak <= policy.ceiling - Decibels(0.1) || plan.isSilent else {
            return .failure(.limiting)
        }
        return .success(best.choice)
    }

    /// How much louder a version should be: towards the target where there is one, otherwise to the planned gain.
    static func missing(in version: GainVersion, _ loudness: LUFS?, _ plan: EditPlan) -> Decibels {
        guard let aim = plan.aim, let loudness else { return plan.gain - version.gain }
        return loudness.gain(to: aim)
    }
}
