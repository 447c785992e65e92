extension HostileRecipe {
    /// AIFF, AIFC, CAF, AU and RIFX.
    static var otherChunks: [HostileRecipe] {
        let aiffs: [(String, Int)] = [
            ("", 8), ("", 16), ("", 24), ("", 32), ("NONE", 16), ("sowt", 16), ("fl32", 32), ("fl64", 64), ("alaw", 8),
            ("ulaw", 8), ("ima4", 16), ("GSM ", 16), ("DWVW", 16), ("raw ", 8), ("in24", 24), ("42ni", 24),
        ]
        let cafs: [(String, Int, Int)] = [
            ("lpcm", 8, 0), ("lpcm", 16, 0), ("lpcm", 16, 2), ("lpcm", 24, 0), ("lpcm", 32, 1), ("lpcm", 64, 3),
            ("alaw", 8, 0), ("ulaw", 8, 0), ("alac", 16, 1), ("ima4", 4, 0),
        ]
        return aiffs.enumerated().map { aiff($1.0, bits: $1.1, channels: [1, 2, 6][$0 % 3]) }
            + cafs.enumerated().map { caf($1.0, bits: $1.1, flags: $1.2, channels: [1, 2, 4][$0 % 3]) }
            + [1, 2, 3, 4, 5, 6, 7, 23, 24, 25, 26, 27].map { au(coding: $0) }
    }

    private static func ramp(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 5 / 3) } }

    private static func aiff(_ compression: String, bits: Int, channels: Int) -> HostileRecipe {
        var common = HostilePart()
        common.number("channels", UInt64(channels), 2, .big)
        common.number("frames", 200, 4, .big)
        common.number("bits", UInt64(bits), 2, .big)
        // 8000 Hz as an 80-bit float.
        common.number("rate exponent", 0x400B, 2, .big)
        common.number("rate mantissa", 0xFA00_0000_0000_0000, 8, .big)
        if !compression.isEmpty {
            common.text(compression)
            common.number("name length", 4, 1)
            common.raw(Array("name".utf8) + [0])
        }
        var sound = HostilePart()
        sound.number("SSND offset", 0, 4, .big)
        sound.number("SSND block size", 0, 4, .big)
        sound.raw(ramp(200 * channels * bits / 8))
        var marks = HostilePart()
        marks.number("markers", 1, 2, .big)
        marks.number("marker id", 1, 2, .big)
        marks.number("marker place", 5, 4, .big)
        marks.number("marker name length", 3, 1)
        marks.text("abc")
        var layout = HostilePart()
        layout.number("channel layout", 0x65_0002, 4, .big)
        layout.number("channel bits", 3, 4, .big)
        layout.number("channel descriptions", 0, 4, .big)
        var comments = HostilePart()
        comments.number("comments", 1, 2, .big)
        comments.number("comment time", 1, 4, .big)
        comments.number("comment marker", 0, 2, .big)
        comments.number("comment length", 5, 2, .big)
        comments.text("hello ")
        var basic = HostilePart()
        for index in 0..<20 { basic.number("basc \(index)", UInt64(index), 4, .big) }
        var parts = [
            HostilePart.chunk("COMM", common, .big), .chunk("MARK", marks, .big), .chunk("CHAN", layout, .big),
            .chunk("COMT", comments, .big), .chunk("NAME", HostilePart("a name"), .big), .chunk("basc", basic, .big),
            .chunk("ID3 ", .id3(version: 2), .big), .chunk("SSND", sound, .big),
        ]
        if !compression.isEmpty {
            var version = HostilePart()
            version.number("FVER", 0xA280_5140, 4, .big)
            parts.insert(.chunk("FVER", version, .big), at: 0)
        }
        var head = HostilePart("FORM")
        head.number("FORM size", UInt64(parts.reduce(4) { $0 + $1.bytes.count }), 4, .big)
        head.text(compression.isEmpty ? "AIFF" : "AIFC")
        return HostileRecipe(name: "AIFF \(compression) \(bits) of \(channels)", head: head, parts: parts)
    }

    private static func caf(_ coding: String, bits: Int, flags: Int, channels: Int) -> HostileRecipe {
        func chunk(_ name: String, _ body: HostilePart) -> HostilePart {
            var part = HostilePart(name)
            part.number("\(name) size", UInt64(body.bytes.count), 8, .big)
            part.append(body)
            return part
        }
        let isPacked = coding == "alac" || coding == "ima4"
        var description = HostilePart()
        description.number("rate", (8000.0).bitPattern, 8, .double)
        description.text(coding)
        description.number("flags", UInt64(flags), 4, .big)
        description.number("bytes per packet", isPacked ? 0 : UInt64(channels * bits / 8), 4, .big)
        description.number("frames per packet", coding == "alac" ? 4096 : coding == "ima4" ? 64 : 1, 4, .big)
        description.number("channels", UInt64(channels), 4, .big)
        description.number("bits", UInt64(bits), 4, .big)
        var sound = HostilePart()
        sound.number("edit count", 0, 4, .big)
        sound.raw(ramp(200 * channels * max(1, bits / 8)))
        var packets = HostilePart()
        packets.number("packets", 3, 8, .big)
        packets.number("valid frames", 200, 8, .big)
        packets.number("priming", 0, 4, .big)
        packets.number("remainder", 0, 4, .big)
        for index in 0..<3 { packets.number("packet \(index)", 0x85, 1) }
        var cookie = HostilePart()
        cookie.number("frame length", 4096, 4, .big)
        for (name, value) in [("version", 0), ("bits", 16), ("pb", 40), ("mb", 10), ("kb", 14), ("channels", channels)]
        {
            cookie.number("cookie \(name)", UInt64(value), 1)
        }
        for (name, width) in [("max run", 2), ("max bytes", 4), ("bit rate", 4), ("rate", 4)] {
            cookie.number("cookie \(name)", 255, width, .big)
        }
        var information = HostilePart()
        information.number("info entries", 2, 4, .big)
        information.raw(Array("title\0a title\0artist\0somebody\0".utf8))
        var layout = HostilePart()
        layout.number("channel layout", 0x65_0002, 4, .big)
        layout.number("channel bits", 3, 4, .big)
        layout.number("channel descriptions", 0, 4, .big)
        var peak = HostilePart()
        peak.number("peak edit", 0, 4, .big)
        for index in 0..<channels {
            peak.number("peak \(index)", 0x3F80_0000, 4, .big)
            peak.number("peak place \(index)", 5, 8, .big)
        }
        var parts = [
            chunk("desc", description), chunk("info", information), chunk("chan", layout), chunk("peak", peak),
            chunk("free", HostilePart([UInt8](repeating: 0, count: 20))),
        ]
        if isPacked { parts += [chunk("kuki", cookie), chunk("pakt", packets)] }
        parts.append(chunk("data", sound))
        var head = HostilePart("caff")
        head.number("version", 1, 2, .big)
        head.number("file flags", 0, 2, .big)
        return HostileRecipe(name: "CAF \(coding) \(bits) of \(channels)", head: head, parts: parts)
    }

    private static func au(coding: Int) -> HostileRecipe {
        var head = HostilePart(coding % 2 == 0 ? ".snd" : "dns.")
        let order: HostileField.Coding = coding % 2 == 0 ? .big : .little
        head.number("data offset", 28, 4, order)
        head.number("data size", 1600, 4, order)
        head.number("coding", UInt64(coding), 4, order)
        head.number("rate", 8000, 4, order)
        head.number("channels", UInt64(1 + coding % 2), 4, order)
        head.text("text")
        return HostileRecipe(name: "AU \(coding)", head: head, tail: HostilePart(ramp(1600)))
    }
}
