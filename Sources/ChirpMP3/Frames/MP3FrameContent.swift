/// One encoded frame without its place in the stream: what the encoder decided about the sound. Rate, padding, position
/// of the main data and stuffing follow from it and from the bit reservoir (``MP3Reservoir``).
struct MP3FrameContent: Hashable, Sendable {
    /// What is known of LAME's "analog silence", which the bits do not show but the choice of a variable rate does.
    enum Silence: Hashable, Sendable { case no, yes, either }

    /// The header with rate and padding cleared.
    var header: UInt32
    /// The side information with the pointer to the main data cleared, zeros behind it.
    var side: SIMD32<UInt8>
    /// Bits of scale factors and Huffman codes.
    var usedBits: Int
    /// Those bits, zeros behind them in the last byte.
    var main: [UInt8]
    /// Bytes before this frame's own area at which its main data began when it was encoded.
    var mainDataBegin: Int
    /// The rate's index when it was encoded, 1...14.
    var rateIndex: Int
    /// The reservoir in bits before the frame when it was encoded; set by whoever follows the encoder.
    var reservoir = 0
    var silence = Silence.no

    /// Whether the encoder decided the same about the sound.
    func sounds(like other: MP3FrameContent) -> Bool {
        usedBits == other.usedBits && header == other.header && side == other.side && main == other.main
    }
}
