extension HostilePart {
    /// A block of FLAC's metadata (RFC 9639, section 8.1).
    static func flacBlock(_ kind: UInt64, _ body: HostilePart, isLast: Bool = false) -> HostilePart {
        var part = HostilePart()
        part.number("block kind", kind | (isLast ? 0x80 : 0), 1)
        part.number("block length", UInt64(body.bytes.count), 3, .big)
        part.append(body)
        return part
    }

    static func streamInformation(bits: UInt64, channels: UInt64, frames: UInt64 = 960) -> HostilePart {
        var part = HostilePart()
        part.number("least block", 192, 2, .big)
        part.number("largest block", 192, 2, .big)
        part.number("least frame", 0, 3, .big)
        part.number("largest frame", 0, 3, .big)
        part.number(
            "rate, channels, bits, frames", 8000 << 44 | (channels - 1) << 41 | (bits - 1) << 36 | frames, 8, .big)
        part.mark("rate and channels", at: 10, 4)
        part.mark("bits and frames", at: 13, 2)
        part.mark("frames", at: 14, 4)
        part.zeros(16)
        return part
    }

    /// A frame of 192 samples as they are, or of one value, with its checksums.
    static func flacFrame(_ index: Int, bits: Int, channels: Int, isConstant: Bool) -> HostilePart {
        let sizes = [8: 1, 12: 2, 16: 4, 20: 5, 24: 6]
        var part = HostilePart()
        part.number("sync", 0xFFF8, 2, .big)
        part.number("block size and rate", 0x60, 1)
        part.number("channels and bits", UInt64((channels - 1) << 4 | (sizes[bits] ?? 0) << 1), 1)
        part.number("frame number", UInt64(index), 1)
        part.number("block size", 191, 1)
        let header = part.bytes.count
        part.zeros(1)
        for _ in 0..<channels {
            part.number("subframe", isConstant ? 0 : 2, 1)
            part.raw([UInt8](repeating: UInt8(index * 20 + 3), count: (isConstant ? 1 : 192) * bits / 8))
        }
        part.zeros(2)
        part.seal = { bytes in
            guard bytes.count > header + 2 else { return }
            HostileChecksum.put(
                HostileChecksum.forward(bytes[..<header], polynomial: 7, width: 8), 1, .big, at: header, in: &bytes)
            let end = bytes.count - 2
            HostileChecksum.put(
                HostileChecksum.forward(bytes[..<end], polynomial: 0x8005, width: 16), 2, .big, at: end, in: &bytes)
        }
        return part
    }

    static func flacPicture() -> HostilePart {
        let picture = HostilePart.png()
        var part = HostilePart()
        part.number("picture kind", 3, 4, .big)
        part.number("MIME length", 9, 4, .big)
        part.text("image/png")
        part.number("description length", 0, 4, .big)
        for name in ["width", "height", "depth", "colours"] { part.number("picture \(name)", 8, 4, .big) }
        part.number("picture length", UInt64(picture.bytes.count), 4, .big)
        part.append(picture)
        return part
    }
}

extension HostileRecipe {
    static var flacs: [HostileRecipe] {
        [(8, 1), (12, 1), (16, 1), (16, 2), (16, 6), (24, 2), (20, 8)].map { bits, channels in
            var seek = HostilePart()
            for index in 0..<3 {
                seek.number("seek sample", UInt64(index * 192), 8, .big)
                seek.number("seek offset", UInt64(index * 400), 8, .big)
                seek.number("seek frames", 192, 2, .big)
            }
            var cue = HostilePart()
            cue.zeros(128)
            cue.number("lead-in", 1, 8, .big)
            cue.zeros(259)
            cue.number("tracks", 1, 1)
            cue.number("track offset", 0, 8, .big)
            cue.number("track number", 1, 1)
            cue.zeros(26)
            cue.number("indices", 1, 1)
            cue.zeros(12)
            let parts =
                [
                    HostilePart.flacBlock(0, .streamInformation(bits: UInt64(bits), channels: UInt64(channels))),
                    .flacBlock(3, seek), .flacBlock(4, .comments()), .flacBlock(5, cue), .flacBlock(6, .flacPicture()),
                    .flacBlock(2, HostilePart("appl1234")),
                    .flacBlock(1, HostilePart([UInt8](repeating: 0, count: 20)), isLast: true),
                ]
                + (0..<5).map {
                    HostilePart.flacFrame($0, bits: bits, channels: channels, isConstant: $0 % 2 == 0 && bits % 8 == 0)
                }
            return HostileRecipe(name: "FLAC \(bits) of \(channels)", head: HostilePart("fLaC"), parts: parts)
        }
    }
}
