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

    /// Takes the next bytes of the stream, in pieces of any size.
    mutating func add(_ piece: borrowing Span<UInt8>) {
        checksum.add(piece)
        bytes += piece.count
        var points = MP3SeekPoints()
        swap(&points, &seekPoints)
        stream.push(piece) { (_, frame) in points.add(frameOf: frame.count) }
        swap(&points, &seekPoints)
    }

    /// Counts the frames that were still uncertain.
    mutating func finish() {
        var points = MP3SeekPoints()
        swap(&points, &seekPoints)
        stream.finish { (_, frame) in points.add(frameOf: frame.count) }
        swap(&points, &seekPoints)
    }
}
