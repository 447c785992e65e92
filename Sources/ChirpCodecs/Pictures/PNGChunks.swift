/// The chunks of a PNG file (W3C, Portable Network Graphics, third edition, section 5).
enum PNGChunks {
    /// What its Exif says of turning it (section 11.3.2.5): 1 where it says nothing that makes sense.
    static func orientation(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 8 else { return 1 }
        var file = ByteStretch(bytes, 8..<bytes.count)
        while !file.isEmpty {
            guard let length = try? file.number(4), let mark = try? file.mark(), let content = try? file.part(length),
                (try? file.number(4)) != nil
            else { return 1 }
            if mark == "eXIf" { return JPEGSegments.orientation(tiff: Array(bytes[content.range])) }
            if mark == "IEND" { return 1 }
        }
        return 1
    }
}
