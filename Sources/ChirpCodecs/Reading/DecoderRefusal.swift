/// What a library's refusal means for the file, in our words. The library's own are for the curious: ``AudioError`` keeps them as a
/// detail.
enum DecoderRefusal {
    /// Parts of libsndfile's messages, and what they mean; the first that fits counts.
    private static let meanings: [(parts: [String], meaning: Meaning)] = [
        (["not recognised"], .unknown),
        (
            [
                "unimplemented", "unsupported encoding", "unsupported compression", "unknown encoding",
                "unknown format",
                "wavpack", "minor format",
            ], .coding
        ),
        (["no sound data", "no 'data'", "no 'body'", "no data could be read"], .noSound),
        (["malloc"], .memory),
        (["malformed", "header", "chunk", "count", "marker", "bad ", "channel", "invalid", "version"], .header),
    ]

    private enum Meaning { case unknown, coding, noSound, memory, header, content }

    /// Why libsndfile refused a file.
    ///
    /// - Parameters:
    ///   - words: the library's.
    ///   - head: the first bytes of the file.
    static func soundFile(_ words: String, head: [UInt8]) -> String {
        let container = containers.first { head.starts(with: $0.mark.utf8) }?.name ?? "audio"
        let words = words.lowercased()
        let meaning = meanings.first { $0.parts.contains { words.contains($0) } }?.meaning ?? .content
        return switch meaning {
        case .unknown where container == "audio": "its format is not recognised"
        case .unknown: "it begins like \(container), but goes on otherwise"
        case .coding: coding(of: container)
        case .noSound: "this \(container) file holds no sound; it may be cut off"
        case .memory: "the header of this \(container) file asks for more memory than there is"
        case .header: "the header of this \(container) file is damaged or cut off"
        case .content: "this \(container) file is damaged or cut off"
        }
    }

    /// - Parameter container: such as `WAV`.
    static func coding(of container: String) -> String {
        "the sound in this \(container) file is coded in a way that is not read here; convert it first"
    }

    /// Format tags of WAV that libsndfile reads: of a file with another one it says that its header is wrong.
    static let wavTags: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0x14, 0x31, 0x38, 0x40, 0x64, 0xFFFE]

    private static let containers: [(mark: String, name: String)] = [
        ("FORM", "AIFF"), ("caff", "CAF"), ("OggS", "Ogg"), (".snd", "AU"), ("dns.", "AU"), ("riff", "W64"),
        ("RIFF", "WAV"), ("RIFX", "WAV"), ("RF64", "WAV"), ("BW64", "WAV"), ("NIST", "NIST SPHERE"),
        ("Creative Voice", "VOC"), ("2BIT", "AVR"), ("PVF1", "PVF"), ("Extended Instrument", "XI"),
    ]

    /// Why libmpg123 refused a file that looks like MPEG audio.
    static let mpeg = "it holds no MPEG audio frames that can be decoded; it may be cut off or damaged"
    /// Why libjpeg or libpng refused a picture.
    static let picture = "the picture is damaged, cut off or of a kind that is not read"
    /// Why libFLAC refused a file.
    static let flac = "its FLAC stream is damaged or of a kind that is not read"
}
