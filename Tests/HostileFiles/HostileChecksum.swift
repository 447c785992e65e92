/// The checksums of the formats, bit by bit: parts are short.
enum HostileChecksum {
    /// Polynomials from the highest bit on; initial value 0.
    ///
    /// - Parameter width: 8, 16 or 32.
    static func forward(_ bytes: some Sequence<UInt8>, polynomial: UInt32, width: UInt32) -> UInt32 {
        let top: UInt32 = 1 << (width - 1)
        let mask: UInt32 = width == 32 ? .max : (1 << width) - 1
        return bytes.reduce(0) { sum, byte in
            var sum = sum ^ UInt32(byte) << (width - 8)
            for _ in 0..<8 { sum = (sum & top != 0 ? sum << 1 ^ polynomial : sum << 1) & mask }
            return sum
        }
    }

    /// Reflected.
    static func backward(_ bytes: some Sequence<UInt8>, polynomial: UInt32, initial: UInt32) -> UInt32 {
        bytes.reduce(initial) { sum, byte in
            var sum = sum ^ UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ polynomial : sum >> 1 }
            return sum
        }
    }

    static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }

    static func put(
        _ value: UInt32, _ width: Int, _ coding: HostileField.Coding, at offset: Int, in bytes: inout [UInt8]
    ) {
        HostileField(name: "", offset: offset, width: width, coding: coding).write(UInt64(value), to: &bytes)
    }
}
