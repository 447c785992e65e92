public import ChirpAudio

/// How one of the streams of a ``IncrementalMP3Encoder`` sounds: decoded and measured while it was made.
public struct GainVersion: Sendable {
    /// On top of the recording.
    public let gain: Decibels
    /// Loudness and level of every 10 ms, from the first frame that was written.
    public let windows: LevelWindows
    let peaks: [(frame: Int, peak: Decibels)]

    /// The true peak of everything before a frame; minus infinity for digital silence.
    public func truePeak(before frame: Int) -> Decibels {
        peaks.last { $0.frame < frame }?.peak ?? .silence
    }
}
