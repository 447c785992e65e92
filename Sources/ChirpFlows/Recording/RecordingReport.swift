public import ChirpAudio

/// What a recording has become.
public struct RecordingReport: Hashable, Sendable {
    public enum End: String, Hashable, Sendable {
        /// Somebody stopped it.
        case stopped
        case length
        case silence
        /// No more fits into a WAV.
        case full
        /// The device or the disk failed; ``RecordingReport/failure`` says how. What came before is kept.
        case failed
    }

    public let format: AudioFormat
    /// All of them are in the file.
    public let frames: Int
    /// Samples at full scale, which were very likely clipped.
    public let clipped: Int
    public let end: End
    public let failure: AudioError?

    public var seconds: Double { format.seconds(ofFrames: frames) }
}
