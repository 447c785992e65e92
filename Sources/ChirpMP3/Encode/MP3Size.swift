public import ChirpAudio
public import ChirpCore

/// The size of an MP3 before it is made.
///
/// A constant rate pads frames by the rule of ISO 11172-3 2.4.3.1, so the sum is exact: with `N` frames of
/// `L = floor(k * kbps / rate)` bytes and remainder `r`, the stream has `N * L + ceil((N - 1) * r / rate)` bytes, and
/// the info frame and the ID3 tag come before it.
public struct MP3Size: Hashable, Sendable {
    /// The whole file, ID3 tag and info frame included.
    public let bytes: ByteCount
    /// True for a constant rate: the file will have exactly this size. Otherwise it is never larger.
    public let isExact: Bool

    /// - Parameters:
    ///   - frames: PCM frames, 0 or more.
    ///   - format: of the MP3.
    ///   - id3Bytes: ``ID3Tag/encodedBytes``.
    /// - Throws: what ``MP3Settings/validate(for:)`` says.
    public init(frames: Int, format: AudioFormat, settings: MP3Settings, id3Bytes: Int = 0) throws(AudioError) {
        precondition(frames >= 0 && id3Bytes >= 0)
        try settings.validate(for: format)
        let rate = format.sampleRate
        let count = Self.mp3Frames(frames: frames, format: format)
        let before = id3Bytes + MP3InfoTag.frameBytes(format: format, settings: settings)
        switch settings.rate {
        case .constant(let kbps):
            let dividend = (rate >= 32000 ? 144_000 : 72000) * kbps
            let padded = ((count - 1) * (dividend % rate) + rate - 1) / rate
            bytes = ByteCount(before + count * (dividend / rate) + padded)
            isExact = true
        case .average, .variable:
            let highest = MP3Settings.constantRates(at: rate).last ?? 0
            bytes = ByteCount(before + count * MP3FrameHeader.byteCount(kbps: highest, sampleRate: rate))
            isExact = false
        }
    }

    /// MP3 frames, without the info frame, that so many PCM frames become.
    public static func mp3Frames(frames: Int, format: AudioFormat) -> Int {
        format.sampleRate >= 32000 ? 1 + (frames + 1151) / 1152 : 2 + (frames + 575) / 576
    }
}
