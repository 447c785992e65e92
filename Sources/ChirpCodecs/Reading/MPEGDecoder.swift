internal import CMpg123
internal import ChirpAudio
internal import ChirpCore
internal import ChirpMP3

/// Decodes MPEG audio, layers I to III, with libmpg123: gapless, and through damage and junk where libsndfile stops.
struct MPEGDecoder: SourceDecoder, ~Copyable {
    let stream: SourceStream
    private let handle: Mpg123Handle
    private var source: FileRange
    /// Of the first frame; nil when the input does not begin with one.
    private let kind: UInt32?
    private var restarts = 0
    /// Frames by the stream's info tag; nil without one.
    private let promised: Int?
    private var position = 0
    private var isAtEnd = false
    private var damaged = 0
    private var hasChanged = false

    /// - Parameters:
    ///   - range: where the frames are.
    ///   - container: what surrounds them, such as `WAV`; empty for nothing.
    init(_ file: InputFile, range: Range<Int>, container: String = "") throws(AudioError) {
        let range = try mpegRange(file, within: range)
        let promised = try promisedFrames(file, at: range.lowerBound)
        let kind = MPEGSync.kind(of: try file.bytes(at: range.lowerBound, count: 4))
        let handle = try Mpg123Handle()
        let raw = handle.raw
        var source = FileRange(file, range: range)
        func check(_ code: Int32) throws(AudioError) {
            guard code != MPG123_OK.rawValue else { return }
            if let failure = source.failure { throw failure }
            let words = code == MPG123_ERR.rawValue ? mpg123_strerror(raw) : mpg123_plain_strerror(code)
            throw .undecodable(
                name: file.name, reason: DecoderRefusal.mpeg,
                detail: words.map { "libmpg123: \(String(cString: $0))" } ?? "")
        }
        // First any format, to learn the stream's own.
        try check(
            handle.allowFormats(rates: mpegSampleRates, channels: Int32(MPG123_MONO.rawValue | MPG123_STEREO.rawValue)))
        try check(handle.open(source))
        var (rate, channels, encoding) = (0, Int32(0), Int32(0))
        try check(mpg123_getformat(handle.raw, &rate, &channels, &encoding))
        guard rate > 0, channels == 1 || channels == 2 else {
            throw .undecodable(name: file.name, reason: DecoderRefusal.mpeg)
        }
        var info = mpg123_frameinfo2()
        try check(mpg123_info2(handle.raw, &info))
        // Then only that: a change between mono and stereo is converted by the library, another rate is an error.
        source = FileRange(file, range: range)
        let fixed = Int32(channels == 1 ? MPG123_MONO.rawValue : MPG123_STEREO.rawValue)
        try check(handle.allowFormats(rates: [rate], channels: fixed))
        try check(handle.open(source))
        try check(mpg123_getformat(handle.raw, &rate, &channels, &encoding))

        let length = mpg123_length(handle.raw)
        let name = ["", "MP1", "MP2", "MP3"][(1...3).contains(Int(info.layer)) ? Int(info.layer) : 3]
        stream = SourceStream(
            sampleRate: rate, channels: Int(channels), layout: nil,
            format: container.isEmpty ? name : "\(container) \(name)", certainFrames: nil,
            announcedFrames: length >= 0 ? UntrustedSize.clamping(length) : nil)
        self.promised = promised
        self.kind = kind
        self.source = source
        self.handle = handle
    }

    var notes: [AudioNote] {
        var notes: [AudioNote] = []
        // A tag that is off by a frame or two is a matter of opinion, not a loss.
        if isAtEnd, !hasChanged, let promised, promised - position > 2 * 1152 {
            notes.append(.truncated(missingSeconds: Double(promised - position) / Double(stream.sampleRate)))
        }
        if hasChanged { notes.append(.formatChanged(atSeconds: Double(position) / Double(stream.sampleRate))) }
        if damaged > 0 { notes.append(.damaged(places: damaged)) }
        return notes
    }

    mutating func decode(into samples: inout [Float], at offset: Int, frames: Int) throws(AudioError) -> Int {
        let frameBytes = stream.channels * MemoryLayout<Float>.size
        precondition(samples.count >= (offset + frames) * stream.channels)
        let raw = handle.raw
        // Each turn consumes input, announces a format or ends; the bound is for a library that would do none of it.
        for _ in 0..<1000 where !isAtEnd {
            var done = 0
            let code = samples.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { mpg123_read(raw, $0 + offset * frameBytes, frames * frameBytes, &done) } ?? -1
            }
            if let failure = source.failure { throw failure }
            switch code {
            case MPG123_OK.rawValue, MPG123_NEW_FORMAT.rawValue: break
            case MPG123_DONE.rawValue: isAtEnd = true
            default:
                let isOther = mpg123_errcode(raw) == MPG123_BAD_OUTFORMAT.rawValue
                if try resume() {
                    damaged += 1
                } else {
                    isAtEnd = true
                    if isOther { hasChanged = true } else { damaged += 1 }
                }
            }
            let count = done / frameBytes
            position += count
            if count > 0 { return count }
        }
        isAtEnd = true
        return 0
    }

    /// Goes on behind what the library cannot get over, such as damage that looks like a frame of another sample rate.
    ///
    /// - Returns: false when no more frames like the first ones come.
    private mutating func resume() throws(AudioError) -> Bool {
        guard let kind, restarts < 10_000 else { return false }
        restarts += 1
        let (file, end) = (source.file, source.range.upperBound)
        var offset = source.range.lowerBound + source.position
        let window = 65_536
        while offset < end {
            let bytes = try file.bytes(at: offset, count: min(window, end - offset))
            if let found = MPEGSync.nextFrame(in: bytes, of: kind) {
                source = FileRange(file, range: offset + found..<end)
                return handle.open(source) == MPG123_OK.rawValue
            }
            guard bytes.count == window else { return false }
            // A frame that begins near the end of one window is found in the next.
            offset += window - 4096
        }
        return false
    }

    mutating func seek(toFrame frame: Int) -> Int? { nil }
}

/// The sample rates of MPEG-1, 2 and 2.5.
private let mpegSampleRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]

/// The range without tags at its end, which a decoder would search for frames: ID3v1 (128 bytes) and APEv2.
private func mpegRange(_ file: InputFile, within range: Range<Int>) throws(AudioError) -> Range<Int> {
    var end = range.upperBound
    if range.count > 128, try file.bytes(at: end - 128, count: 3) == Array("TAG".utf8) { end -= 128 }
    if end - range.lowerBound > 32 {
        let footer = try file.bytes(at: end - 32, count: 32)
        if footer.count == 32, footer.starts(with: Array("APETAGEX".utf8)) {
            // The size counts items and footer; a bit says whether a header of 32 bytes comes before.
            let size = Int(footer.littleEndian32(at: 12)) + (footer[23] & 0x80 != 0 ? 32 : 0)
            if size >= 32, size <= end - range.lowerBound { end -= size }
        }
    }
    return range.lowerBound..<end
}

/// The length by the first frame, when that is an info frame (Xing, LAME) or Fraunhofer's equivalent (`VBRI`, 36 bytes into
/// the frame; gabriel.mp3-tech.org/mp3infotag.html and "MPEG Audio Frame Header", section 2.3.2, codeproject.com/8295).
private func promisedFrames(_ file: InputFile, at offset: Int) throws(AudioError) -> Int? {
    let frame = try file.bytes(at: offset, count: MP3FrameHeader.longestFrame)
    guard let header = MP3FrameHeader(frame.span) else { return nil }
    if let tag = MP3InfoTag(frame: frame.span) {
        guard let frames = tag.frames else { return nil }
        return max(0, frames * header.frames - (tag.encoderDelay ?? 0) - (tag.padding ?? 0))
    }
    guard frame.count >= 54, frame[36..<40].elementsEqual("VBRI".utf8) else { return nil }
    return Int(frame.bigEndian(at: 50, bytes: 4)) * header.frames
}
