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
