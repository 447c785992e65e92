internal import ChirpMP3

/// Takes what Chirp keeps out of Vorbis comments (xiph.org, "Ogg Vorbis I format specification: comment field and header
/// specification"; also RFC 7845 and RFC 9639) and FLAC pictures (RFC 9639, section 8.8). Any input is safe.
enum VorbisComments {
    /// - Parameter bytes: from the vendor's length on.
    static func read(_ bytes: ArraySlice<UInt8>, into tag: inout ID3Tag) {
        var rest = bytes
        guard let vendor = number(&rest), vendor <= rest.count else { return }
        rest = rest.dropFirst(vendor)
        guard let count = number(&rest) else { return }
        // Each comment takes four bytes at least, so the bytes bound the loop whatever the count says.
        for _ in 0..<count {
            guard let length = number(&rest), length <= rest.count else { return }
            take(rest.prefix(length), into: &tag)
            rest = rest.dropFirst(length)
        }
    }

    private static func take(_ comment: ArraySlice<UInt8>, into tag: inout ID3Tag) {
        guard let equals = comment.prefix(64).firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = comment[(equals + 1)...]
        func text() -> String? { TagText.clean(String(decoding: value.prefix(TagText.longest * 16), as: UTF8.self)) }
        switch String(decoding: comment[..<equals], as: UTF8.self).uppercased() {
        case "TITLE": tag.title = tag.title ?? text()
        case "ARTIST": tag.artist = tag.artist ?? text()
        case "ALBUM": tag.album = tag.album ?? text()
        case "COMMENT", "DESCRIPTION": tag.comment = tag.comment ?? text()
        case "METADATA_BLOCK_PICTURE": takePicture(base64(value)[...], into: &tag)
        default: break
        }
    }

    /// Kind, MIME type, description, four numbers, the picture; numbers with the highest byte first.
    static func takePicture(_ bytes: ArraySlice<UInt8>, into tag: inout ID3Tag) {
        var rest = bytes
        func field() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let kind = field(), kind == 3 || tag.cover == nil else { return }
        for _ in 0..<2 {
            guard let length = field(), length <= rest.count else { return }
            rest = rest.dropFirst(length)
        }
        rest = rest.dropFirst(16)
        guard let length = field(), length <= rest.count, TagText.isPicture(rest.prefix(length)) else { return }
        tag.cover = Array(rest.prefix(length))
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// RFC 4648, section 4; what is not in the alphabet is passed over.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for character in text {
            let value: UInt8
            switch character {
            case 0x41...0x5A: value = character - 0x41
            case 0x61...0x7A: value = character - 0x61 + 26
            case 0x30...0x39: value = character - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            default: continue
            }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return result
    }
}
