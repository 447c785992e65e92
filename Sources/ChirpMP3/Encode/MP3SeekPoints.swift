/// Where the frames of a stream begin, for the info tag's seek table. A day needs no more memory than a minute.
struct MP3SeekPoints: Sendable {
    /// The offset of every `stride`th frame; thinned out when full.
    private var offsets: [Int] = []
    private var stride = 1
    private var frames = 0
    private var bytes = 0

    private static let most = 4096

    /// Takes the size of the next frame.
    mutating func add(frameOf size: Int) {
        if frames % stride == 0 {
            if offsets.count == Self.most { thinOut() }
            if frames % stride == 0 { offsets.append(bytes) }
        }
        frames += 1
        bytes += size
    }

    private mutating func thinOut() {
        for index in 0..<offsets.count / 2 { offsets[index] = offsets[2 * index] }
        offsets.removeLast(offsets.count / 2)
        stride *= 2
    }

    /// Where, in 256ths of all bytes, each percent of the duration begins.
    ///
    /// - Parameter leadingBytes: of the info frame, which counts.
    func table(leadingBytes: Int) -> [UInt8] {
        (0..<100).map { percent in
            let index = min(frames * percent / 100 / stride, offsets.count - 1)
            guard percent > 0, index >= 0 else { return 0 }
            return UInt8(min(255, 256 * (offsets[index] + leadingBytes) / (bytes + leadingBytes)))
        }
    }
}
