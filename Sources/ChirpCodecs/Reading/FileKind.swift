internal import ChirpAudio

/// What a file is by its first bytes; its name does not count.
enum FileKind: Hashable {
    /// RIFF/WAVE, RF64 or BW64, little-endian.
    case wav
    /// Native FLAC, perhaps behind an ID3 tag.
    case flac
    case oggFlac
    /// A stream of sound among others in an Ogg file.
    case oggFilm(OggStreams.Sound)
    /// MPEG audio, from an offset on.
    case mpeg(from: Int)
    /// One of the containers that libsndfile knows.
    case soundFile
    /// What the program `ffmpeg` reads, in words with an article, such as "an M4A file".
    case program(String)
    /// Something that is certainly no readable audio, in words.
    case foreign(String)
    /// Nothing is known; libsndfile may try.
    case unknown

    /// How far is searched for the first frame of MPEG audio that begins with junk.
    static let searched = 65_536

    init(_ file: InputFile) throws(AudioError) {
        var start = 0
        var head = try file.bytes(at: 0, count: 64)
        // One or more ID3v2 tags may come before anything (ID3v2.4, section 3.1).
        for _ in 0..<8 {
            guard let size = ID3Header(head)?.totalBytes else { break }
            guard size < file.size - start else {
                self = .foreign("behind its ID3 tag there is nothing")
                return
            }
            start += size
            head = try file.bytes(at: start, count: 64)
        }
        func begins(_ text: String, at offset: Int = 0) -> Bool {
            head.count >= offset + text.utf8.count && head.dropFirst(offset).starts(with: text.utf8)
        }

        if begins("fLaC") {
            self = .flac
        } else if start == 0, begins("RIFF") || begins("RF64") || begins("BW64"), begins("WAVE", at: 8) {
            self = .wav
        } else if start == 0, begins("OggS") {
            let streams = try OggStreams(file)
            if streams.hasOthers {
                self =
                    streams.sound.map { .oggFilm($0) } ?? .foreign("none of its Ogg streams is sound that is read here")
            } else if begins("Speex   ", at: 28) {
                self = .program("an Ogg file with Speex")
            } else {
                // The first packet follows a page header of 28 bytes (RFC 3533).
                self = head.count > 33 && head[28] == 0x7F && begins("FLAC", at: 29) ? .oggFlac : .soundFile
            }
        } else if start == 0, Self.isSoundFile(head, begins) {
            self = .soundFile
        } else if start == 0, let words = Self.program(head, begins) {
            self = .program(words)
        } else if let words = Self.foreign(head, begins) {
            self = .foreign(words)
        } else {
            let window = try file.bytes(at: start, count: Self.searched)
            if let offset = MPEGSync.firstFrame(in: window, isWholeRest: start + window.count == file.size) {
                self = .mpeg(from: start + offset)
            } else if MPEGSync.isHeader(window) {
                // One header and damage: libmpg123 finds what there is. libsndfile would try it too, and go on after its end.
                self = .mpeg(from: start)
            } else if start > 0 {
                self = .foreign("behind its ID3 tag there is no MPEG audio")
            } else if Self.isText(window.prefix(512)) {
                self = .foreign("it is text, not audio")
            } else if window.count > 1, window[0] == 0xFF, window[1] >= 0xE0 {
                self = .foreign("it is not in any audio format that is known here")
            } else {
                self = .unknown
            }
        }
    }

    private static func isSoundFile(_ head: [UInt8], _ begins: (String, Int) -> Bool) -> Bool {
        let names = [
            "FORM", "caff", ".snd", "dns.", "RIFX", "riff", "NIST_1A", "Creative Voice File", "2BIT", "PVF1",
            "Extended Instrument:",
        ]
        return names.contains { begins($0, 0) }
    }

    /// What telephones, meetings and old archives leave, by its first bytes.
    private static func program(_ head: [UInt8], _ begins: (String, Int) -> Bool) -> String? {
        if begins("ftyp", 4) {
            // The major brand (ISO/IEC 14496-12, section 4.3).
            switch String(decoding: head.dropFirst(8).prefix(3), as: UTF8.self) {
            case "M4A", "M4B": return "an M4A file"
            case "3gp", "3g2": return "a 3GP file"
            case "qt ": return "a QuickTime file"
            default: return "an MP4 file"
            }
        }
        if ["moov", "mdat", "wide", "skip"].contains(where: { begins($0, 4) }) { return "a QuickTime file" }
        if begins("#!AMR", 0) { return "an AMR file" }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "a WebM or Matroska file" }
        if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return "a WMA file" }
        if begins("MAC ", 0) { return "an APE file" }
        if begins("wvpk", 0) { return "a WavPack file" }
        if begins("MPCK", 0) || begins("MP+", 0) { return "a Musepack file" }
        if begins("TTA1", 0) { return "a TTA file" }
        // ADTS: twelve bits of synchronisation and the layer 0, which MPEG audio does not have (ISO/IEC 13818-7, section 6.2).
        if head.count > 6, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 { return "an AAC file" }
        return nil
    }

    /// Names what people mistake for audio, so that the message can say it.
    private static func foreign(_ head: [UInt8], _ begins: (String, Int) -> Bool) -> String? {
        if begins("PK\u{3}\u{4}", 0) { return "it is a ZIP archive; unpack it first" }
        // libsndfile prints to standard output when it reads these.
        if head.starts(with: [0xF0, 0x7E]) { return "it is a MIDI sample dump, which is not read" }
        if begins("%PDF", 0) { return "it is a PDF document" }
        if head.starts(with: [0x1F, 0x8B]) { return "it is compressed with gzip; unpack it first" }
        if begins("\u{7F}ELF", 0) { return "it is a program" }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) || begins("PNG", 1) || begins("GIF8", 0) { return "it is a picture" }
        if begins("RIFF", 0) { return "it is a RIFF file, but no WAV" }
        return nil
    }

    /// Whether it reads as UTF-8 or ASCII text: no controls but white space.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else { return false }
        // The last character may be cut off.
        return (0..<4).contains { String(validating: bytes.dropLast($0), as: UTF8.self)?.isEmpty == false }
    }
}

/// Opens the decoder that a file's content asks for.
func openDecoder(_ file: InputFile) throws(AudioError) -> any SourceDecoder & ~Copyable {
    guard file.size > 0 else { throw .undecodable(name: file.name, reason: "it is empty (0 bytes)") }
    switch try FileKind(file) {
    case .wav:
        let header = try WavHeader(file)
        switch header.coding {
        case .samples(let samples): return WavDecoder(file, header: header, samples: samples)
        case .mpeg: return try MPEGDecoder(file, range: header.data, container: header.container)
        case .other(let tag):
            do throws(AudioError) {
                return try SoundFileDecoder(file)
            } catch .undecodable(let name, _, let detail) where !DecoderRefusal.wavTags.contains(tag) {
                throw .undecodable(name: name, reason: DecoderRefusal.coding(of: "WAV"), detail: detail)
            }
        }
    case .flac: return try FlacDecoder(file, isOgg: false)
    case .oggFlac: return try FlacDecoder(file, isOgg: true)
    case .oggFilm(let sound):
        let pieces = try OggStreams.pieces(of: sound.serial, in: file)
        return sound.isFlac
            ? try FlacDecoder(file, isOgg: true, pieces: pieces) : try SoundFileDecoder(file, pieces: pieces)
    case .mpeg(let offset): return try MPEGDecoder(file, range: offset..<file.size)
    case .soundFile: return try SoundFileDecoder(file)
    case .program(let kind): return try FFmpegDecoder(file, kind: kind)
    case .foreign(let words): throw .undecodable(name: file.name, reason: words)
    case .unknown:
        do throws(AudioError) {
            return try SoundFileDecoder(file)
        } catch .undecodable(_, _, let detail) {
            throw .undecodable(
                name: file.name, reason: "it is not in any audio format that is known here", detail: detail)
        }
    }
}

/// What recordings are read, for people.
public enum ReadableFormats {
    /// By this program and its libraries.
    public static let own = ["WAV", "RF64", "W64", "AIFF", "CAF", "AU", "FLAC", "Ogg Vorbis", "Opus", "MP3"]
    /// Where the program `ffmpeg` is installed.
    public static let throughProgram = [
        "M4A", "MP4", "3GP", "AMR", "AAC", "WebM", "WMA", "APE", "WavPack", "Speex", "Musepack",
    ]

    /// Whether `ffmpeg` is there.
    public static var hasProgram: Bool { FFmpegProgram.path != nil }
}
