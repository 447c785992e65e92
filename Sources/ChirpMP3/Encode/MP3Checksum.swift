/// The CRC-16 of the info tag: polynomial 0x8005 reflected, initial value 0 (Mp3 Info Tag revision 1, "music CRC").
///
/// Eight bytes at a time over eight tables: 0.5 ns a byte instead of 2.
struct MP3Checksum: Hashable, Sendable {
    private(set) var value: UInt16 = 0

    private static let tables: [UInt16] = {
        var tables = [UInt16](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    mutating func add(_ bytes: borrowing Span<UInt8>) {
        let tables = Self.tables.span
        func entry(_ table: Int, _ byte: UInt8) -> UInt16 { tables[table * 256 + Int(byte)] }
        var crc = value
        var index = 0
        while index + 8 <= bytes.count {
            crc ^= UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
            let early = entry(7, UInt8(crc & 0xFF)) ^ entry(6, UInt8(crc >> 8)) ^ entry(5, bytes[index + 2])
            let late = entry(4, bytes[index + 3]) ^ entry(3, bytes[index + 4]) ^ entry(2, bytes[index + 5])
            crc = early ^ late ^ entry(1, bytes[index + 6]) ^ entry(0, bytes[index + 7])
            index += 8
        }
        while index < bytes.count {
            crc = crc >> 8 ^ entry(0, UInt8(crc & 0xFF) ^ bytes[index])
            index += 1
        }
        value = crc
    }
}
