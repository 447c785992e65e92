/// Keeps count of an encoded stream for its info tag: frames, bytes, checksum, and where frames begin.
struct MP3Ledger: Sendable {
    private(set) var checksum = MP3Checksum()
    /// Bytes of audio frames.
    private(set) var bytes = 0
    private var stream = MP3FrameStream()
    /// The offset of every `stride`th frame. Halved when full, so that a day needs no more memory than a minute.
    private var offsets: [Int] = []
    private var stride = 1

    private static let mostOffsets = 4096

    /// Audio frames.
    var frames: Int { stream.frames }
    /// The mean rate in kbps.
    var averageKbps: Double { stream.averageKbps }

    /// Takes the next bytes of the stream, in pieces of any size.
    mutating func add(_ piece: borrowing Span<UInt8>) {
        checksum.add(piece)
        bytes += piece.count
        var stream = exchange(&stream, with: MP3FrameStream())
        var frame = stream.frames
        var offset = stream.audioBytes
        stream.push(piece) { (_, content) in
            note(offset, ofFrame: frame)
            frame += 1
            offset += content.count
        }
        self.stream = stream
    }

    /// Counts the frames that were still uncertain.
    mutating func finish() { stream.finish() }

    private mutating func note(_ offset: Int, ofFrame frame: Int) {
        guard frame % stride == 0 else { return }
        if offsets.count == Self.mostOffsets {
            for index in 0..<offsets.count / 2 { offsets[index] = offsets[2 * index] }
            offsets.removeLast(offsets.count / 2)
            stride *= 2
            guard frame % stride == 0 else { return }
        }
        offsets.append(offset)
    }

    /// Where, in 256ths of all bytes, each percent of the duration begins.
    ///
    /// - Parameter leadingBytes: of the info frame, which counts.
    func seekTable(leadingBytes: Int) -> [UInt8] {
        (0..<100).map { percent in
            let index = min(frames * percent / 100 / stride, offsets.count - 1)
            guard percent > 0, index >= 0 else { return 0 }
            return UInt8(min(255, 256 * (offsets[index] + leadingBytes) / (bytes + leadingBytes)))
        }
    }
}

private func exchange<T>(_ value: inout T, with other: T) -> T {
    let old = value
    value = other
    return old
}
