internal import CSndfile
internal import ChirpAudio
internal import ChirpCore
internal import Glibc

/// Decodes what libsndfile reads: AIFF, CAF, W64, AU, Ogg Vorbis and Opus, compressed WAV, and rarer formats.
struct SoundFileDecoder: SourceDecoder, ~Copyable {
    let stream: SourceStream
    let notes: [AudioNote]
    private let handle: SoundFileHandle
    private let file: InputFile
    private let source: FileRange?
    private let isUncompressed: Bool
    private var isAtEnd = false

    /// - Parameter pieces: where the sound is in the file; nil for all of it.
    init(_ file: InputFile, pieces: FilePieces? = nil) throws(AudioError) {
        var info = SF_INFO()
        let isOgg = try file.bytes(at: 0, count: 4) == Array("OggS".utf8)
        let isCutOgg = isOgg ? try OggPages.isTruncated(file) : false
        let source = pieces.map { FileRange(file, pieces: $0) }
        let handle =
            if let source { try SoundFileHandle(source, info: &info) } else { try SoundFileHandle(file, info: &info) }
        let channels = Int(info.channels)
        let subtype = Int(info.format) & SF_FORMAT_SUBMASK
        isUncompressed = Self.bytesPerSample(subtype) != nil
        let announced = UntrustedSize.clamping(info.frames)
        var certain: Int?
        if let bytes = Self.bytesPerSample(subtype), (1...8).contains(channels),
            announced * bytes * channels <= file.size
        {
            certain = announced
        }
        stream = SourceStream(
            sampleRate: Int(info.samplerate), channels: channels,
            layout: Self.layout(handle, container: Int(info.format) & SF_FORMAT_TYPEMASK, channels: channels),
            format: Self.name(format: Int(info.format)), certainFrames: certain,
            announcedFrames: announced, canBeInvalid: !Self.isInteger(subtype))
        notes = isCutOgg || Self.isTruncated(log: Self.log(handle)) ? [.truncated(missingSeconds: nil)] : []
        self.file = file
        self.source = source
        self.handle = handle
    }

    mutating func decode(into samples: inout [Float], at offset: Int, frames: Int) throws(AudioError) -> Int {
        guard !Task.isCancelled else { throw .cancelled }
        // Some of the library's decoders go on after an end.
        guard !isAtEnd else { return 0 }
        let (channels, raw) = (stream.channels, handle.raw)
        precondition(samples.count >= (offset + frames) * channels)
        let count = samples.withUnsafeMutableBufferPointer { all in
            all.baseAddress.map { sf_readf_float(raw, $0 + offset * channels, sf_count_t(frames)) } ?? 0
        }
        if let failure = source?.failure { throw failure }
        guard count >= 0, count <= frames else {
            throw .undecodable(
                name: file.name, reason: "what it holds cannot be decoded", detail: "libsndfile: code \(sf_error(raw))")
        }
        if count == 0 { isAtEnd = true }
        return Int(count)
    }

    mutating func seek(toFrame frame: Int) -> Int? {
        // Coded audio would come out slightly different after a jump, and seeking beyond the end fails.
        guard isUncompressed, let frames = stream.certainFrames else { return nil }
        let target = min(frame, frames)
        isAtEnd = false
        return sf_seek(handle.raw, sf_count_t(target), Int32(SEEK_SET)) == sf_count_t(target) ? target : nil
    }

    /// The layout by the library's channel map, or the usual one where the container or the library has none.
    private static func layout(
        _ handle: borrowing SoundFileHandle, container: Int, channels: Int
    ) -> ChannelLayout? {
        guard (3...8).contains(channels) else { return nil }
        // The library hands over Ogg channels in their own order, and no map.
        if container == SF_FORMAT_OGG { return ChannelLayout(vorbisFor: channels) }
        // Version 1.2.0 makes an AIFF's map before it knows the number of channels, and then reads beyond it.
        guard container != SF_FORMAT_AIFF else { return ChannelLayout(usualFor: channels, assumed: true) }
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        let isMapped = sf_command(handle.raw, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE
        guard isMapped, map.contains(where: { $0 != SF_CHANNEL_MAP_INVALID }) else {
            return ChannelLayout(usualFor: channels, assumed: true)
        }
        var speakers: [Speaker] = []
        for place in map {
            guard let speaker = Self.speakers[Int(place)] else { return nil }
            speakers.append(speaker)
        }
        return ChannelLayout(speakers)
    }

    private static let speakers: [Int: Speaker] = [
        SF_CHANNEL_MAP_LEFT: .frontLeft, SF_CHANNEL_MAP_RIGHT: .frontRight, SF_CHANNEL_MAP_CENTER: .frontCentre,
        SF_CHANNEL_MAP_FRONT_LEFT: .frontLeft, SF_CHANNEL_MAP_FRONT_RIGHT: .frontRight,
        SF_CHANNEL_MAP_FRONT_CENTER: .frontCentre, SF_CHANNEL_MAP_LFE: .lowFrequency,
        SF_CHANNEL_MAP_REAR_LEFT: .backLeft, SF_CHANNEL_MAP_REAR_RIGHT: .backRight,
        SF_CHANNEL_MAP_REAR_CENTER: .backCentre, SF_CHANNEL_MAP_SIDE_LEFT: .sideLeft,
        SF_CHANNEL_MAP_SIDE_RIGHT: .sideRight, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: .frontLeftOfCentre,
        SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: .frontRightOfCentre,
    ]

    private static func bytesPerSample(_ subtype: Int) -> Int? {
        switch subtype {
        case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_ULAW, SF_FORMAT_ALAW: 1
        case SF_FORMAT_PCM_16: 2
        case SF_FORMAT_PCM_24: 3
        case SF_FORMAT_PCM_32, SF_FORMAT_FLOAT: 4
        case SF_FORMAT_DOUBLE: 8
        default: nil
        }
    }

    private static func isInteger(_ subtype: Int) -> Bool {
        bytesPerSample(subtype) != nil && subtype != SF_FORMAT_FLOAT && subtype != SF_FORMAT_DOUBLE
    }

    /// The library corrects sizes that reach beyond the file and says so only in its log: `SSND : 176408 (should be 8840)`.
    static func isTruncated(log: String) -> Bool {
        for line in log.split(separator: "\n") {
            let parts = line.split(separator: "(should be", maxSplits: 1)
            guard parts.count == 2, let promised = lastNumber(in: parts[0]), let held = firstNumber(in: parts[1]),
                // Streams announce these on purpose.
                promised != 0xFFFF_FFFF, promised > held
            else { continue }
            return true
        }
        return false
    }

    private static func lastNumber(in text: Substring) -> Int? {
        text.split { !$0.isASCII || !$0.isNumber }.last.flatMap { Int($0) }
    }

    private static func firstNumber(in text: Substring) -> Int? {
        text.split { !$0.isASCII || !$0.isNumber }.first.flatMap { Int($0) }
    }

    private static func log(_ handle: borrowing SoundFileHandle) -> String {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = sf_command(handle.raw, Int32(SFC_GET_LOG_INFO), &buffer, Int32(buffer.count))
        return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Container and coding in words.
    private static func name(format: Int) -> String {
        let container = containers[format & SF_FORMAT_TYPEMASK] ?? "audio"
        guard let coding = codings[format & SF_FORMAT_SUBMASK] else { return container }
        return "\(container) \(coding)"
    }

    private static let containers: [Int: String] = [
        SF_FORMAT_WAV: "WAV", SF_FORMAT_WAVEX: "WAV", SF_FORMAT_RF64: "RF64", SF_FORMAT_AIFF: "AIFF",
        SF_FORMAT_AU: "AU", SF_FORMAT_CAF: "CAF", SF_FORMAT_W64: "W64", SF_FORMAT_OGG: "Ogg", SF_FORMAT_FLAC: "FLAC",
        SF_FORMAT_NIST: "NIST SPHERE", SF_FORMAT_VOC: "VOC", SF_FORMAT_IRCAM: "IRCAM", SF_FORMAT_SVX: "8SVX",
        SF_FORMAT_PAF: "PAF", SF_FORMAT_MAT4: "MAT4", SF_FORMAT_MAT5: "MAT5", SF_FORMAT_PVF: "PVF",
        SF_FORMAT_XI: "XI", SF_FORMAT_HTK: "HTK", SF_FORMAT_SDS: "SDS", SF_FORMAT_AVR: "AVR", SF_FORMAT_SD2: "SD2",
        SF_FORMAT_WVE: "WVE", SF_FORMAT_MPC2K: "MPC2K",
    ]

    private static let codings: [Int: String] = [
        SF_FORMAT_PCM_S8: "PCM 8", SF_FORMAT_PCM_U8: "PCM 8", SF_FORMAT_PCM_16: "PCM 16", SF_FORMAT_PCM_24: "PCM 24",
        SF_FORMAT_PCM_32: "PCM 32", SF_FORMAT_FLOAT: "float 32", SF_FORMAT_DOUBLE: "float 64",
        SF_FORMAT_ULAW: "mu-law", SF_FORMAT_ALAW: "A-law", SF_FORMAT_IMA_ADPCM: "IMA ADPCM",
        SF_FORMAT_MS_ADPCM: "MS ADPCM", SF_FORMAT_GSM610: "GSM 6.10", SF_FORMAT_VOX_ADPCM: "VOX ADPCM",
        SF_FORMAT_G721_32: "G.721", SF_FORMAT_G723_24: "G.723", SF_FORMAT_G723_40: "G.723",
        SF_FORMAT_NMS_ADPCM_16: "NMS ADPCM", SF_FORMAT_NMS_ADPCM_24: "NMS ADPCM", SF_FORMAT_NMS_ADPCM_32: "NMS ADPCM",
        SF_FORMAT_DWVW_12: "DWVW 12", SF_FORMAT_DWVW_16: "DWVW 16", SF_FORMAT_DWVW_24: "DWVW 24",
        SF_FORMAT_DPCM_8: "DPCM 8", SF_FORMAT_DPCM_16: "DPCM 16", SF_FORMAT_VORBIS: "Vorbis", SF_FORMAT_OPUS: "Opus",
        SF_FORMAT_ALAC_16: "ALAC 16", SF_FORMAT_ALAC_20: "ALAC 20", SF_FORMAT_ALAC_24: "ALAC 24",
        SF_FORMAT_ALAC_32: "ALAC 32",
    ]
}
