public import ChirpAudio

/// Makes encoded sound louder or softer without encoding it again: `global_gain` of every granule and channel is the
/// exponent of one factor over all of its lines, in steps of a fourth root of two (ISO 11172-3 2.4.3.4.7.1).
///
/// Decoded samples are exactly scaled, apart from the decoder's rounding.
public struct GlobalGainPatch: Hashable, Sendable {
    /// What one step is: 1.505 dB.
    public static let step = Decibels(amplitude: 2.0.squareRoot().squareRoot())

    /// Up or, if negative, down.
    public let steps: Int

    public init(steps: Int) { self.steps = steps }

    /// The one that comes nearest to a gain.
    public init(nearest gain: Decibels) { steps = Int((gain.value / Self.step.value).rounded()) }

    public var gain: Decibels { Decibels(Self.step.value * Double(steps)) }

    /// Patches one frame and its checksum, if it has one. Granules that hold nothing stay as they are.
    ///
    /// - Parameter frame: whole, from its header on.
    /// - Returns: false, with the frame unchanged, when it is none or a gain would leave the 8 bits it has.
    public func apply(to frame: inout MutableSpan<UInt8>) -> Bool {
        guard let header = MP3FrameHeader(frame.span), frame.count >= header.mainDataOffset else { return false }
        let fields = Self.fields(of: header)
        for field in fields {
            let gain = Self.bits(8, at: field + 21, of: frame.span)
            guard Self.bits(12, at: field, of: frame.span) == 0 || (0...255).contains(gain + steps) else {
                return false
            }
        }
        for field in fields where Self.bits(12, at: field, of: frame.span) > 0 {
            let gain = Self.bits(8, at: field + 21, of: frame.span) + steps
            Self.put(UInt8(truncatingIfNeeded: gain), at: field + 21, of: &frame)
        }
        if header.isProtected { MP3FrameChecksum.renew(&frame, header) }
        return true
    }

    /// Where the description of each granule and channel begins, in bits: `part2_3_length` (12 bits), `big_values` (9),
    /// `global_gain` (8) and more (ISO 11172-3 2.4.1.7, 13818-3 2.4.1.7).
    private static func fields(of header: MP3FrameHeader) -> [Int] {
        let isMPEG1 = header.version == .mpeg1
        let shared = isMPEG1 ? (header.channels == 1 ? 18 : 20) : (header.channels == 1 ? 9 : 10)
        let first = 8 * (header.mainDataOffset - header.sideInformationBytes) + shared
        return (0..<header.granules * header.channels).map { first + $0 * (isMPEG1 ? 59 : 63) }
    }

    /// Up to 12 bits.
    private static func bits(_ count: Int, at offset: Int, of frame: borrowing Span<UInt8>) -> Int {
        var word = 0
        for index in 0..<3 {
            word = word << 8 | (offset / 8 + index < frame.count ? Int(frame[offset / 8 + index]) : 0)
        }
        return word >> (24 - count - offset % 8) & (1 << count - 1)
    }

    private static func put(_ value: UInt8, at offset: Int, of frame: inout MutableSpan<UInt8>) {
        let (index, shift) = (offset / 8, offset % 8)
        let kept = 0xFF00 >> shift & 0xFF
        frame[index] = frame[index] & UInt8(kept) | value >> shift
        guard shift > 0 else { return }
        frame[index + 1] = frame[index + 1] & 0xFF >> shift | value << (8 - shift)
    }
}

/// The checksum of a protected frame, behind its header: CRC-16 with polynomial 0x8005 from 0xFFFF, over the second half
/// of the header and the side information (ISO 11172-3 2.4.3.1 and annex B).
enum MP3FrameChecksum {
    /// Puts the right checksum into a frame.
    static func renew(_ frame: inout MutableSpan<UInt8>, _ header: MP3FrameHeader) {
        var crc: UInt16 = 0xFFFF
        for index in 2..<header.mainDataOffset where index != 4 && index != 5 {
            crc ^= UInt16(frame[index]) << 8
            for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x8005 : crc << 1 }
        }
        frame[4] = UInt8(crc >> 8)
        frame[5] = UInt8(crc & 0xFF)
    }
}
