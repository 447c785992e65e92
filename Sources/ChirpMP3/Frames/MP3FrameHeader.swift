/// The four bytes that begin every frame of an MP3 (ISO 11172-3 and 13818-3, 2.4.1.3 and 2.4.2.3; MPEG-2.5 as LAME
/// and every decoder understand it). Layer III with a bit rate from the table only.
public struct MP3FrameHeader: Hashable, Sendable {
    public enum Version: Hashable, Sendable { case mpeg1, mpeg2, mpeg25 }

    public static let kbpsOfMPEG1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    public static let kbpsOfMPEG2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    /// No frame is longer than this: 320 kbps at 32 kHz, padded; 160 kbps at 8 kHz, padded, is as long.
    public static let longestFrame = 1441

    /// The bytes as one big-endian number.
    public let word: UInt32
    public let version: Version
    public let kbps: Int
    /// Hertz.
    public let sampleRate: Int

    /// Reads a header; nil when these four bytes are none. Any value is safe.
    public init?(_ word: UInt32) {
        let versionBits = word >> 19 & 3
        let layerBits = word >> 17 & 3
        let kbpsIndex = Int(word >> 12 & 15)
        let rateIndex = Int(word >> 10 & 3)
        guard word >> 21 == 0x7FF, versionBits != 1, layerBits == 1, (1...14).contains(kbpsIndex), rateIndex != 3,
            word & 3 != 2  // a reserved emphasis: in practice never a header
        else { return nil }
        self.word = word
        version = versionBits == 3 ? .mpeg1 : versionBits == 2 ? .mpeg2 : .mpeg25
        kbps = (version == .mpeg1 ? Self.kbpsOfMPEG1 : Self.kbpsOfMPEG2)[kbpsIndex - 1]
        sampleRate = [44100, 48000, 32000][rateIndex] >> (version == .mpeg1 ? 0 : version == .mpeg2 ? 1 : 2)
    }

    /// Reads a header at an offset of a span; nil when fewer than four bytes are left there or they are none.
    public init?(_ bytes: borrowing Span<UInt8>, at offset: Int = 0) {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        var word: UInt32 = 0
        for k in 0..<4 { word = word << 8 | UInt32(bytes[offset + k]) }
        self.init(word)
    }

    /// 1 for single channel, else 2.
    public var channels: Int { word >> 6 & 3 == 3 ? 1 : 2 }
    /// Two checksum bytes follow the header.
    public var isProtected: Bool { word >> 16 & 1 == 0 }
    /// One more byte than the rate alone gives.
    public var isPadded: Bool { word >> 9 & 1 == 1 }
    /// PCM frames that the frame decodes to: 1152 or 576.
    public var frames: Int { version == .mpeg1 ? 1152 : 576 }
    /// Granules in the frame: 2 or 1.
    public var granules: Int { version == .mpeg1 ? 2 : 1 }
    /// Bytes of the whole frame, header included: 24...1441.
    public var byteCount: Int { Self.byteCount(kbps: kbps, sampleRate: sampleRate) + (isPadded ? 1 : 0) }
    /// Bytes of the side information behind header and checksum.
    public var sideInformationBytes: Int {
        version == .mpeg1 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
    }
    /// Where the main data begins in the frame.
    public var mainDataOffset: Int { 4 + (isProtected ? 2 : 0) + sideInformationBytes }

    /// Bytes of an unpadded frame.
    ///
    /// - Parameter sampleRate: hertz; 32 kHz and more is MPEG-1.
    public static func byteCount(kbps: Int, sampleRate: Int) -> Int {
        (sampleRate >= 32000 ? 144_000 : 72000) * kbps / sampleRate
    }

    /// Whether two frames can belong to one stream: same version, sample rate and channel count.
    public func agrees(with other: MP3FrameHeader) -> Bool {
        version == other.version && sampleRate == other.sampleRate && channels == other.channels
    }

    /// The same header with another rate of the table, unpadded; nil when the version has no such rate.
    func with(kbps: Int) -> MP3FrameHeader? {
        let table = version == .mpeg1 ? Self.kbpsOfMPEG1 : Self.kbpsOfMPEG2
        guard let index = table.firstIndex(of: kbps) else { return nil }
        return MP3FrameHeader(word & ~0xF200 | UInt32(index + 1) << 12)
    }
}
