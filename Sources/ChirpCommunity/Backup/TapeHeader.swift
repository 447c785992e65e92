internal import ChirpCore

/// What a tar archive says of one member, in a block of 512 bytes: `ustar`, as POSIX has it (IEEE Std 1003.1-2017, pax, "ustar
/// Interchange Format"), with base 256 for sizes from 8 GiB on, as GNU tar and others write them.
///
/// Only regular files are known here, with names of at most 100 bytes of printable ASCII. Everything else is no header.
package struct TapeHeader: Hashable, Sendable {
    package static let blockBytes = 512
    /// The most that eleven octal digits hold.
    private static let mostOctal: Int64 = 0o77_777_777_777

    package let name: String
    /// The content's size, 0...``UntrustedSize/limit``.
    package let bytes: Int64
    /// When it was written, in seconds since 1970.
    package let time: Int64

    /// What fills the last block of a member's content.
    package static func padding(after bytes: Int64) -> Int { Int((512 - bytes % 512) % 512) }

    /// The block; readable and writable by its owner alone when it is unpacked.
    package var block: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ bytes: some Collection<UInt8>, at offset: Int) {
            block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        put(Array(name.utf8.prefix(100)), at: 0)
        put(Self.octal(0o600, digits: 7), at: 100)
        put(Self.octal(0, digits: 7), at: 108)
        put(Self.octal(0, digits: 7), at: 116)
        put(bytes <= Self.mostOctal ? Self.octal(bytes, digits: 11) : Self.base256(bytes), at: 124)
        put(Self.octal(min(max(time, 0), Self.mostOctal), digits: 11), at: 136)
        put(Array("        0".utf8), at: 148)  // the checksum counts as spaces; then the type of a regular file
        put(Array("ustar\u{0}00".utf8), at: 257)
        put(Self.octal(block.reduce(0) { $0 + Int64($1) }, digits: 6) + [0], at: 148)
        return block
    }

    package init(name: String, bytes: Int64, time: Int64) {
        self.name = name
        self.bytes = bytes
        self.time = time
    }

    /// Nil for what is no header of a regular file as ``block`` makes them. Anything may be in it.
    package init?(_ block: [UInt8]) {
        guard block.count == Self.blockBytes, block[257..<265].elementsEqual("ustar\u{0}00".utf8),
            block[156] == UInt8(ascii: "0"), block[157..<257].allSatisfy({ $0 == 0 }),
            block[345...].allSatisfy({ $0 == 0 })
        else { return nil }
        var sum: Int64 = 8 * 0x20
        for (offset, byte) in block.enumerated() where !(148..<156).contains(offset) { sum += Int64(byte) }
        let name = block[..<100].prefix { $0 != 0 }
        guard Self.number(block[148..<156]) == sum, let bytes = Self.number(block[124..<136]),
            let time = Self.number(block[136..<148]), !name.isEmpty,
            name.allSatisfy({ (0x21...0x7E).contains($0) }), block[name.count..<100].allSatisfy({ $0 == 0 })
        else { return nil }
        self.init(name: String(decoding: name, as: UTF8.self), bytes: bytes, time: time)
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8) + [0]
    }

    private static func base256(_ number: Int64) -> [UInt8] {
        [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// Octal digits up to a NUL or space, or base 256; nil for anything else, and beyond ``UntrustedSize/limit``.
    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        if field.first == 0x80 {
            for byte in field.dropFirst() {
                guard number <= Int64(limit) >> 8 else { return nil }
                number = number << 8 | Int64(byte)
            }
        } else {
            let digits = field.prefix { $0 != 0 && $0 != 0x20 }
            guard !digits.isEmpty, field[digits.endIndex...].allSatisfy({ $0 == 0 || $0 == 0x20 }) else { return nil }
            for byte in digits {
                guard (0x30...0x37).contains(byte) else { return nil }
                number = number << 3 | Int64(byte - 0x30)
            }
        }
        return number <= Int64(limit) ? number : nil
    }

    private static let limit = UntrustedSize.limit
}
