internal import ChirpAudio

/// The content of the info frame, the first frame of an MP3: lengths, a table for seeking, and how many decoded
/// frames to drop at the start and the end ("gapless"). Xing's header with LAME's extension, as described in
/// "Mp3 Info Tag rev 1 specifications" (gabriel.mp3-tech.org/mp3infotag.html).
public struct MP3InfoTag: Hashable, Sendable {
    /// `Info`, a constant rate; otherwise `Xing`.
    public var isConstantRate: Bool
    /// Audio frames, without the info frame; nil when the tag does not say.
    public var frames: Int?
    /// Bytes of the info frame and all audio frames; nil when the tag does not say.
    public var bytes: Int?
    /// Where, in 256ths of the bytes, each percent of the duration begins: 100 values, or none.
    public var seekTable: [UInt8]
    /// Such as `LAME3.100`; empty without LAME's extension.
    public var encoder: String
    /// PCM frames that the encoder put before the signal; a decoder adds 529 of its own. Nil without the extension.
    public var encoderDelay: Int?
    /// PCM frames behind the signal. Nil without the extension.
    public var padding: Int?
    /// CRC-16 of all bytes after the info frame; nil without the extension.
    public var musicChecksum: UInt16?
    /// Whether the tag's own checksum is right; nil without the extension.
    public var isIntact: Bool?

    /// Bytes of Xing's part (magic, flags, frames, bytes, table, quality) and of LAME's.
    static let xingBytes = 120
    static let lameBytes = 36

    /// Reads the info frame; nil when the frame is none. Any input is safe.
    ///
    /// - Parameter frame: a whole frame, from its header on.
    public init?(frame: borrowing Span<UInt8>) {
        guard let header = MP3FrameHeader(frame) else { return nil }
        var reader = ByteCursor(offset: 4 + header.sideInformationBytes)
        guard let magic = reader.next(4, of: frame), magic == 0x496E_666F || magic == 0x5869_6E67,
            let flags = reader.next(4, of: frame)
        else { return nil }
        isConstantRate = magic == 0x496E_666F
        frames = flags & 1 != 0 ? reader.next(4, of: frame) : nil
        bytes = flags & 2 != 0 ? reader.next(4, of: frame) : nil
        seekTable = []
        if flags & 4 != 0 {
            for _ in 0..<100 { seekTable.append(UInt8(clamping: reader.next(1, of: frame) ?? 255)) }
        }
        if flags & 8 != 0 { _ = reader.next(4, of: frame) }
        encoder = ""
        let lame = reader.offset
        guard frame.count >= lame + Self.lameBytes, frame[lame] != 0 else { return }
        for index in lame..<lame + 9 where (32..<127).contains(frame[index]) {
            encoder.unicodeScalars.append(Unicode.Scalar(frame[index]))
        }
        reader.offset = lame + 21
        if let delays = reader.next(3, of: frame) {
            encoderDelay = delays >> 12
            padding = delays & 0xFFF
        }
        reader.offset = lame + 32
        musicChecksum = reader.next(2, of: frame).map { UInt16($0) }
        var checksum = MP3Checksum()
        checksum.add(frame.extracting(0..<lame + 34))
        isIntact = reader.next(2, of: frame) == Int(checksum.value)
    }

    /// The header of the info frame: the stream's own rate when its frame has room, else the next that has.
    /// Variable streams begin at LAME's choice of 128 kbps (MPEG-1), 64 (MPEG-2) or 32 (MPEG-2.5).
    static func header(format: AudioFormat, settings: MP3Settings) -> MP3FrameHeader? {
        let isMPEG1 = format.sampleRate >= 32000
        let isMPEG25 = format.sampleRate < 16000
        let wanted =
            switch settings.rate {
            case .constant(let kbps): kbps
            case .average, .variable: isMPEG1 ? 128 : isMPEG25 ? 32 : 64
            }
        guard let index = MP3Settings.sampleRates.firstIndex(of: format.sampleRate) else { return nil }
        let rateBits = [2, 0, 1][index % 3]  // ascending: 32, 44.1, 48 kHz are coded 2, 0, 1
        let versionBits = isMPEG1 ? 3 : isMPEG25 ? 0 : 2
        // Layer III, no checksum, original; joint stereo or single channel.
        let bits = 0xFFE2_0000 | versionBits << 19 | 1 << 16 | rateBits << 10 | (format.channels == 1 ? 0xC4 : 0x44)
        let kbps = MP3Settings.constantRates(at: format.sampleRate).first { kbps in
            guard kbps >= wanted, let header = MP3FrameHeader(UInt32(bits | 1 << 12))?.with(kbps: kbps) else {
                return false
            }
            return header.byteCount >= header.mainDataOffset + xingBytes + lameBytes
        }
        return kbps.flatMap { MP3FrameHeader(UInt32(bits | 1 << 12))?.with(kbps: $0) }
    }

    /// Bytes of the info frame of a stream; known before encoding.
    static func frameBytes(format: AudioFormat, settings: MP3Settings) -> Int {
        header(format: format, settings: settings)?.byteCount ?? 0
    }
}

/// Big-endian numbers one after the other; nil past the end.
private struct ByteCursor {
    var offset: Int

    mutating func next(_ count: Int, of bytes: borrowing Span<UInt8>) -> Int? {
        guard offset + count <= bytes.count else { return nil }
        var value = 0
        for index in offset..<offset + count { value = value << 8 | Int(bytes[index]) }
        offset += count
        return value
    }
}
