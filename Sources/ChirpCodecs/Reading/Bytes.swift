extension [UInt8] {
    /// Two bytes, the low one first. The caller has checked that they are there.
    func littleEndian16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    /// Four bytes, the lowest first.
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }

    /// Eight bytes, the lowest first.
    func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian32(at: offset)) | UInt64(littleEndian32(at: offset + 4)) << 32
    }

    /// Up to four bytes from an offset, the highest first.
    func bigEndian(at offset: Int, bytes: Int) -> UInt32 {
        self[offset..<offset + bytes].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
