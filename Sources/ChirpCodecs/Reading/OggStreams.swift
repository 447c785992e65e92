internal import ChirpAudio

/// The logical streams that begin an Ogg file. Several at once are a film: pictures (Theora), subtitles (Kate) or an index
/// (Skeleton) beside the sound, page by page in turns (RFC 3533, section 4). libsndfile and libFLAC read one stream only.
struct OggStreams {
    /// A stream that can be heard.
    struct Sound: Hashable {
        let serial: UInt32
        let isFlac: Bool
    }

    /// The first stream that can be heard.
    let sound: Sound?
    /// Whether there are others.
    let hasOthers: Bool

    /// More streams, or more of a stream's pieces between others, are no film but an attack on memory.
    private static let mostStreams = 64
    private static let mostPieces = 1_000_000

    /// Looks at the pages that begin streams; all of them come first.
    init(_ file: InputFile) throws(AudioError) {
        var sound: Sound?
        var count = 0
        var offset = 0
        while count < Self.mostStreams, let page = try OggPage(file, at: offset), page.isFirst {
            let body = try file.bytes(at: offset + 27 + page.segments.count, count: 8)
            func begins(_ text: String) -> Bool { body.starts(with: text.utf8) }
            let isFlac = begins("\u{7F}FLAC")
            if sound == nil, isFlac || begins("\u{1}vorbis") || begins("OpusHead") {
                sound = Sound(serial: page.serial, isFlac: isFlac)
            }
            count += 1
            offset += page.byteCount
        }
        self.sound = sound
        hasOthers = count > 1
    }

    /// The pages of one stream, up to where all streams begin anew.
    ///
    /// Reads every page's header once: 0.3 s for a film of a gigabyte.
    static func pieces(of serial: UInt32, in file: InputFile) throws(AudioError) -> FilePieces {
        var pieces = FilePieces()
        var offset = 0
        var isBehindStart = false
        while offset < file.size {
            guard let page = try OggPage(file, at: offset) else {
                // Damage: on to the next page.
                guard let next = try nextPage(file, from: offset + 1) else { break }
                offset = next
                continue
            }
            if page.isFirst, isBehindStart { break }
            if !page.isFirst { isBehindStart = true }
            if page.serial == serial { pieces.append(offset: offset, count: min(page.byteCount, file.size - offset)) }
            guard pieces.number <= mostPieces else {
                throw .unsupported(name: file.name, reason: "its sound is scattered over more than a million places")
            }
            offset += page.byteCount
        }
        return pieces
    }

    private static func nextPage(_ file: InputFile, from start: Int) throws(AudioError) -> Int? {
        // With the version, so that what is found is a page unless the file ends: no search begins twice at one place.
        let mark = Array("OggS\0".utf8)
        var offset = start
        while offset < file.size {
            let window = try file.bytes(at: offset, count: 65_536)
            guard window.count >= mark.count else { return nil }
            for index in 0...window.count - mark.count
            where window[index] == mark[0] && window[index..<index + mark.count].elementsEqual(mark) {
                return offset + index
            }
            offset += window.count - mark.count + 1
        }
        return nil
    }
}
