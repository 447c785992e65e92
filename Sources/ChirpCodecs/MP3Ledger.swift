/// Keeps count of an encoded stream for its info tag: frames, bytes, checksum, and where frames begin.
struct MP3Ledger: Sendable {
    private(set) var checksum = MP3Checksum()
    /// Bytes of audio frames.
    private(set) var bytes = 0
    private(set) var seekPoints = MP3SeekPoints()
    private var stream = MP3FrameStream()

    /// Audio frames.
    var frames: Int { stream.frames }
    /// The mean rate in kbps.
    var averageKbps: Double { stream.averageKbps }

    /// Takes the next bytes of the stream, in pieces of any size, and hands on the audio frames that became certain.
    mutating func add(
        _ piece: borrowing Span<UInt8>, onFrame: (MP3FrameHeader, borrowing Span<UInt8>) -> Void
    ) {
        checksum.add(piece)
        bytes += piece.count
        var points = MP3SeekPoints()
        swap(&points, &seekPoints)
        stream.push(piece) { (header, frame) in
            points.add(frameOf: frame.count)
            onFrame(header, frame)
        }
        swap(&points, &seekPoints)
    }

    /// Counts and hands on the frames that were still uncertain.
    mutating func finish(onFrame: (MP3FrameHeader, borrowing Span<UInt8>) -> Void) {
        var points = MP3SeekPoints()
        swap(&points, &seekPoints)
        stream.finish { (header, frame) in
            points.add(frameOf: frame.count)
            onFrame(header, frame)
        }
        swap(&points, &seekPoints)
    }
}
