internal import ChirpAudio

/// The header of a page of an Ogg file (RFC 3533, section 6).
struct OggPage {
    let serial: UInt32
    /// Whether a logical stream begins with it.
    let isFirst: Bool
    /// The lacing values: bytes of each segment of the body.
    let segments: [UInt8]
    let bodyBytes: Int

    /// Bytes of header and body, 27...65307.
    var byteCount: Int { 27 + segments.count + bodyBytes }

    /// Nil where no whole header is.
    init?(_ file: InputFile, at offset: Int) throws(AudioError) {
        let head = try file.bytes(at: offset, count: 27 + 255)
        guard head.count >= 27, head.starts(with: Array("OggS".utf8)), head[4] == 0 else { return nil }
        let count = Int(head[26])
        guard head.count >= 27 + count else { return nil }
        isFirst = head[5] & 2 != 0
        serial = head.littleEndian32(at: 14)
        segments = Array(head[27..<27 + count])
        bodyBytes = segments.reduce(0) { $0 + Int($1) }
    }
}
