/// What a playback has done so far.
public struct PlaybackStatistics: Hashable, Sendable {
    /// Frames taken from the writer.
    public var writtenFrames = 0
    /// Frames that the listener has heard, as well as the server knows.
    public var heardFrames = 0
    /// How often the listener heard a gap because the writer was late.
    public var underRuns = 0
    /// How often device or server were lost and got back.
    public var reconnections = 0
    /// When the first sample was handed to the server.
    public var firstWrite: ContinuousClock.Instant?
    /// The time from writing a sample to hearing it, as the server reported last.
    public var latency: Duration?
}
