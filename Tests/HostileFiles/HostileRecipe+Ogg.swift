extension HostilePart {
    /// A page of whole packets, each of less than 255 bytes or taken as it is (RFC 3533).
    static func oggPage(
        serial: UInt64, flags: UInt64, granule: UInt64, number: UInt64, _ packets: [HostilePart]
    ) -> HostilePart {
        var lacing: [UInt64] = []
        for packet in packets {
            lacing += [UInt64](repeating: 255, count: packet.bytes.count / 255) + [UInt64(packet.bytes.count % 255)]
        }
        var part = HostilePart("OggS")
        part.number("page version", 0, 1)
        part.number("page flags", flags, 1)
        part.number("granule", granule, 8)
        part.number("serial", serial, 4)
        part.number("page number", number, 4)
        part.number("page checksum", 0, 4)
        part.number("segments", UInt64(lacing.count), 1)
        for value in lacing { part.number("lacing", value, 1) }
        for packet in packets { part.append(packet) }
        part.seal = sealOggPage
        return part
    }

    /// A page out of a file, with the numbers of its header; those of codecs' headers are guessed.
    static func oggPage(_ bytes: [UInt8], isHeader: Bool) -> HostilePart {
        var part = HostilePart(bytes)
        for (name, offset, width) in [
            ("page version", 4, 1), ("page flags", 5, 1), ("granule", 6, 8), ("serial", 14, 4), ("page number", 18, 4),
            ("segments", 26, 1), ("lacing", 27, 1),
        ] {
            part.mark(name, at: offset, width, .little)
        }
        if isHeader {
            for offset in stride(from: 28, to: min(bytes.count - 4, 100), by: 1) {
                part.mark("header \(offset)", at: offset, [1, 2, 4, 4][offset % 4], .little)
            }
        }
        part.seal = sealOggPage
        return part
    }

    private static let sealOggPage: @Sendable (inout [UInt8]) -> Void = { bytes in
        HostileChecksum.put(0, 4, .little, at: 22, in: &bytes)
        HostileChecksum.put(
            HostileChecksum.forward(bytes, polynomial: 0x04C1_1DB7, width: 32), 4, .little, at: 22, in: &bytes)
    }
}

extension HostileRecipe {
    static var oggs: [HostileRecipe] {
        [
            opus(channels: 1, beside: []), opus(channels: 2, beside: []), opus(channels: 6, beside: []),
            opus(channels: 1, beside: [HostilePart(theora)]),
            opus(channels: 2, beside: [HostilePart("fishead\0" + zeros)]),
            flac(), film(),
        ]
    }

    private static let zeros = String(repeating: "\0", count: 56)
    private static let theora: [UInt8] =
        Array("\u{80}theora".unicodeScalars.map { UInt8($0.value) }) + [3, 2, 1, 0, 4, 0, 4]

    private static func opus(channels: Int, beside others: [HostilePart]) -> HostileRecipe {
        var head = HostilePart("OpusHead")
        head.number("Opus version", 1, 1)
        head.number("channels", UInt64(channels), 1)
        head.number("pre-skip", 312, 2)
        head.number("rate", 48_000, 4)
        head.number("gain", 0, 2)
        head.number("mapping family", channels > 2 ? 1 : 0, 1)
        if channels > 2 {
            head.number("streams", UInt64(channels - 2), 1)
            head.number("coupled", 2, 1)
            for channel in 0..<channels { head.number("mapping", UInt64(channel), 1) }
        }
        var parts = [HostilePart.oggPage(serial: 7, flags: 2, granule: 0, number: 0, [head])]
        for (index, other) in others.enumerated() {
            parts.insert(
                .oggPage(serial: UInt64(100 + index), flags: 2, granule: 0, number: 0, [other]), at: index % parts.count
            )
        }
        parts.append(
            .oggPage(serial: 7, flags: 0, granule: 0, number: 1, [HostilePart("OpusTags").appending(.comments())]))
        for page in 0..<4 {
            // Coded silence of 20 ms, over the whole band.
            let packets = (0..<3).map { _ in HostilePart([0xF8, 0xFF, 0xFE]) }
            parts.append(
                .oggPage(
                    serial: 7, flags: page == 3 ? 4 : 0, granule: UInt64(2880 * (page + 1)), number: UInt64(page + 2),
                    packets))
            for index in others.indices {
                parts.append(
                    .oggPage(
                        serial: UInt64(100 + index), flags: 0, granule: UInt64(page), number: UInt64(page + 1),
                        [HostilePart([UInt8](repeating: 9, count: 40))]))
            }
        }
        return HostileRecipe(name: "Opus of \(channels) and \(others.count) more", parts: parts)
    }

    private static func flacPages(serial: UInt64) -> [HostilePart] {
        var head = HostilePart([0x7F] + Array("FLAC".utf8))
        head.number("mapping version", 0x0100, 2, .big)
        head.number("header packets", 1, 2, .big)
        head.text("fLaC")
        head.append(.flacBlock(0, .streamInformation(bits: 16, channels: 1)))
        var parts = [
            HostilePart.oggPage(serial: serial, flags: 2, granule: 0, number: 0, [head]),
            .oggPage(serial: serial, flags: 0, granule: 0, number: 1, [.flacBlock(4, .comments(), isLast: true)]),
        ]
        for index in 0..<4 {
            var frame = HostilePart.flacFrame(index, bits: 16, channels: 1, isConstant: true)
            let seal = frame.seal
            frame.change { seal?(&$0) }
            parts.append(
                .oggPage(
                    serial: serial, flags: index == 3 ? 4 : 0, granule: UInt64(192 * (index + 1)),
                    number: UInt64(index + 2),
                    [frame]))
        }
        return parts
    }

    private static func flac() -> HostileRecipe { HostileRecipe(name: "Ogg FLAC", parts: flacPages(serial: 5)) }

    /// FLAC behind a stream of pictures, page by page in turns.
    private static func film() -> HostileRecipe {
        var parts = [HostilePart.oggPage(serial: 9, flags: 2, granule: 0, number: 0, [HostilePart(theora)])]
        for (index, page) in flacPages(serial: 5).enumerated() {
            parts.append(page)
            parts.append(
                .oggPage(
                    serial: 9, flags: 0, granule: 0, number: UInt64(index + 1),
                    [HostilePart([UInt8](repeating: 1, count: 90))]))
        }
        return HostileRecipe(name: "Ogg FLAC in a film", parts: parts)
    }
}
