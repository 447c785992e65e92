/// Finds the first frame of MPEG audio, layers I to III (ISO 11172-3 and 13818-3, 2.4.1.3; MPEG-2.5 as decoders
/// understand it), among other bytes.
enum MPEGSync {
    /// What of a frame header decides whether two frames belong together, and how long the frame is.
    private struct Header {
        /// Version, layer, sample rate and whether it is mono.
        var kind: UInt32
        /// In bytes; nil for a free-format frame, whose length only the next frame tells.
        var length: Int?

        init?(_ bytes: [UInt8], at offset: Int) {
            guard offset + 4 <= bytes.count, bytes[offset] == 0xFF else { return nil }
            let word = bytes.bigEndian(at: offset, bytes: 4)
            let (version, layer) = (Int(word >> 19 & 3), Int(4 - (word >> 17 & 3)))
            let (rateIndex, sampleIndex) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
            guard word >> 21 == 0x7FF, version != 1, layer != 4, rateIndex != 15, sampleIndex != 3 else { return nil }
            // A reserved emphasis: in practice never a header.
            guard word & 3 != 2 else { return nil }
            kind = word & 0xFFFE_0C00 | (word >> 6 & 3 == 3 ? 1 : 0)
            guard rateIndex != 0 else { return }
            let kbps = MPEGSync.rates[version == 3 ? layer - 1 : layer == 1 ? 3 : 4][rateIndex - 1]
            let rate = [44_100, 48_000, 32_000][sampleIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
            let padding = Int(word >> 9 & 1)
            length =
                switch layer {
                case 1: (12_000 * kbps / rate + padding) * 4
                case 3 where version != 3: 72_000 * kbps / rate + padding
                default: 144_000 * kbps / rate + padding
                }
        }
    }

    /// Tables of 2.4.2.3: MPEG-1 layers I, II, III; MPEG-2 layer I; MPEG-2 layers II and III. In kbps.
    private static let rates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// Whether the bytes begin with a frame header of known length.
    static func isHeader(_ bytes: [UInt8]) -> Bool { Header(bytes, at: 0)?.length != nil }

    /// Version, layer, sample rate and whether it is mono of the frame header at the beginning; nil when there is none.
    static func kind(of bytes: [UInt8]) -> UInt32? { Header(bytes, at: 0)?.kind }

    /// Where the next frame of a kind begins that another one like it follows.
    static func nextFrame(in bytes: [UInt8], of kind: UInt32) -> Int? {
        bytes.indices.first { start in
            guard bytes[start] == 0xFF, let header = Header(bytes, at: start), header.kind == kind,
                let length = header.length
            else { return false }
            return Header(bytes, at: start + length)?.kind == kind
        }
    }

    /// Where the first believable frame begins: two more that agree follow it, or it reaches the end of the file.
    ///
    /// - Parameter isWholeRest: the bytes reach to the end of the file.
    static func firstFrame(in bytes: [UInt8], isWholeRest: Bool) -> Int? {
        for start in bytes.indices where bytes[start] == 0xFF {
            guard let first = Header(bytes, at: start) else { continue }
            guard let length = first.length else {
                // Free format is rare: believed at the very start only.
                if start == 0 { return 0 }
                continue
            }
            var next = start + length
            var agreeing = 0
            while agreeing < 2, let header = Header(bytes, at: next), header.kind == first.kind,
                let length = header.length
            {
                agreeing += 1
                next += length
            }
            // A short or cut-off file has fewer frames than wanted.
            let reachesEnd = isWholeRest && next >= bytes.count - 128 && (agreeing > 0 || start == 0)
            if agreeing == 2 || reachesEnd { return start }
        }
        return nil
    }
}
