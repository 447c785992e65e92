/// The ten bytes in front of an ID3v2 tag (id3.org, "ID3 tag version 2.4.0 - Main Structure", section 3.1).
struct ID3Header: Hashable {
    /// 2, 3 and 4 are defined; a tag's place is known by any.
    let version: Int
    let flags: UInt8
    /// Bytes of the tag without this header and the footer.
    let bodyBytes: Int

    static let byteCount = 10

    /// Nil when the bytes do not begin with a tag.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, bytes.starts(with: Array("ID3".utf8)), bytes[3] < 0xFF, bytes[4] < 0xFF,
            bytes[6..<10].allSatisfy({ $0 < 0x80 })
        else { return nil }
        version = Int(bytes[3])
        flags = bytes[5]
        bodyBytes = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }

    /// Bytes of the whole tag.
    var totalBytes: Int { Self.byteCount + bodyBytes + (version == 4 && flags & 0x10 != 0 ? Self.byteCount : 0) }
}
