/// What LAME tells about itself for the info tag.
struct MP3EncoderFacts: Hashable, Sendable {
    /// Such as `3.100`.
    var version: String
    /// Hertz; 0 when nothing is cut.
    var lowpass: Int
    var athType: Int
    /// Decibels by which loudness counts less when the threshold of hearing adapts to it.
    var athSensitivity: Float
    /// The algorithm quality in effect, 0...9; variable rates choose their own.
    var quality: Int
    /// LAME's `VBR_q`, 0...9.
    var variableQuality: Int
    /// The lowest rate of a frame, in kbps; meaningful for variable rates.
    var lowestKbps: Int
    /// Whether joint stereo decides cautiously (LAME's "nssafejoint").
    var isSafeJoint: Bool
    /// Frames of the encoder's delay: 576 in LAME 3.100.
    var encoderDelay: Int
    /// The value of a full-scale sample.
    var fullScale: Float
}
