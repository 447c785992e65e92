internal import ChirpAudio

/// What a decoder knows about its input once it is open.
struct SourceStream {
    /// In hertz, as the input says; not yet checked against limits.
    var sampleRate: Int
    /// As the input says; not yet checked.
    var channels: Int
    /// Nil when the input does not name its channels.
    var layout: ChannelLayout?
    /// Container and coding, for example `WAV PCM 16`.
    var format: String
    /// The number of frames, when the file itself proves it; a promise of the header is not enough.
    var certainFrames: Int?
    /// What the header promises. For a progress view only; never allocate by it.
    var announcedFrames: Int?
    /// Whether decoded samples can be something else than numbers near full scale.
    var canBeInvalid = true
}

/// One container's decoder: interleaved frames of all channels of the source, full scale ±1.
protocol SourceDecoder: ~Copyable {
    var stream: SourceStream { get }
    /// What came to light so far; complete after the end.
    var notes: [AudioNote] { get }

    /// Decodes the next frames.
    ///
    /// - Parameters:
    ///   - samples: interleaved; those from `offset * channels` on are overwritten.
    ///   - offset: in frames.
    ///   - frames: the most to decode, 1 or more.
    /// - Returns: how many were decoded; 0 at the end.
    mutating func decode(into samples: inout [Float], at offset: Int, frames: Int) throws(AudioError) -> Int

    /// Moves towards a frame if that is cheap and what is read from there is, to the bit, what reading on would have given.
    ///
    /// - Returns: the frame where it is now, at most `frame`; nil when it has not moved.
    mutating func seek(toFrame frame: Int) throws(AudioError) -> Int?
}
