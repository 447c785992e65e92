/// What decoding an HEVC picture needs beside it: `hvcC` (ISO/IEC 14496-15, 8.3.3.1.2).
struct HEVCParameters: Sendable {
    /// The sets of parameters, each a NAL unit.
    let units: [Range<Int>]
    /// Of the length in front of each NAL unit of a picture: 1, 2 or 4 bytes.
    let lengthBytes: Int
    /// The size of what is decoded, which may be a little larger than what is shown.
    let width, height: Int

    init(_ content: ByteStretch) throws(PictureFault) {
        var content = content
        _ = try content.part(21)
        lengthBytes = try content.number(1) & 3 + 1
        guard lengthBytes != 3 else { throw .damaged("its lengths make no sense") }
        var (units, size) = ([Range<Int>](), (width: 0, height: 0))
        for _ in 0..<(try content.number(1)) {
            let kind = try content.number(1) & 0x3F
            for _ in 0..<(try content.number(2)) {
                let unit = try content.part(try content.number(2))
                // The sets for video, for a sequence and for a picture; anything else is for something else.
                guard (32...34).contains(kind), units.count < 16 else { continue }
                units.append(unit.range)
                guard kind == 33 else { continue }
                let own = try Self.size(of: unit)
                size = (max(size.width, own.width), max(size.height, own.height))
            }
        }
        guard size.width > 0 else { throw .damaged("nothing says how it is coded") }
        self.units = units
        (width, height) = size
    }

    /// By the set of a sequence (ITU-T H.265, 7.3.2.2), as far as its size.
    private static func size(of unit: ByteStretch) throws(PictureFault) -> (width: Int, height: Int) {
        var bits = Bits(unit)
        _ = try bits.number(16 + 4)
        let layers = try bits.number(3)
        _ = try bits.number(1)
        // profile_tier_level(): 88 bits of profile and eight of level, and for each further layer what its flags say.
        _ = try bits.number(48)
        _ = try bits.number(48)
        var flags: [(profile: Int, level: Int)] = []
        for _ in 0..<layers { flags.append((try bits.number(1), try bits.number(1))) }
        if layers > 0 { for _ in layers..<8 { _ = try bits.number(2) } }
        for flag in flags {
            if flag.profile == 1 {
                _ = try bits.number(44)
                _ = try bits.number(44)
            }
            if flag.level == 1 { _ = try bits.number(8) }
        }
        _ = try bits.golomb()
        if try bits.golomb() == 3 { _ = try bits.number(1) }
        return (try bits.golomb(), try bits.golomb())
    }

    /// The bits of a NAL unit, less the bytes that keep its content from looking like a start code (7.3.1.1).
    private struct Bits {
        private let bytes: [UInt8]
        private var place = 0

        init(_ unit: ByteStretch) {
            var (bytes, zeros) = ([UInt8](), 0)
            // What is asked for stands far in front.
            for byte in unit.bytes[unit.range].prefix(512) {
                if zeros >= 2, byte == 3 {
                    zeros = 0
                    continue
                }
                zeros = byte == 0 ? zeros + 1 : 0
                bytes.append(byte)
            }
            self.bytes = bytes
        }

        mutating func number(_ count: Int) throws(PictureFault) -> Int {
            guard place + count <= 8 * bytes.count else { throw .damaged("what says how it is coded is cut short") }
            var value = 0
            for _ in 0..<count {
                value = value << 1 | Int(bytes[place / 8] >> (7 - place % 8)) & 1
                place += 1
            }
            return value
        }

        /// ue(v), 9.2.
        mutating func golomb() throws(PictureFault) -> Int {
            var zeros = 0
            while try number(1) == 0 {
                zeros += 1
                guard zeros <= 31 else { throw .damaged("what says how it is coded makes no sense") }
            }
            return (1 << zeros) - 1 + (try number(zeros))
        }
    }
}
