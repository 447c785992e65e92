/// The frames of an encoder's bare stream, as far as cutting it needs them: four bytes each.
struct MP3FrameIndex: Sendable {
    struct Entry: Hashable, Sendable {
        /// The whole frame.
        var bytes: UInt16
        /// How far before the frame's own area its main data begins, in bytes.
        var mainDataBegin: UInt16
    }

    private(set) var entries: [Entry] = []
    /// Of the first frame; nil before there is one.
    var header: MP3FrameHeader? { stream.firstHeader }
    private var stream = MP3FrameStream()

    /// Takes the next bytes of the stream.
    mutating func add(_ bytes: borrowing Span<UInt8>) {
        var stream = MP3FrameStream()
        swap(&stream, &self.stream)
        stream.push(bytes) { (header, frame) in append(header, frame) }
        swap(&stream, &self.stream)
    }

    /// Takes the frames that were still uncertain.
    mutating func finish() {
        var stream = MP3FrameStream()
        swap(&stream, &self.stream)
        stream.finish { (header, frame) in append(header, frame) }
        swap(&stream, &self.stream)
    }

    private mutating func append(_ header: MP3FrameHeader, _ frame: borrowing Span<UInt8>) {
        let first = header.mainDataOffset - header.sideInformationBytes
        let begin =
            header.version == .mpeg1
            ? UInt16(frame[first]) << 1 | UInt16(frame[first + 1] >> 7) : UInt16(frame[first])
        entries.append(Entry(bytes: UInt16(frame.count), mainDataBegin: begin))
    }
}
