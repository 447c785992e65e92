extension HostilePart {
    private static func pngChunk(_ name: String, _ body: HostilePart) -> HostilePart {
        var part = HostilePart()
        part.number("\(name) size", UInt64(body.bytes.count), 4, .big)
        part.text(name)
        part.append(body)
        part.zeros(4)
        part.seal = { bytes in
            guard bytes.count >= 12 else { return }
            let end = bytes.count - 4
            let sum = HostileChecksum.backward(bytes[4..<end], polynomial: 0xEDB8_8320, initial: .max) ^ .max
            HostileChecksum.put(sum, 4, .big, at: end, in: &bytes)
        }
        return part
    }

    /// The chunks of a PNG picture of 8 x 8 pixels, stored and not compressed.
    static func pngChunks(colour: UInt64 = 2, depth: UInt64 = 8, interlace: UInt64 = 0) -> [HostilePart] {
        var header = HostilePart()
        header.number("width", 8, 4, .big)
        header.number("height", 8, 4, .big)
        for (name, value) in [
            ("depth", depth), ("colour", colour), ("compression", 0), ("filter", 0), ("interlace", interlace),
        ] {
            header.number(name, value, 1)
        }
        var rows: [UInt8] = []
        for row in 0..<8 {
            // Each row begins with its filter, of which there are five.
            rows.append(UInt8(row % 5))
            for column in 0..<24 { rows.append(UInt8(column * 10 + row)) }
        }
        var data = HostilePart()
        data.number("zlib header", 0x7801, 2, .big)
        data.number("deflate block", 1, 1)
        data.number("block length", UInt64(rows.count), 2)
        data.number("block complement", UInt64(~UInt16(rows.count)), 2)
        data.raw(rows)
        data.number("zlib checksum", UInt64(HostileChecksum.adler(rows)), 4, .big)
        var palette = HostilePart()
        palette.raw((0..<48).map { UInt8($0) })
        var gamma = HostilePart()
        gamma.number("gamma", 45_455, 4, .big)
        var transparent = HostilePart()
        for _ in 0..<3 { transparent.number("transparent", 10, 2, .big) }
        return [
            pngChunk("IHDR", header), pngChunk("gAMA", gamma), pngChunk("PLTE", palette), pngChunk("tRNS", transparent),
            pngChunk("IDAT", data), pngChunk("IEND", HostilePart()),
        ]
    }

    static let pngMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A good one, whole.
    static func png() -> HostilePart {
        var part = HostilePart(pngMark)
        for chunk in pngChunks() {
            var sealed = chunk
            let seal = chunk.seal
            sealed.change { seal?(&$0) }
            part.append(sealed)
        }
        return part
    }
}

extension HostileRecipe {
    static var pictures: [HostileRecipe] {
        [(2, 8, 0), (2, 8, 1), (3, 8, 0), (0, 16, 0), (6, 8, 1), (0, 1, 0)].map { colour, depth, interlace in
            HostileRecipe(
                name: "PNG \(colour) \(depth) \(interlace)", head: HostilePart(HostilePart.pngMark),
                parts: HostilePart.pngChunks(colour: colour, depth: depth, interlace: interlace))
        }
    }
}
