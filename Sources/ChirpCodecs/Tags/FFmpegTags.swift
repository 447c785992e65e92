internal import ChirpAudio
internal import ChirpMP3

/// Takes title, artist, album, comment and cover of what only `ffmpeg` reads. What cannot be read is left out.
func takeFFmpegTags(_ file: InputFile, kind: String, limit: Int, into tag: inout ID3Tag) throws(AudioError) {
    let texts = try FFmpegProgram(reading: file, kind: kind, ["-f", "ffmetadata", "pipe:1"])
        .read(count: min(limit, 1 << 16), name: file.name)
    for (key, value) in metadata(texts) {
        let text = TagText.plain(value[...])
        switch key {
        case "title": tag.title = tag.title ?? text
        case "artist": tag.artist = tag.artist ?? text
        case "album": tag.album = tag.album ?? text
        case "comment": tag.comment = tag.comment ?? text
        default: break
        }
    }
    let picture = try FFmpegProgram(
        reading: file, kind: kind, ["-map", "0:v:0", "-c", "copy", "-frames:v", "1", "-f", "image2pipe", "pipe:1"]
    ).read(count: limit, name: file.name)
    // A first picture of moving ones is no cover.
    if picture.starts(with: [0xFF, 0xD8, 0xFF]) || picture.starts(with: [0x89, 0x50, 0x4E, 0x47]), picture.count < limit
    {
        tag.cover = tag.cover ?? picture
    }
}

/// Lines of `key=value`, in which a backslash makes the next character, a line's end too, an ordinary one (ffmpeg-formats,
/// "Metadata"). Sections begin with a bracket; what streams say of themselves stands in those and counts too.
private func metadata(_ text: [UInt8]) -> [(key: String, value: [UInt8])] {
    var found: [(String, [UInt8])] = []
    var key: [UInt8] = []
    var value: [UInt8]?
    var isEscaped = false
    for byte in text + [UInt8(ascii: "\n")] {
        switch byte {
        case _ where isEscaped:
            if value == nil { key.append(byte) } else { value?.append(byte) }
            isEscaped = false
        case UInt8(ascii: "\\"): isEscaped = true
        case UInt8(ascii: "="): if value == nil { value = [] } else { value?.append(byte) }
        case UInt8(ascii: "\n"):
            if let value { found.append((String(decoding: key, as: UTF8.self).lowercased(), value)) }
            (key, value) = ([], nil)
        default: if value == nil { key.append(byte) } else { value?.append(byte) }
        }
    }
    return found
}
