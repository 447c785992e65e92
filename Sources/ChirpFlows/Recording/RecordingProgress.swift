public import ChirpAudio

/// How a recording goes, told with every 20 ms of it.
public struct RecordingProgress: Hashable, Sendable {
    /// Recorded so far, in seconds.
    public let seconds: Double
    /// Until the longest length is reached, in seconds; nil when there is none.
    public let left: Double?
    /// Of the latest 20 ms.
    public let level: LevelMeter.Reading
    /// Clipped samples since the beginning.
    public let clipped: Int
}
