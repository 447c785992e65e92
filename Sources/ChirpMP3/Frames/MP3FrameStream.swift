/// Finds the frames of an MP3 that arrives in pieces of any size. Safe on any input: bounded memory, linear time.
///
/// Leading and interspersed ID3v2 tags are skipped, an info frame is recognised and not counted, and after damage a
/// frame is believed only when another one that agrees with it follows (or the end of the stream).
public struct MP3FrameStream: Sendable {
    /// The info frame's content, when the stream begins with one.
    public private(set) var infoTag: MP3InfoTag?
    /// Bytes of the info frame, 0 without one.
    public private(set) var infoFrameBytes = 0
    /// Audio frames so far; the info frame is not one.
    public private(set) var frames = 0
    /// Bytes of those frames.
    public private(set) var audioBytes = 0
    /// Bytes that belonged neither to a frame nor to an ID3v2 tag (an ID3v1 tag at the end, damage).
    public private(set) var strayBytes = 0
    /// Bytes of ID3v2 tags.
    public private(set) var tagBytes = 0
    /// The header of the first audio frame.
    public private(set) var firstHeader: MP3FrameHeader?
    /// Whether not all audio frames have the first one's rate.
    public private(set) var variesRate = false

    private var buffer: [UInt8] = []
    /// Bytes of a tag that are still to come.
    private var skip = 0
    /// Of the frame before; nil while searching.
    private var reference: MP3FrameHeader?

    public init() {}

    /// PCM frames that the audio frames decode to, delay and padding included.
    public var decodedFrames: Int { frames * (firstHeader?.frames ?? 0) }

    /// The mean rate in kbps; 0 without frames.
    public var averageKbps: Double {
        guard let firstHeader, frames > 0 else { return 0 }
        return Double(audioBytes) * 8 * Double(firstHeader.sampleRate) / Double(decodedFrames) / 1000
    }

    /// Takes the next bytes.
    ///
    /// - Parameter onFrame: called for every audio frame that became certain, with its header and all its bytes.
    public mutating func push<E: Error>(
        _ bytes: borrowing Span<UInt8>, onFrame: (MP3FrameHeader, Span<UInt8>) throws(E) -> Void
    ) throws(E) {
        // Piece by piece, so that the buffer stays small whatever the caller hands over.
        var start = 0
        while start < bytes.count {
            let end = min(start + 65536, bytes.count)
            bytes.extracting(start..<end).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
            start = end
            try parse(isLast: false, onFrame)
        }
    }

    /// Takes the next bytes and only counts.
    public mutating func push(_ bytes: borrowing Span<UInt8>) { push(bytes) { (_, _) in } }

    /// Tells that no more bytes come. An incomplete last frame becomes stray bytes.
    public mutating func finish<E: Error>(onFrame: (MP3FrameHeader, Span<UInt8>) throws(E) -> Void) throws(E) {
        try parse(isLast: true, onFrame)
        strayBytes += buffer.count
        buffer = []
    }

    public mutating func finish() { finish { (_, _) in } }

    private mutating func parse<E: Error>(
        isLast: Bool, _ onFrame: (MP3FrameHeader, Span<UInt8>) throws(E) -> Void
    ) throws(E) {
        var position = 0
        defer { buffer.removeSubrange(..<position) }
        while position < buffer.count {
            if skip > 0 {
                let step = min(skip, buffer.count - position)
                skip -= step
                tagBytes += step
                position += step
                continue
            }
            // An ID3v2 tag's size stands in its first ten bytes, a frame is certain when the next header is there.
            let needed = MP3FrameHeader.longestFrame + 10
            guard isLast || buffer.count - position >= needed else { return }
            if let size = ID3Tag.size(at: position, of: buffer.span) {
                skip = size
            } else if let header = frame(at: position) {
                let end = position + header.byteCount
                try take(header, position..<end, onFrame)
                position = end
            } else {
                reference = nil
                strayBytes += 1
                position += 1
            }
        }
    }

    /// The header of the frame that begins here and is whole and believable; nil otherwise.
    private func frame(at position: Int) -> MP3FrameHeader? {
        let bytes = buffer.span
        guard let header = MP3FrameHeader(bytes, at: position) else { return nil }
        let end = position + header.byteCount
        guard end <= bytes.count else { return nil }
        if let reference, header.agrees(with: reference) { return header }
        if let next = MP3FrameHeader(bytes, at: end) { return next.agrees(with: header) ? header : nil }
        return end == bytes.count || ID3Tag.size(at: end, of: bytes) != nil ? header : nil
    }

    private mutating func take<E: Error>(
        _ header: MP3FrameHeader, _ range: Range<Int>,
        _ onFrame: (MP3FrameHeader, Span<UInt8>) throws(E) -> Void
    ) throws(E) {
        reference = header
        if firstHeader == nil {
            if infoTag == nil, let tag = MP3InfoTag(frame: buffer.span.extracting(range)) {
                infoTag = tag
                infoFrameBytes = range.count
                return
            }
            firstHeader = header
        }
        frames += 1
        audioBytes += range.count
        if header.kbps != firstHeader?.kbps { variesRate = true }
        try onFrame(header, buffer.span.extracting(range))
    }
}
