extension HostileRecipe {
    /// A recipe out of a good file: Ogg by its pages and JPEG by its segments; of others the beginning is taken for numbers of all
    /// widths.
    init(seed: [UInt8], name: String) {
        self.name = name
        if seed.starts(with: "OggS".utf8) {
            parts = Self.oggPages(seed)
        } else if seed.starts(with: [0xFF, 0xD8, 0xFF]) {
            head = HostilePart([0xFF, 0xD8])
            parts = Self.segments(seed)
        } else {
            tail = HostilePart(seed)
            for offset in 0..<min(200, seed.count) {
                for width in [1, 2, 4] where offset % width == 0 && offset + width <= seed.count {
                    tail.mark("byte \(offset)", at: offset, width, .little)
                    if width > 1 { tail.mark("byte \(offset), big", at: offset, width, .big) }
                }
            }
        }
    }

    private static func oggPages(_ bytes: [UInt8]) -> [HostilePart] {
        var pages: [HostilePart] = []
        var offset = 0
        while offset + 27 <= bytes.count, offset + 27 + Int(bytes[offset + 26]) <= bytes.count {
            let segments = bytes[offset + 27..<offset + 27 + Int(bytes[offset + 26])]
            let end = min(bytes.count, offset + 27 + segments.count + segments.reduce(0) { $0 + Int($1) })
            pages.append(.oggPage(Array(bytes[offset..<end]), isHeader: pages.count < 2))
            offset = end
        }
        return pages
    }

    /// Segments with their lengths; what follows a scan's header belongs to it.
    private static func segments(_ bytes: [UInt8]) -> [HostilePart] {
        var segments: [HostilePart] = []
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            var end = min(bytes.count, offset + 2 + length)
            if bytes[offset + 1] == 0xDA {
                while end + 1 < bytes.count, bytes[end] != 0xFF || bytes[end + 1] == 0 { end += 1 }
            }
            var part = HostilePart(Array(bytes[offset..<end]))
            part.mark("segment length", at: 2, 2)
            part.mark("marker", at: 1, 1)
            for place in 4..<min(part.bytes.count, 24) {
                part.mark("segment \(place)", at: place, [1, 2, 1, 2][place % 4])
            }
            segments.append(part)
            offset = end
        }
        segments.append(HostilePart(Array(bytes[offset...])))
        return segments
    }
}
