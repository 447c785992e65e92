/// The width and height of a JPEG in pixels, from its frame header (ITU-T T.81, B.2.2). Nil for anything else, for what has more than
/// 25 megapixels, and for colours other than grey and the usual three, which readers of PDF show differently.
struct JPEGSize: Hashable, Sendable {
    let columns: Int
    let rows: Int

    private static let mostPixels = 25_000_000

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 4, bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        while place + 9 < bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
                continue
            }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            guard length >= 2 else { return nil }
            switch marker {
            // Frames that PDF can hold: baseline, extended and progressive, by Huffman codes.
            case 0xC0, 0xC1, 0xC2:
                let (rows, columns) = (
                    Int(bytes[place + 5]) << 8 | Int(bytes[place + 6]),
                    Int(bytes[place + 7]) << 8 | Int(bytes[place + 8])
                )
                let parts = bytes[place + 9]
                guard bytes[place + 4] == 8, rows > 0, columns > 0, rows * columns <= Self.mostPixels,
                    parts == 1 || parts == 3
                else { return nil }
                (self.columns, self.rows) = (columns, rows)
                return
            // The picture begins before its frame was named, or is of a kind that is not meant.
            case 0xDA, 0xD9, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return nil
            default: place += 2 + length
            }
        }
        return nil
    }
}
