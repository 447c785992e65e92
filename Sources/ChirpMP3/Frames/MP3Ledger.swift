/// Keeps count of an encoded stream for its info tag: frames, bytes, checksum, and where frames begin.
struct MP3Ledger: Sendable {
    private(set) var checksum = MP3Checksum()
    /// Bytes of audio frames.
    private(set) var bytes = 0
    private(set) var seekPoints = MP3SeekPoints()
    /// Audio frames.
    private(set) var frames = 0
    private var header: MP3FrameHeader?
    private var stream = MP3FrameStream()

    init() {}

    /// Of a stream that is known already.
    ///
    /// - Parameters:
    ///   - header: of its first frame.
    ///   - sizes: of its frames, in bytes.
    ///   - checksum: of all its bytes.
    init(_ header: MP3FrameHeader?, sizes: some Sequence<Int>, checksum: MP3Checksum) {
        self.header = header
        self.checksum = checksum
        for size in sizes {
            bytes += size
            count(frameOf: size)
        }
    }

    /// The mean rate in kbps; 0 without frames.
    var averageKbps: Double {
        guard let header, frames > 0 else { return 0 }
        return Double(bytes) * 8 * Double(header.sampleRate) / Double(frames * header.frames) / 1000
    }

    private mutating func count(frameOf size: Int) {
        frames += 1
        seekPoints.add(frameOf: size)
    }

    /// Takes the next bytes of the stream, in pieces of any size, and hands on the audio frames that became certain.
    mutating func add(
        _ piece: borrowing Span<UInt8>, onFrame: (MP3FrameHeader, borrowing Span<UInt8>) -> Void
    ) {
        checksum.add(piece)
        bytes += piece.count
        var stream = MP3FrameStream()
        swap(&stream, &self.stream)
        stream.push(piece) { (header, frame) in
            count(frameOf: frame.count)
            onFrame(header, frame)
        }
        header = stream.firstHeader
        swap(&stream, &self.stream)
    }

    /// Counts and hands on the frames that were still uncertain.
    mutating func finish(onFrame: (MP3FrameHeader, borrowing Span<UInt8>) -> Void) {
        var stream = MP3FrameStream()
        swap(&stream, &self.stream)
        stream.finish { (header, frame) in
            count(frameOf: frame.count)
            onFrame(header, frame)
        }
        header = stream.firstHeader
        swap(&stream, &self.stream)
    }
}
