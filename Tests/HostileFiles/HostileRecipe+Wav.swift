extension HostileRecipe {
    /// A coding of samples in WAV and its relatives.
    struct WavCoding {
        var name: String
        var tag: UInt64
        var bits: UInt64
        /// Bytes of a frame of one channel, or of a block.
        var align: Int
        /// Behind the sixteen bytes that every format chunk has.
        var extra: [UInt8] = []
        var usesGuid = false
    }

    static let codings: [WavCoding] = [
        WavCoding(name: "PCM 8", tag: 1, bits: 8, align: 1), WavCoding(name: "PCM 16", tag: 1, bits: 16, align: 2),
        WavCoding(name: "PCM 24", tag: 1, bits: 24, align: 3), WavCoding(name: "PCM 32", tag: 1, bits: 32, align: 4),
        WavCoding(name: "float 32", tag: 3, bits: 32, align: 4),
        WavCoding(name: "float 64", tag: 3, bits: 64, align: 8), WavCoding(name: "A-law", tag: 6, bits: 8, align: 1),
        WavCoding(name: "mu-law", tag: 7, bits: 8, align: 1),
        WavCoding(name: "IMA ADPCM", tag: 0x11, bits: 4, align: 256, extra: [2, 0, 0xF9, 0x01]),
        WavCoding(
            name: "MS ADPCM", tag: 2, bits: 4, align: 256,
            extra: [32, 0, 0xF4, 0x01, 7, 0] + [0, 1, 0, 0, 0, 2, 0, 0xFF, 0, 0, 0, 0, 0xC0, 0, 0x40, 0]
                + [0xF0, 0, 0, 0, 0xCC, 1, 0x30, 0xFF, 0x88, 1, 0x18, 0xFF]),
        WavCoding(name: "GSM", tag: 0x31, bits: 0, align: 65, extra: [2, 0, 0x40, 0x01]),
        WavCoding(name: "G.721", tag: 0x64, bits: 4, align: 1, extra: [2, 0, 0, 0]),
        WavCoding(
            name: "MPEG", tag: 0x55, bits: 0, align: 1, extra: [12, 0, 1, 0, 2, 0, 0, 0, 0xA1, 1, 1, 0, 0x71, 5]),
        WavCoding(name: "extensible 16", tag: 1, bits: 16, align: 2, usesGuid: true),
        WavCoding(name: "extensible float", tag: 3, bits: 32, align: 4, usesGuid: true),
    ]

    /// WAV, RF64 and BW64 in every coding, with one, two and six channels, and W64.
    static var wavs: [HostileRecipe] {
        var recipes: [HostileRecipe] = []
        for (index, coding) in codings.enumerated() {
            for container in ["RIFF", "RF64", "BW64"] {
                // A byte a frame is where numbers of frames are as large as numbers of bytes.
                let channels = container == "RIFF" ? [1, 2, 6][index % 3] : coding.align == 1 ? 1 : 2
                recipes.append(wav(coding, container: container, channels: channels))
            }
            recipes.append(w64(coding, channels: 1 + index % 2))
        }
        return recipes
    }

    private static func description(_ coding: WavCoding, channels: Int) -> HostilePart {
        var part = HostilePart()
        part.number("format tag", coding.usesGuid ? 0xFFFE : coding.tag, 2)
        part.number("channels", UInt64(channels), 2)
        part.number("sample rate", 8000, 4)
        part.number("bytes per second", UInt64(8000 * channels * coding.align), 4)
        part.number("block align", UInt64(channels * coding.align), 2)
        part.number("bits", coding.bits, 2)
        if coding.usesGuid {
            part.number("extension size", 22, 2)
            part.number("valid bits", coding.bits, 2)
            part.number("speaker mask", [0, 4, 3, 7, 0x33, 0x37, 0x3F][min(channels, 6)], 4)
            part.number("sub-format", coding.tag, 2)
            part.raw([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        } else if !coding.extra.isEmpty {
            for index in stride(from: 0, to: coding.extra.count, by: 2) {
                part.number(
                    "extension \(index)", UInt64(coding.extra[index]) | UInt64(coding.extra[index + 1]) << 8, 2)
            }
        }
        return part
    }

    /// Some audio: a ramp, or frames of MPEG.
    private static func samples(_ coding: WavCoding, channels: Int) -> HostilePart {
        if coding.name == "MPEG" { return HostilePart.mpegFrames(0xFFFB_9064, count: 3) }
        let blocks = coding.align > 8 ? 3 : 300
        return HostilePart((0..<blocks * channels * coding.align).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) })
    }

    private static func wav(_ coding: WavCoding, container: String, channels: Int) -> HostileRecipe {
        let data = samples(coding, channels: channels)
        let isLarge = container != "RIFF"
        var fact = HostilePart()
        fact.number("fact frames", 300, 4)
        var info = HostilePart("INFO")
        for name in ["INAM", "IART", "ICMT"] { info.append(.chunk(name, HostilePart("a text\0"))) }
        var large = HostilePart("data")
        large.number("data size", isLarge ? 0xFFFF_FFFF : UInt64(data.bytes.count), 4)
        large.append(data)
        var parts = [
            HostilePart.chunk("fmt ", description(coding, channels: channels)), .chunk("fact", fact),
            .chunk("LIST", info),
            .chunk("JUNK", HostilePart([UInt8](repeating: 7, count: 27))), .chunk("id3 ", .id3(version: 3)), large,
        ]
        if isLarge {
            var sizes = HostilePart()
            sizes.number("ds64 RIFF size", 5000, 8)
            sizes.number("ds64 data size", UInt64(data.bytes.count), 8)
            sizes.number("ds64 frames", 300, 8)
            sizes.number("ds64 table length", 1, 4)
            sizes.text("JUNK")
            sizes.number("ds64 table size", 27, 8)
            parts.insert(.chunk("ds64", sizes), at: 0)
        }
        var head = HostilePart(container)
        head.number("RIFF size", isLarge ? 0xFFFF_FFFF : UInt64(parts.reduce(4) { $0 + $1.bytes.count }), 4)
        head.text("WAVE")
        return HostileRecipe(name: "\(container) \(coding.name) of \(channels)", head: head, parts: parts)
    }

    /// Sony's W64: names of sixteen bytes, sizes of eight that count the header too, everything on multiples of eight.
    private static func w64(_ coding: WavCoding, channels: Int) -> HostileRecipe {
        let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        func chunk(_ name: String, _ body: HostilePart) -> HostilePart {
            var part = HostilePart(Array(name.utf8) + tail)
            part.number("\(name) size", UInt64(24 + body.bytes.count), 8)
            part.append(body)
            part.zeros((8 - part.bytes.count % 8) % 8)
            return part
        }
        var fact = HostilePart()
        fact.number("fact frames", 300, 8)
        let parts = [
            chunk("fmt ", description(coding, channels: channels)), chunk("fact", fact),
            chunk("data", samples(coding, channels: channels)),
        ]
        var head = HostilePart(
            Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00])
        head.number("riff size", UInt64(parts.reduce(40) { $0 + $1.bytes.count }), 8)
        head.raw(Array("wave".utf8) + tail)
        return HostileRecipe(name: "W64 \(coding.name) of \(channels)", head: head, parts: parts)
    }
}
