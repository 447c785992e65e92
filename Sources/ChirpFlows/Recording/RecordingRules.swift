/// When a recording ends by itself.
public struct RecordingRules: Hashable, Sendable {
    /// No longer than this, to the frame; nil means as long as a WAV can be.
    public var maximumLength: Duration?
    /// Once something was heard: after so much silence. Nil means never.
    public var stopOnSilence: Duration?

    public init(maximumLength: Duration? = nil, stopOnSilence: Duration? = nil) {
        self.maximumLength = maximumLength
        self.stopOnSilence = stopOnSilence
    }
}
