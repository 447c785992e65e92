internal import ChirpAudio

/// What a ``Limiter`` will take away, window by window, foreseen from peaks alone, so that a plan can be made without audio.
///
/// The limiter works in runs of 1.5 ms, this in windows of 10: on average over a window with a peak in it the reduction is
/// 0.9 of its depth, and 0.35 of it in the window before, into which the attack reaches.
struct LimiterModel {
    private static let memory = 24
    private let excess: Double
    /// The reduction still to come from past peaks, in decibels; a ring of windows.
    private var release = Array(repeating: 0.0, count: LimiterModel.memory)
    private var position = 0

    /// True peaks exceed sample peaks by 0.3 dB on average.
    init(gain: Decibels, ceiling: Decibels) { excess = gain.value - ceiling.value + 0.3 }

    /// The mean reduction during a window in decibels.
    mutating func reduction(peak: Decibels, nextPeak: Decibels) -> Double {
        let depth = max(0, peak.value + excess)
        let coming = max(0, nextPeak.value + excess)
        let slot = position % Self.memory
        let result = max(release[slot], depth * 0.9, coming * 0.35)
        release[slot] = 0
        if depth > 0 {
            let length = LimiterCurve.release(depth: depth) * Double(LevelWindows.rate)
            var distance = 1
            while Double(distance) < length, distance < Self.memory {
                let slot = (position + distance) % Self.memory
                release[slot] = max(release[slot], depth * (1 - Double(distance) / length))
                distance += 1
            }
        }
        position += 1
        return result
    }
}
