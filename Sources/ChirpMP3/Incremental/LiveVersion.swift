public import ChirpAudio

/// How one of the streams of a ``LiveMP3Encoder`` sounds: decoded and measured while it was made.
public struct LiveVersion: Sendable {
    /// On top of the recording.
    public let gain: Decibels
    /// Loudness and level of every 10 ms, from the first frame that was written.
    public let moments: Moments
    let peaks: [(frame: Int, peak: Decibels)]

    /// The true peak of everything before a frame; minus infinity for digital silence.
    public func truePeak(before frame: Int) -> Decibels {
        peaks.last { $0.frame < frame }?.peak ?? .silence
    }
}
