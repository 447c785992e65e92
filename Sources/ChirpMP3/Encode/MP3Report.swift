public import ChirpCore

/// What a finished MP3 is.
public struct MP3Report: Hashable, Sendable {
    /// The whole file.
    public let bytes: ByteCount
    /// PCM frames that a gapless decoder gives back.
    public let frames: Int
    /// MP3 frames, without the info frame.
    public let mp3Frames: Int
    /// PCM frames before the signal, as the info tag says (a decoder adds 529 of its own).
    public let encoderDelay: Int
    /// PCM frames behind the signal, as the info tag says.
    public let padding: Int
    /// The mean rate of the audio frames in kbps.
    public let averageKbps: Double
    /// Bytes of the ID3 tag in front.
    public let id3Bytes: Int
    /// What its own frames sound like, decoded again; nil when that was not asked for.
    public let measured: MP3Measurement?
}
