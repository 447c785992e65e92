public import ChirpAudio

/// What becomes of a recording if it ends now.
public struct ProvisionalCut: Hashable, Sendable {
    /// The first PCM frame to keep.
    public var start: Int
    /// How much louder each version should be; nil for one that is of no use.
    public var gains: [Decibels?]

    public init(start: Int, gains: [Decibels?]) {
        self.start = start
        self.gains = gains
    }
}
