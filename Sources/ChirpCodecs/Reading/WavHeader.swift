internal import ChirpAudio
internal import ChirpCore

/// What the header of a WAV file says, and what of it can be believed.
///
/// RIFF/WAVE after "Multimedia Programming Interface and Data Specifications 1.0" (IBM, Microsoft, 1991); the extensible
/// format after Microsoft's WAVEFORMATEXTENSIBLE; RF64 and BW64 after EBU Tech 3306 and ITU-R BS.2088. Sizes are treated as
/// hints: streams announce 0, 0x7FFFxxxx, 0x80000000 or 0xFFFFFFFF, and files are cut off.
struct WavHeader {
    /// How samples are coded in the data chunk.
    enum Coding: Hashable {
        case samples(WavSampleFormat)
        /// MPEG audio frames in a WAV wrapper (format tags 0x50 and 0x55).
        case mpeg
        /// Left to libsndfile: ADPCM, GSM and the like.
        case other(tag: Int)
    }

    var container: String
    var coding: Coding
    var channels: Int
    var sampleRate: Int
    var layout: ChannelLayout?
    /// Bytes per frame.
    var frameBytes: Int
    /// Where the audio is in the file; never beyond its end.
    var data: Range<Int>
    /// How many bytes the header announces beyond the end of the file, up to ``UntrustedSize/limit``; 0 when it announces a
    /// stream.
    var missingBytes: Int
    /// What had to be guessed because the header contradicts itself.
    var repair: String?

    /// - Throws: `undecodable` with the reason, `inputOutput`, `cancelled`.
    init(_ file: InputFile) throws(AudioError) {
        func bad(_ reason: String) -> AudioError { .undecodable(name: file.name, reason: reason) }

        let start = try file.bytes(at: 0, count: 12)
        guard start.count == 12 else { throw bad("its header is cut off") }
        let isLarge = start.starts(with: Array("RF64".utf8)) || start.starts(with: Array("BW64".utf8))
        container = isLarge ? "RF64" : "WAV"

        var description: [UInt8]?
        var largeDataSize: Int?
        var dataStart: Int?
        var dataSize = 0
        var offset = 12
        // Every step reads one header; a file of nothing but empty chunks is bounded by the count.
        for _ in 0..<100_000 {
            let head = try file.bytes(at: offset, count: 8)
            guard head.count == 8 else { break }
            guard Self.isChunkName(head) else {
                // Some writers forget the padding byte after an odd chunk.
                if offset > 12, try Self.isChunkName(file.bytes(at: offset - 1, count: 4)) {
                    offset -= 1
                    continue
                }
                break
            }
            let size = Int(head.littleEndian32(at: 4))
            let body = offset + 8
            var length = size
            switch String(decoding: head.prefix(4), as: UTF8.self) {
            case "ds64" where isLarge:
                let sizes = try file.bytes(at: body, count: 16)
                if sizes.count == 16 { largeDataSize = UntrustedSize.clamping(sizes.littleEndian64(at: 8)) }
            case "fmt " where description == nil:
                description = try file.bytes(at: body, count: min(size, 64))
            case "data" where dataStart == nil:
                dataStart = body
                if isLarge, size == 0xFFFF_FFFF, let largeDataSize { length = largeDataSize }
                dataSize = length
            default: break
            }
            if dataStart != nil, description != nil { break }
            let padded = length + (length & 1)
            guard padded < file.size - body else { break }
            offset = body + padded
        }

        guard let description else { throw bad("it has no format chunk") }
        guard let dataStart else { throw bad("it has no data chunk; it may be cut off") }
        guard description.count >= 14 else { throw bad("its format chunk is cut off") }
        channels = Int(description.littleEndian16(at: 2))
        sampleRate = Int(description.littleEndian32(at: 4))
        frameBytes = Int(description.littleEndian16(at: 12))
        guard channels > 0 else { throw bad("its header says that it has no channels") }
        guard sampleRate > 0 else { throw bad("its header says that its sample rate is 0 Hz") }

        let bits = description.count >= 16 ? Int(description.littleEndian16(at: 14)) : 0
        var tag = Int(description.littleEndian16(at: 0))
        var mask: UInt32 = 0
        if tag == 0xFFFE {
            guard description.count >= 40 else { throw bad("its extensible format chunk is cut off") }
            mask = description.littleEndian32(at: 20)
            // The sub-format is a GUID that holds an old format tag; any other GUID is another coding.
            let guid: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
            tag = Array(description[26..<40]) == guid ? Int(description.littleEndian16(at: 24)) : 0xFFFE
        }
        layout =
            mask == 0
            ? ChannelLayout(usualFor: channels, assumed: true) : ChannelLayout(mask: mask, channels: channels)

        switch tag {
        case 0x50, 0x55: coding = .mpeg
        case 1, 3, 6, 7:
            let announced = frameBytes
            guard let format = WavSampleFormat(tag: tag, bits: bits, containerBytes: frameBytes / channels) else {
                throw bad("its header says \(bits) bits per sample, which its coding does not have")
            }
            coding = .samples(format)
            frameBytes = format.bytes * channels
            if announced != frameBytes {
                repair = "\(announced) bytes per frame were announced, \(frameBytes) are right"
            }
        default: coding = .other(tag: tag)
        }

        let remaining = max(0, file.size - dataStart)
        let isStream: Bool
        if dataSize == 0 {
            // Either there is no audio, and what follows are chunks; or the writer never came back to fill in the size.
            isStream = remaining == 0 ? false : try !Self.areChunks(file, from: dataStart)
        } else {
            isStream = dataSize > remaining && (0x7FFF_0000...0xFFFF_FFFF).contains(dataSize)
        }
        let held = isStream ? remaining : min(dataSize, remaining)
        data = dataStart..<dataStart + held
        missingBytes = isStream ? 0 : dataSize - held
    }

    /// The number of whole frames; a piece of a frame at the end is left out.
    var frames: Int { data.count / max(1, frameBytes) }

    private static func isChunkName(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 4 && bytes.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether the rest of the file is a chain of chunks that ends with it.
    private static func areChunks(_ file: InputFile, from start: Int) throws(AudioError) -> Bool {
        var offset = start
        for _ in 0..<1000 where offset < file.size {
            let head = try file.bytes(at: offset, count: 8)
            guard head.count == 8, isChunkName(head) else { return false }
            let size = Int(head.littleEndian32(at: 4))
            offset += 8 + size + (size & 1)
        }
        // The last padding byte is often missing.
        return offset == file.size || offset == file.size + 1
    }
}
