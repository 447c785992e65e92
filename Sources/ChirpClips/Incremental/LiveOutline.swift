internal import ChirpAudio

/// From which the outline of a clip can be drawn once somebody wants it.
struct LiveOutline: Hashable, Sendable {
    /// Of the version that became the clip, from the first frame that was encoded.
    var moments: Moments
    /// The frames that the clip has of it.
    var part: Range<Int>
    var sampleRate: Int
    /// Of the patch.
    var gain: Decibels

    /// The highest magnitude of each 10 ms; 1 is full scale.
    var magnitudes: [Float] {
        let first = Moments.moment(atFrame: part.lowerBound, sampleRate: sampleRate)
        let end = Moments.moment(atFrame: max(part.upperBound - 1, part.lowerBound), sampleRate: sampleRate) + 1
        return (first..<max(first, min(end, moments.count))).map { Float((moments[$0].peak + gain).amplitude) }
    }
}
