internal import ChirpAudio
internal import ChirpCodecs
package import ChirpMP3

extension EditPlan {
    /// The plan that makes up for what encoding did to peaks and loudness, or nil when the clip is as it should be.
    ///
    /// What the encoder took from the loudness (it leaves out the highest frequencies) it will take again, and a lower
    /// ceiling takes more; both are given back at once, since each rendering costs as much as the first. The deeper the
    /// limiter works, the more peaks stand at its ceiling and the higher the highest of them is thrown: 0.2 to 0.9 dB more
    /// at the second rendering of 41 clips of noisy drums and chords, so that the ceiling goes lower than what was found.
    package func corrected(after check: MP3Measurement, of analysis: ClipAnalysis, policy: EditPolicy) -> EditPlan? {
        // Meters with another interpolation read up to 0.15 dB more.
        let isTooHigh = !isSilent && check.truePeak > policy.ceiling - Decibels(0.1)
        let error = aim.flatMap { aim in check.integrated.map { aim.value - $0.value } }
        guard isTooHigh || abs(error ?? 0) > 0.2 else { return nil }
        var better = self
        let thrown = max(0, (check.truePeak - limiterCeiling).value)
        better.limiterCeiling = min(limiterCeiling, policy.ceiling - Decibels(0.4 + 1.3 * thrown))
        guard let error, let foreseen = loudness(of: analysis)?.value else { return better }
        // What the clip was to measure, had the encoder changed nothing, so that it measures the aim behind it.
        let wanted = LUFS(foreseen + error)
        var (low, high) = (gain.value - 6, gain.value + 12)
        while high - low > 0.01 {
            better.gain = Decibels((low + high) / 2)
            if better.loudness(of: analysis) ?? LUFS(-200) >= wanted {
                high = better.gain.value
            } else {
                low = better.gain.value
            }
        }
        better.gain = Decibels(high)
        return better
    }

    /// What the clip's loudness is foreseen to be in front of the encoder; nil for silence.
    private func loudness(of analysis: ClipAnalysis) -> LUFS? {
        analysis.loudness(of: windows, limiting: (gain, limiterCeiling)).loudness
    }
}
