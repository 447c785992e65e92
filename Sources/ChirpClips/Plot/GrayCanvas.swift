/// A picture of four shades, written as PNG without any library: 2 bits a pixel, stored without compression.
struct GrayCanvas {
    /// 0 is black, 3 is white.
    typealias Shade = UInt8

    let width: Int
    let height: Int
    private var pixels: [Shade]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: 3, count: width * height)
    }

    /// Pixels outside are left out.
    mutating func set(_ x: Int, _ y: Int, _ shade: Shade = 0) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        pixels[y * width + x] = shade
    }

    mutating func fill(_ xs: Range<Int>, _ ys: Range<Int>, _ shade: Shade = 0) {
        for y in ys { for x in xs { set(x, y, shade) } }
    }

    /// Writes figures and the few letters of ``SmallFont`` at twice their size.
    ///
    /// - Parameter x: the left edge, or the right one when `endsThere`.
    mutating func write(_ text: String, x: Int, y: Int, endsThere: Bool = false) {
        var left = endsThere ? x - text.count * 12 : x
        for character in text {
            for (row, bits) in SmallFont.rows(of: character).enumerated() {
                for column in 0..<5 where bits & (16 >> UInt8(column)) != 0 {
                    fill((left + 2 * column)..<(left + 2 * column + 2), (y + 2 * row)..<(y + 2 * row + 2))
                }
            }
            left += 12
        }
    }

    /// The file (PNG, ISO 15948: grey scale of 2 bits; deflate, RFC 1951, in stored blocks).
    func png() -> [UInt8] {
        var raw: [UInt8] = []
        for y in 0..<height {
            raw.append(0)  // no filter
            for x in stride(from: 0, to: width, by: 4) {
                var byte: UInt8 = 0
                for offset in 0..<4 {
                    let shade = x + offset < width ? pixels[y * width + x + offset] : 3
                    byte = byte << 2 | shade
                }
                raw.append(byte)
            }
        }
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < raw.count {
            let end = min(start + 65535, raw.count)
            let count = UInt16(end - start)
            stream.append(end == raw.count ? 1 : 0)
            for value in [count, ~count] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += raw[start..<end]
            start = end
        }
        stream += Self.big(Self.adler(raw))
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += Self.chunk("IHDR", Self.big(UInt32(width)) + Self.big(UInt32(height)) + [2, 0, 0, 0, 0])
        file += Self.chunk("IDAT", stream)
        file += Self.chunk("IEND", [])
        return file
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        return big(UInt32(body.count)) + content + big(checksum(content))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// CRC-32 (ISO 15948, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    /// Adler-32 (RFC 1950).
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }
}
