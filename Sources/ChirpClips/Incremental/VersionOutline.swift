internal import ChirpAudio

/// From which the outline of a clip can be drawn once somebody wants it.
struct VersionOutline: Hashable, Sendable {
    /// Of the version that became the clip, from the first frame that was encoded.
    var windows: LevelWindows
    /// The frames that the clip has of it.
    var part: Range<Int>
    var sampleRate: Int
    /// Of the patch.
    var gain: Decibels

    /// The highest magnitude of each 10 ms; 1 is full scale.
    var magnitudes: [Float] {
        let first = LevelWindows.window(atFrame: part.lowerBound, sampleRate: sampleRate)
        let end = LevelWindows.window(atFrame: max(part.upperBound - 1, part.lowerBound), sampleRate: sampleRate) + 1
        return (first..<max(first, min(end, windows.count))).map { Float((windows[$0].peak + gain).amplitude) }
    }
}
