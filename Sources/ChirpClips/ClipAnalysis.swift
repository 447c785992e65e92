public import ChirpAudio

/// The facts about a recording, as the clip's channels and sample rate would hear it, before any editing.
public struct ClipAnalysis: Hashable, Sendable {
    /// What was analysed: the recording mixed and resampled to the clip's format.
    public var format: AudioFormat
    /// How long it is, in frames of ``format``.
    public var frames: Int

    public init(format: AudioFormat, frames: Int) {
        self.format = format
        self.frames = frames
    }
}
