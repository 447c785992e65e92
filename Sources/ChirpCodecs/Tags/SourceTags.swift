internal import ChirpAudio
internal import ChirpMP3

/// Reads the tags of a file of any kind that has them: ID3v2 and ID3v1, FLAC and Ogg comments with pictures, the INFO list
/// and ID3 chunk of WAV, the text chunks and ID3 chunk of AIFF, the information chunk of CAF.
///
/// What cannot be read is left out: tags are never a reason to refuse audio.
func readTags(_ file: InputFile, limits: ReaderLimits) throws(AudioError) -> ID3Tag {
    var tag = ID3Tag()
    // An ID3v2 tag may stand before anything.
    let limit = limits.maximumTagBytes
    let start = try takeID3(file, at: 0, limit: limit, into: &tag)
    let magic = try file.bytes(at: start, count: 12)
    func begins(_ text: String) -> Bool { magic.starts(with: text.utf8) }
    if begins("fLaC") {
        try takeFlacBlocks(file, from: start + 4, limit: limit, into: &tag)
    } else if begins("OggS") {
        // Speex has the comments of Vorbis too, but not their place.
        if case .program(let kind) = try FileKind(file) {
            try takeFFmpegTags(file, kind: kind, limit: limit, into: &tag)
            return tag
        }
        try takeOggComments(file, limit: limit, into: &tag)
    } else if begins("RIFF") || begins("RF64") || begins("BW64") {
        try takeChunks(file, isLittleEndian: true, limit: limit, into: &tag)
    } else if begins("FORM") {
        try takeChunks(file, isLittleEndian: false, limit: limit, into: &tag)
    } else if begins("caff") {
        try takeCafInformation(file, limit: limit, into: &tag)
    } else if case .program(let kind) = try FileKind(file) {
        try takeFFmpegTags(file, kind: kind, limit: limit, into: &tag)
    } else if file.size >= 128 {
        // ID3v1, at the end of MPEG audio: fixed fields of ISO 8859-1.
        let old = try file.bytes(at: file.size - 128, count: 128)
        if old.starts(with: Array("TAG".utf8)), old.count == 128 {
            tag.title = tag.title ?? TagText.plain(old[3..<33])
            tag.artist = tag.artist ?? TagText.plain(old[33..<63])
            tag.album = tag.album ?? TagText.plain(old[63..<93])
            tag.comment = tag.comment ?? TagText.plain(old[97..<125])
        }
    }
    return tag
}

/// Reads an ID3v2 tag at an offset, if there is one.
///
/// - Returns: the offset behind it.
private func takeID3(_ file: InputFile, at offset: Int, limit: Int, into tag: inout ID3Tag) throws(AudioError) -> Int {
    guard let header = ID3Header(try file.bytes(at: offset, count: ID3Header.byteCount)) else { return offset }
    let body = try file.bytes(at: offset + ID3Header.byteCount, count: min(header.bodyBytes, limit))
    let found = ID3Reader(header: header, body: body).tag
    tag.title = tag.title ?? found.title
    tag.artist = tag.artist ?? found.artist
    tag.album = tag.album ?? found.album
    tag.comment = tag.comment ?? found.comment
    tag.cover = tag.cover ?? found.cover
    return min(offset + header.totalBytes, file.size)
}

/// Metadata blocks of FLAC: a byte of kind, the highest bit marks the last; three bytes of length (RFC 9639, section 8.1).
private func takeFlacBlocks(
    _ file: InputFile, from start: Int, limit: Int, into tag: inout ID3Tag
) throws(AudioError) {
    var offset = start
    for _ in 0..<1000 {
        let head = try file.bytes(at: offset, count: 4)
        guard head.count == 4 else { return }
        let length = Int(head.bigEndian(at: 1, bytes: 3))
        if length <= limit {
            switch head[0] & 0x7F {
            case 4: VorbisComments.read(try file.bytes(at: offset + 4, count: length)[...], into: &tag)
            case 6: VorbisComments.takePicture(try file.bytes(at: offset + 4, count: length)[...], into: &tag)
            default: break
            }
        }
        guard head[0] & 0x80 == 0 else { return }
        offset += 4 + length
    }
}

/// The second packet holds the comments, behind a mark of the codec.
private func takeOggComments(_ file: InputFile, limit: Int, into tag: inout ID3Tag) throws(AudioError) {
    let streams = try OggStreams(file)
    let serial = streams.hasOthers ? streams.sound?.serial : nil
    let packets = try OggPages.packets(file, count: 2, limit: limit, of: serial)
    guard packets.count == 2 else { return }
    let comments = packets[1]
    if comments.starts(with: Array("\u{3}vorbis".utf8)) {
        VorbisComments.read(comments[7...], into: &tag)
    } else if comments.starts(with: Array("OpusTags".utf8)) {
        VorbisComments.read(comments[8...], into: &tag)
    } else if packets[0].starts(with: Array("\u{7F}FLAC".utf8)), comments.count > 4, comments[0] & 0x7F == 4 {
        VorbisComments.read(comments[4...], into: &tag)
    }
}

/// Chunks of RIFF (little-endian) and IFF (big-endian); both have the same shape otherwise.
private func takeChunks(
    _ file: InputFile, isLittleEndian: Bool, limit: Int, into tag: inout ID3Tag
) throws(AudioError) {
    func size(_ head: [UInt8]) -> Int {
        Int(isLittleEndian ? head.littleEndian32(at: 4) : head.bigEndian(at: 4, bytes: 4))
    }
    var offset = 12
    for _ in 0..<10_000 {
        let head = try file.bytes(at: offset, count: 8)
        guard head.count == 8 else { return }
        let (length, body) = (size(head), offset + 8)
        let bounded = min(length, limit)
        switch String(decoding: head.prefix(4), as: UTF8.self) {
        case "LIST":
            let list = try file.bytes(at: body, count: bounded)
            if list.starts(with: Array("INFO".utf8)) { takeInfoList(list.dropFirst(4), into: &tag) }
        case "id3 ", "ID3 ": _ = try takeID3(file, at: body, limit: bounded, into: &tag)
        case "NAME", "AUTH", "ANNO":
            let text = TagText.plain(try file.bytes(at: body, count: bounded)[...])
            switch head[0] {
            case UInt8(ascii: "N"): tag.title = tag.title ?? text
            case UInt8(ascii: "A") where head[1] == UInt8(ascii: "U"): tag.artist = tag.artist ?? text
            default: tag.comment = tag.comment ?? text
            }
        default: break
        }
        offset = body + length + (length & 1)
    }
}

/// The INFO list of RIFF: text chunks with names of four letters.
private func takeInfoList(_ bytes: ArraySlice<UInt8>, into tag: inout ID3Tag) {
    var rest = bytes
    while rest.count > 8 {
        let head = Array(rest.prefix(8))
        let length = Int(head.littleEndian32(at: 4))
        let text = TagText.plain(rest.dropFirst(8).prefix(length))
        switch String(decoding: head.prefix(4), as: UTF8.self) {
        case "INAM": tag.title = tag.title ?? text
        case "IART": tag.artist = tag.artist ?? text
        case "IPRD": tag.album = tag.album ?? text
        case "ICMT": tag.comment = tag.comment ?? text
        default: break
        }
        rest = rest.dropFirst(8 + length + (length & 1))
    }
}

/// Strings of a CAF's information that are looked at: a chunk of zeros would be millions.
private let mostCafTexts = 2000

/// Chunks of CAF: a name and eight bytes of length; the chunk `info` holds a count and pairs of terminated strings
/// (Apple, "Core Audio Format Specification 1.0").
private func takeCafInformation(_ file: InputFile, limit: Int, into tag: inout ID3Tag) throws(AudioError) {
    var offset = 8
    for _ in 0..<10_000 {
        let head = try file.bytes(at: offset, count: 12)
        guard head.count == 12 else { return }
        let length = Int(head.bigEndian(at: 4, bytes: 4)) << 32 | Int(head.bigEndian(at: 8, bytes: 4))
        guard length >= 0, length <= file.size - offset else { return }
        if head.starts(with: Array("info".utf8)) {
            let texts = try file.bytes(at: offset + 12, count: min(length, limit)).dropFirst(4).split(
                separator: 0, maxSplits: mostCafTexts, omittingEmptySubsequences: false)
            for index in stride(from: 0, to: texts.count - 1, by: 2) {
                let value = TagText.plain(texts[index + 1])
                switch String(decoding: texts[index].prefix(64), as: UTF8.self) {
                case "title": tag.title = tag.title ?? value
                case "artist": tag.artist = tag.artist ?? value
                case "album": tag.album = tag.album ?? value
                case "comments", "comment": tag.comment = tag.comment ?? value
                default: break
                }
            }
        }
        offset += 12 + length
    }
}
