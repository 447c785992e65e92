extension HostilePart {
    /// Frames of silence: a header and nothing behind it.
    static func mpegFrames(_ word: UInt64, count: Int, bytes: Int = 417) -> HostilePart {
        var part = HostilePart()
        for index in 0..<count {
            part.number("frame \(index)", word, 4, .big)
            part.zeros(bytes - 4)
        }
        return part
    }

    /// Xing's header with LAME's extension and its checksum.
    static func infoFrame(_ word: UInt64, bytes: Int, side: Int, magic: String) -> HostilePart {
        var part = HostilePart()
        part.number("frame", word, 4, .big)
        part.zeros(side)
        part.text(magic)
        part.number("info flags", 15, 4, .big)
        part.number("info frames", 8, 4, .big)
        part.number("info bytes", 3753, 4, .big)
        for index in 0..<100 { part.raw([UInt8(index * 255 / 100)]) }
        part.mark("table", at: part.bytes.count - 50, 1)
        part.number("info quality", 50, 4, .big)
        part.text("LAME3.100")
        part.number("revision and method", 3, 1)
        part.number("low-pass", 160, 1)
        part.number("peak", 0x3F00_0000, 4, .big)
        part.number("gains", 0, 4, .big)
        part.number("LAME flags", 0, 1)
        part.number("LAME rate", 128, 1)
        part.number("delay and padding", 576 << 12 | 600, 3, .big)
        part.number("miscellany", 0, 1)
        part.number("MP3 gain", 0, 1)
        part.number("preset", 0, 2, .big)
        part.number("music length", 3753, 4, .big)
        part.number("music checksum", 0, 2, .big)
        let end = part.bytes.count
        part.zeros(max(2, bytes - end))
        part.seal = { bytes in
            guard bytes.count >= end + 2 else { return }
            HostileChecksum.put(
                HostileChecksum.backward(bytes[..<end], polynomial: 0xA001, initial: 0), 2, .big, at: end, in: &bytes)
        }
        return part
    }

    /// Fraunhofer's equivalent.
    static func vbriFrame(_ word: UInt64, bytes: Int) -> HostilePart {
        var part = HostilePart()
        part.number("frame", word, 4, .big)
        part.zeros(32)
        part.text("VBRI")
        for (name, value, width) in [
            ("version", 1, 2), ("delay", 1105, 2), ("quality", 75, 2), ("bytes", 3753, 4), ("frames", 8, 4),
            ("entries", 8, 2), ("scale", 1, 2), ("entry bytes", 2, 2), ("frames per entry", 1, 2),
        ] {
            part.number("VBRI \(name)", UInt64(value), width, .big)
        }
        for index in 0..<8 { part.number("VBRI entry \(index)", 417, 2, .big) }
        part.zeros(max(0, bytes - part.bytes.count))
        return part
    }
}

extension HostileRecipe {
    static var mpegs: [HostileRecipe] {
        let kinds: [(name: String, word: UInt64, bytes: Int, side: Int)] = [
            ("MPEG-1 III", 0xFFFB_9004, 417, 32), ("MPEG-1 III mono", 0xFFFB_90C4, 417, 17),
            ("MPEG-2 III", 0xFFF3_80C4, 208, 9), ("MPEG-2.5 III", 0xFFE3_80C4, 417, 9),
            ("MPEG-1 II", 0xFFFD_8004, 417, 32),
            ("MPEG-2 II", 0xFFF5_8004, 417, 32), ("MPEG-1 I", 0xFFFF_4004, 136, 32),
        ]
        var recipes: [HostileRecipe] = []
        for (index, kind) in kinds.enumerated() {
            let frames = (0..<8).map { _ in HostilePart.mpegFrames(kind.word, count: 1, bytes: kind.bytes) }
            let isThird = kind.name.contains("III")
            let info = HostilePart.infoFrame(
                kind.word, bytes: kind.bytes, side: kind.side, magic: index % 2 == 0 ? "Xing" : "Info")
            let version = 2 + index % 3
            recipes.append(
                HostileRecipe(
                    name: "\(kind.name), ID3v2.\(version)", parts: [.id3(version: version), .id3(version: 4)] + frames,
                    tail: .id3v1()))
            recipes.append(
                HostileRecipe(name: "\(kind.name), VBRI", parts: [.vbriFrame(kind.word, bytes: kind.bytes)] + frames))
            guard isThird else { continue }
            recipes.append(HostileRecipe(name: "\(kind.name), info", head: info, parts: frames, tail: .ape()))
            recipes.append(
                HostileRecipe(
                    name: "\(kind.name), all tags", head: .id3(version: 3),
                    parts: [info] + frames + [.ape(), .id3v1()]))
        }
        return recipes
    }
}
