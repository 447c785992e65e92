internal import ChirpMP3

/// Takes what Chirp keeps out of an ID3v2 tag: versions 2.2, 2.3 and 2.4 (id3.org; "ID3 tag version 2.4.0 - Main Structure"
/// and "- Native Frames", and their predecessors). Any input is safe: lengths are checked against what is there.
struct ID3Reader {
    private(set) var tag = ID3Tag()
    private let version: Int
    private var coverIsFront = false
    private var commentIsPlain = false

    /// - Parameters:
    ///   - header: of the tag.
    ///   - body: the bytes behind it, as many as were read.
    init(header: ID3Header, body: [UInt8]) {
        version = header.version
        // Up to 2.3 the whole tag is unsynchronised, in 2.4 each frame says it.
        let bytes = header.flags & 0x80 != 0 && version < 4 ? Self.synchronised(body[...]) : body
        var offset = 0
        if header.flags & 0x40 != 0, version > 2, bytes.count >= 4 {
            // The size of an extended header includes itself in 2.4 only.
            offset = version == 4 ? Self.syncsafe(bytes, at: 0) : Int(bytes.bigEndian(at: 0, bytes: 4)) + 4
        }
        let headBytes = version == 2 ? 6 : 10
        while offset <= bytes.count - headBytes, bytes[offset] != 0 {
            let name = String(decoding: bytes[offset..<offset + (version == 2 ? 3 : 4)], as: UTF8.self)
            let size = frameSize(bytes, at: offset)
            let flags = version == 2 ? 0 : bytes[offset + 9]
            let start = offset + headBytes
            guard size > 0, size <= bytes.count - start else { break }
            if let content = content(bytes[start..<start + size], flags: flags) { take(name, content) }
            offset = start + size
        }
    }

    private func frameSize(_ bytes: [UInt8], at offset: Int) -> Int {
        switch version {
        case 2: return Int(bytes.bigEndian(at: offset + 3, bytes: 3))
        case 3: return Int(bytes.bigEndian(at: offset + 4, bytes: 4))
        default:
            let safe = Self.syncsafe(bytes, at: offset + 4)
            let plain = Int(bytes.bigEndian(at: offset + 4, bytes: 4))
            guard safe != plain else { return safe }
            // Some writers put plain sizes into 2.4; the right reading is the one that another frame follows.
            func isPlausible(_ size: Int) -> Bool {
                let next = offset + 10 + size
                guard next <= bytes.count - 4 else { return next <= bytes.count }
                return bytes[next] == 0 || bytes[next..<next + 4].allSatisfy { 0x30...0x5A ~= $0 }
            }
            return !isPlausible(safe) && isPlausible(plain) ? plain : safe
        }
    }

    /// A frame's bytes as its kind defines them; nil when they are compressed or encrypted.
    private func content(_ bytes: ArraySlice<UInt8>, flags: UInt8) -> ArraySlice<UInt8>? {
        var content = bytes
        if version == 3 {
            guard flags & 0xC0 == 0 else { return nil }
            if flags & 0x20 != 0 { content = content.dropFirst(1) }
        } else if version == 4 {
            guard flags & 0x0C == 0 else { return nil }
            if flags & 0x40 != 0 { content = content.dropFirst(1) }
            if flags & 0x01 != 0 { content = content.dropFirst(4) }
            if flags & 0x02 != 0 { content = Self.synchronised(content)[...] }
        }
        return content
    }

    private mutating func take(_ name: String, _ content: ArraySlice<UInt8>) {
        switch name {
        case "TIT2", "TT2": tag.title = tag.title ?? Self.text(content)
        case "TPE1", "TP1": tag.artist = tag.artist ?? Self.text(content)
        case "TALB", "TAL": tag.album = tag.album ?? Self.text(content)
        case "COMM", "COM": takeComment(content)
        case "TXXX", "TXX": takeNamedText(content)
        case "APIC", "PIC": takePicture(content, isOld: name == "PIC")
        default: break
        }
    }

    /// Encoding, three letters of language, a description, the text. Programs hide settings in described comments
    /// (iTunNORM), so one without a description is preferred.
    private mutating func takeComment(_ content: ArraySlice<UInt8>) {
        guard let encoding = content.first, content.count > 4, !commentIsPlain else { return }
        let (description, text) = Self.split(content.dropFirst(4), encoding: encoding)
        let plain = TagText.decode(description, encoding: encoding) == nil
        guard plain || tag.comment == nil,
            let value = TagText.decode(Self.split(text, encoding: encoding).value, encoding: encoding)
        else { return }
        tag.comment = value
        commentIsPlain = plain
    }

    /// Encoding, a name, the text: where ffmpeg puts comments.
    private mutating func takeNamedText(_ content: ArraySlice<UInt8>) {
        guard let encoding = content.first, tag.comment == nil else { return }
        let (name, text) = Self.split(content.dropFirst(), encoding: encoding)
        guard TagText.decode(name, encoding: encoding)?.lowercased() == "comment" else { return }
        tag.comment = TagText.decode(Self.split(text, encoding: encoding).value, encoding: encoding)
    }

    /// Encoding, MIME type (2.2: three letters), kind of picture, a description, the picture. The front cover is preferred.
    private mutating func takePicture(_ content: ArraySlice<UInt8>, isOld: Bool) {
        guard let encoding = content.first, !coverIsFront else { return }
        var rest = content.dropFirst()
        rest = isOld ? rest.dropFirst(3) : Self.split(rest, encoding: 0).rest
        guard let kind = rest.first else { return }
        let picture = Self.split(rest.dropFirst(), encoding: encoding).rest
        guard kind == 3 || tag.cover == nil, TagText.isPicture(picture) else { return }
        tag.cover = Array(picture)
        coverIsFront = kind == 3
    }

    /// A text frame's first value.
    private static func text(_ content: ArraySlice<UInt8>) -> String? {
        guard let encoding = content.first else { return nil }
        return TagText.decode(split(content.dropFirst(), encoding: encoding).value, encoding: encoding)
    }

    /// What stands before the first terminator, and what behind it; a missing terminator means all and nothing.
    private static func split(
        _ bytes: ArraySlice<UInt8>, encoding: UInt8
    ) -> (value: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
        let width = encoding == 1 || encoding == 2 ? 2 : 1
        var index = bytes.startIndex
        while index <= bytes.endIndex - width {
            if bytes[index] == 0 && bytes[index + width - 1] == 0 {
                return (bytes[..<index], bytes[(index + width)...])
            }
            index += width
        }
        return (bytes, [])
    }

    /// Without the zero that unsynchronisation puts behind every 0xFF.
    private static func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var afterMark = false
        for byte in bytes {
            if !(afterMark && byte == 0) { result.append(byte) }
            afterMark = byte == 0xFF
        }
        return result
    }

    private static func syncsafe(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
}
